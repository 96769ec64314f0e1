from collections.abc import Sequence
from pathlib import Path

import pytest

from seminar.errors import IngestionError
from seminar.ingestion.documents.ods import read
from seminar.types import Document
from tests.ingestion.documents.packages_made import open_document, package

HIDDEN = (
    '<style:style style:name="ta2"><style:table-properties table:display="false"/></style:style>'
)


def row(cells: Sequence[str], attributes: str = "") -> str:
    inner = "".join(
        f"<table:table-cell><text:p>{cell}</text:p></table:table-cell>" for cell in cells
    )
    return f"<table:table-row {attributes}>{inner}</table:table-row>"


def sheet(name: str, rows: str, style: str = "ta1") -> str:
    return f'<table:table table:name="{name}" table:style-name="{style}">{rows}</table:table>'


def documents(path: Path, notes: list[str] | None = None) -> list[Document]:
    return list(read(path, path.name, pytest.fail if notes is None else notes.append))


def test_rows_have_names_sheets_and_cells(tmp_path: Path):
    fares = (
        row(["Ticket", "Price"])
        + row(["Adult", "£12.00"])
        + '<table:table-row table:number-rows-repeated="3"><table:table-cell '
        'table:number-columns-repeated="16384"/></table:table-row>'
        + row(
            ["Child<text:s/>(4)", "£4.00<office:annotation><text:p>?</text:p></office:annotation>"]
        )
        + row(["Dog", "free"], 'table:number-rows-repeated="2"')
    )
    boats = (
        '<table:table-row><table:table-cell table:number-columns-repeated="2"/>'
        "<table:table-cell><text:p>Tern</text:p><text:p>and Gull</text:p></table:table-cell>"
        "</table:table-row>"
    )
    body = sheet("Fares", fares) + sheet("Boats", boats) + sheet("Old", row(["x"]), "ta2")
    notes: list[str] = []
    path = open_document(
        tmp_path / "a.ods", f"<office:spreadsheet>{body}</office:spreadsheet>", styles=HIDDEN,
        title="Summer",
    )  # fmt: skip
    [found] = documents(path, notes)
    assert found.title == "Summer"
    assert found.text.split("\n") == [
        "Fares",
        "",
        "Ticket | Price",
        "Ticket: Adult; Price: £12.00",
        "Ticket: Child (4); Price: £4.00",
        "Ticket: Dog; Price: free",
        "",
        "Boats",
        "",
        "Tern and Gull",
    ]
    assert [place.name for place in found.places] == [
        "Fares!A1:B1",
        "Fares!A2:B2",
        "Fares!A6:B6",
        "Fares!A7:B8",
        "Boats!C1",
    ]
    assert notes == ["the hidden sheet 'Old' was left out"]


def test_repeated_cells_and_rows_take_bounded_memory(tmp_path: Path):
    wide = (
        '<table:table-row table:number-rows-repeated="1048576"><table:table-cell '
        'table:number-columns-repeated="999999999"><text:p>a</text:p></table:table-cell>'
        "</table:table-row>"
    )
    body = f"<office:spreadsheet>{sheet('A', wide)}</office:spreadsheet>"
    [found] = documents(open_document(tmp_path / "a.ods", body))
    assert len(found.text) < 10_000


@pytest.mark.parametrize(
    ("entries", "reason"),
    [
        ({"a.txt": "x"}, "no content.xml"),
        ({"content.xml": "<a><b></a>"}, "damaged XML"),
        ({"content.xml": "<a><b>"}, "ends too early"),
        ({"content.xml": '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'}, "entity bombs"),
        ({"content.xml": "<a/>", "META-INF/manifest.xml": "<encryption-data/>"}, "password"),
        ({"content.xml": "<a/>"}, "empty"),
    ],
)
def test_damaged_spreadsheet_is_refused(tmp_path: Path, entries: dict[str, str], reason: str):
    with pytest.raises(IngestionError, match=reason):
        documents(package(tmp_path / "a.ods", entries))
