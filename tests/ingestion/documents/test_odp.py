from pathlib import Path

import pytest

from seminar.errors import IngestionError
from seminar.ingestion.documents.odp import read
from seminar.types import Document
from tests.ingestion.documents.packages_made import open_document

FIRST = """
<draw:page draw:name="page1">
<draw:frame presentation:class="title"><draw:text-box><text:p>The harbour</text:p></draw:text-box>
</draw:frame>
<draw:frame presentation:class="outline"><svg:title>Outline</svg:title><draw:text-box><text:list>
<text:list-item><text:p>Two<text:line-break/>boats</text:p></text:list-item>
<text:list-item><text:p>One <text:a xlink:href="pier.odt">pier</text:a></text:p></text:list-item>
</text:list></draw:text-box></draw:frame>
<draw:frame presentation:class="page-number"><draw:text-box><text:p>1</text:p></draw:text-box>
</draw:frame>
<presentation:notes><draw:frame presentation:class="notes"><draw:text-box>
<text:p>Say that the third boat is sold.</text:p></draw:text-box></draw:frame></presentation:notes>
</draw:page>
"""
CELL = "<table:table-cell><text:p>{}</text:p></table:table-cell>"
ROWS = "".join(
    f"<table:table-row>{CELL.format(left)}{CELL.format(right)}</table:table-row>"
    for left, right in [("Ticket", "2024"), ("Adult", "£12"), ("Child", "£4")]
)
SECOND = f"""
<draw:page draw:name="page2">
<draw:frame presentation:class="title"><draw:text-box><text:p>Fares</text:p></draw:text-box>
</draw:frame>
<draw:frame><table:table table:use-first-row-styles="true">{ROWS}</table:table></draw:frame>
<draw:custom-shape><text:p>Dogs travel free.</text:p></draw:custom-shape>
</draw:page>
"""


def document(path: Path, slides: str, title: str = "") -> Document:
    body = f"<office:presentation>{slides}</office:presentation>"
    [found] = read(open_document(path, body, title=title), path.name, pytest.fail)
    return found


def test_slides_are_pages_with_titles_tables_and_notes(tmp_path: Path):
    found = document(tmp_path / "talk.odp", FIRST + SECOND)
    assert found.title == "The harbour"
    assert found.text.split("\n\n") == [
        "The harbour",
        "Two boats\nOne pier",
        "Say that the third boat is sold.",
        "Fares",
        "Ticket | 2024\nTicket: Adult; 2024: £12\nTicket: Child; 2024: £4",
        "Dogs travel free.",
    ]
    assert [section.title for section in found.sections] == ["", "Fares"]
    pages = [(page.number, found.text[page.start :][:5]) for page in found.pages]
    assert pages == [(1, "The h"), (2, "Fares")]
    [link] = found.links
    assert (link.target, found.text[link.start : link.end]) == ("pier.odt", "pier")
    places = {found.text[place.start : place.end]: place.name for place in found.places}
    assert places["Say that the third boat is sold."] == "slide 1, notes"
    assert places["Ticket: Child; 2024: £4"] == "slide 2"


def test_title_of_the_properties_comes_first(tmp_path: Path):
    assert document(tmp_path / "a.odp", FIRST, title="A talk").title == "A talk"


def test_presentation_without_words_is_refused(tmp_path: Path):
    with pytest.raises(IngestionError, match="empty"):
        document(tmp_path / "a.odp", "<draw:page/>")
