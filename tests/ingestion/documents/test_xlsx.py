from datetime import date, datetime
from pathlib import Path

import pytest
from openpyxl import Workbook

from seminar.errors import IngestionError
from seminar.ingestion.documents import sheets
from seminar.ingestion.documents.xlsx import read
from seminar.ingestion.passages import split
from seminar.types import Document, Span


def fares(path: Path) -> Path:
    workbook = Workbook()
    sheet = workbook.active
    sheet.title = "Fares"
    sheet.append(["Fares from May"])
    sheet.append([])
    sheet.append(["Ticket", "Price", "Share", "From"])
    sheet.append(["Adult", 12, 0.75, date(2024, 5, 1)])
    sheet.append(["Child", 4.5, 0.25, datetime(2024, 5, 1, 9, 30)])
    for row in (4, 5):
        sheet.cell(row, 2).number_format = '"£"#,##0.00'
        sheet.cell(row, 3).number_format = "0%"
    boats = workbook.create_sheet("The boats")
    boats["B2"], boats["C2"] = "Name", "Masts"
    boats["B3"], boats["C3"] = "Tern", 2
    workbook.create_sheet("Secret").sheet_state = "hidden"
    workbook["Secret"]["A1"] = "hidden words"
    workbook.save(path)
    return path


def documents(path: Path, notes: list[str] | None = None) -> list[Document]:
    return list(read(path, path.name, pytest.fail if notes is None else notes.append))


def test_rows_have_names_sheets_and_cells(tmp_path: Path):
    notes: list[str] = []
    [found] = documents(fares(tmp_path / "fares.xlsx"), notes)
    assert found.text.split("\n") == [
        "Fares",
        "",
        "Fares from May",
        "Ticket | Price | Share | From",
        "Ticket: Adult; Price: £12.00; Share: 75%; From: 2024-05-01",
        "Ticket: Child; Price: £4.50; Share: 25%; From: 2024-05-01 09:30",
        "",
        "The boats",
        "",
        "Name | Masts",
        "Name: Tern; Masts: 2",
    ]
    assert [section.title for section in found.sections] == ["Fares", "The boats"]
    assert [place.name for place in found.places] == [
        "Fares!A1",
        "Fares!A3:D3",
        "Fares!A4:D4",
        "Fares!A5:D5",
        "'The boats'!B2:C2",
        "'The boats'!B3:C3",
    ]
    assert notes == ["the hidden sheet 'Secret' was left out"]


def test_span_names_the_cells_of_its_row(tmp_path: Path):
    [found] = documents(fares(tmp_path / "fares.xlsx"), [])
    [passage, _] = split(found)
    start = passage.text.index("£4.50")
    assert Span(passage, start, start + 5).place == "Fares!A5:D5"
    assert passage.section == "Fares"


def test_long_sheet_is_several_documents(tmp_path: Path):
    workbook = Workbook(write_only=True)
    sheet = workbook.create_sheet("Stops")
    sheet.append(["Stop", "Zone"])
    for number in range(sheets.ROW_LIMIT + 1):
        sheet.append([f"Stop {number}", number])
    workbook.save(tmp_path / "a.xlsx")
    first, second = documents(tmp_path / "a.xlsx")
    assert second.source == f"a.xlsx#Stops!{sheets.ROW_LIMIT + 1}"
    assert second.text.startswith(f"Stops\n\nStop: Stop {sheets.ROW_LIMIT - 1}; Zone: ")
    assert len(first.places) == sheets.ROW_LIMIT


def test_claimed_size_of_a_sheet_is_not_believed(tmp_path: Path):
    workbook = Workbook()
    workbook.active["A1"], workbook.active["B1"] = "Ticket", "Price"
    workbook.active["XFD900000"] = "far"
    workbook.save(tmp_path / "a.xlsx")
    [found] = documents(tmp_path / "a.xlsx")
    assert [place.name for place in found.places] == ["Sheet!A1:B1", "Sheet!XFD900000"]


def test_name_of_any_length_and_quotes_in_it_give_short_places():
    row = sheets.Row(1, {0: "Ticket"})
    [long] = sheets.documents([sheets.Sheet("a" * 1_000_000, [row])], "a.xlsx")
    assert len(long.places[0].name) < 110
    [quoted] = sheets.documents([sheets.Sheet("Ada's", [row])], "a.xlsx")
    assert quoted.places[0].name == "'Ada''s'!A1"


def test_workbook_without_text_is_refused(tmp_path: Path):
    Workbook().save(tmp_path / "a.xlsx")
    with pytest.raises(IngestionError, match="empty"):
        documents(tmp_path / "a.xlsx")
