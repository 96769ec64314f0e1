import re

import pytest

from seminar.ingestion.documents.html import parse


def rows(*cells: tuple[str, ...]) -> str:
    """A table of these cells, each the content of a `<td>`."""
    return (
        "<table>"
        + "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in cells)
        + "</table>"
    )


def test_first_row_that_looks_different_names_the_columns():
    table = rows(("<b>Ticket</b>", "<b>Price</b>"), ("Adult", "£12"), ("Child", "£4"))
    assert parse(table, "a.html").text.split("\n") == [
        "Ticket | Price",
        "Ticket: Adult; Price: £12",
        "Ticket: Child; Price: £4",
    ]


def test_first_row_of_three_cells_names_the_columns():
    table = rows(("Ticket", "2024", "2025"), ("Child", "£3", "£4"))
    assert parse(table, "a.html").text.endswith("Ticket: Child; 2024: £3; 2025: £4")


def test_paragraphs_and_line_breaks_in_cells_divide_no_row():
    table = rows(("<p><b>Ticket</b></p>", "<p><b>Price</b></p>"), ("<p>Child</p>", "£4<br>a day"))
    assert parse(table, "a.html").text.endswith("Ticket: Child; Price: £4 a day")


@pytest.mark.parametrize(
    "table",
    [
        rows(("Name", "Ada"), ("Town", "York")),
        rows(("<b>Name</b>", "Ada"), ("<b>Town</b>", "York")),
        rows(("Name:", "Ada", "Bo"), ("Town:", "York", "Hull")),
        rows(("<b>Name</b>", "<b>Ada</b>")),
        rows(("Name", "Ada", "Town"), ("<ul><li>One</ul>", "b", "c")),
        rows(("Name", "Ada", "Town"), ("long " * 100, "b", "c")),
        rows(("Name", "Ada", "Town"), ("York", "Hull")),
    ],
)
def test_other_tables_without_headings_name_no_columns(table: str):
    assert re.search(r"Name: [^|]", parse(table, "a.html").text) is None
