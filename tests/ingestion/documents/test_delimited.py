from pathlib import Path

import pytest

from seminar.errors import IngestionError
from seminar.ingestion.documents import sheets
from seminar.ingestion.documents.delimited import read, separator_of
from seminar.types import Document


def documents(path: Path, content: str | bytes) -> list[Document]:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return list(read(path, path.name, pytest.fail))


def test_rows_have_the_names_of_their_columns_and_their_lines(tmp_path: Path):
    [found] = documents(
        tmp_path / "fares.csv",
        'Ticket,Price,Notes\nAdult,£12,\nChild,£4,"4 to 15,\nwith an adult"\n'
        'Dog,£2,"a ""small"" one"\n',
    )
    assert found.title == "fares"
    assert found.text.split("\n") == [
        "Ticket | Price | Notes",
        "Ticket: Adult; Price: £12",
        "Ticket: Child; Price: £4; Notes: 4 to 15, with an adult",
        'Ticket: Dog; Price: £2; Notes: a "small" one',
    ]
    assert [mark.line for mark in found.lines] == [1, 2, 3, 5]
    assert found.places == ()


@pytest.mark.parametrize(
    ("name", "content", "separator"),
    [
        ("a.csv", "a;b\n1,5;2\n2,5;3\n", ";"),
        ("a.csv", "a,b\nx;y,2\n", ","),
        ("a.csv", "a|b\n1|2\n", "|"),
        ("a.tsv", "a,b\tc\n1,5\t2\n", "\t"),
    ],
)
def test_separator_is_the_one_on_every_line(name: str, content: str, separator: str):
    assert separator_of(content, name) == separator


def test_columns_without_names_are_joined(tmp_path: Path):
    [found] = documents(tmp_path / "a.csv", "1,2\n3,4\n")
    assert found.text == "1 | 2\n3 | 4"


def test_title_above_the_table_does_not_name_a_column(tmp_path: Path):
    [found] = documents(tmp_path / "a.csv", "Fares of 2024,\nTicket,Price\nChild,4\n")
    assert found.text.split("\n")[2] == "Ticket: Child; Price: 4"


def test_table_after_an_empty_row_has_names_of_its_own(tmp_path: Path):
    [found] = documents(tmp_path / "a.csv", "Ticket,Price\nChild,4\n,\nDay,Boats,Pier\nMon,3,N\n")
    assert found.text.split("\n")[-1] == "Day: Mon; Boats: 3; Pier: N"


def test_long_file_is_several_documents_that_keep_the_names(tmp_path: Path):
    rows = "".join(f"A{number},{number}\n" for number in range(sheets.ROW_LIMIT + 5))
    first, second = documents(tmp_path / "a.csv", "Name,Size\n" + rows)
    assert (first.source, second.source) == ("a.csv", f"a.csv#{sheets.ROW_LIMIT + 1}")
    assert second.text.startswith(f"Name: A{sheets.ROW_LIMIT - 1}; Size: {sheets.ROW_LIMIT - 1}\n")
    assert second.lines[0] == (0, sheets.ROW_LIMIT + 1)


@pytest.mark.parametrize(
    ("content", "reason"),
    [(b"", "empty"), (b"a\0b,c", "binary"), (b",,\n,,\n", "empty")],
)
def test_file_without_values_is_refused(tmp_path: Path, content: bytes, reason: str):
    with pytest.raises(IngestionError, match=reason):
        documents(tmp_path / "a.csv", content)
