from pathlib import Path

import pytest

from seminar.errors import IngestionError
from seminar.ingestion.documents.odt import read
from seminar.types import Document
from tests.ingestion.documents.packages_made import open_document

STYLES = '<style:style style:name="P1" style:parent-style-name="Title"/>'
HANDBOOK = """
<text:tracked-changes><text:changed-region><text:deletion><text:p>Deleted words</text:p>
</text:deletion></text:changed-region></text:tracked-changes>
<text:p text:style-name="P1">Visitors' handbook</text:p>
<text:p>It is a<text:s text:c="3"/>small <text:change text:change-id="c1"/>port<text:note
text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body>
<text:p>Since 1850.</text:p></text:note-body></text:note>, see
<text:a xlink:href="times.odt">the <text:span>timetable</text:span></text:a>.<office:annotation>
<dc:creator>Ada Kowal</dc:creator><dc:date>2024-05-01</dc:date><text:p>Is it still?</text:p>
</office:annotation></text:p>
<text:h text:outline-level="1">Fares</text:h>
<text:list><text:list-item><text:p>by boat</text:p></text:list-item>
<text:list-item><text:p>by train</text:p></text:list-item></text:list>
<table:table><table:table-header-rows><table:table-row>
<table:table-cell><text:p>Ticket</text:p></table:table-cell>
<table:table-cell table:number-columns-spanned="2"><text:p>2024</text:p></table:table-cell>
<table:covered-table-cell/>
</table:table-row></table:table-header-rows>
<table:table-row><table:table-cell><text:p>Child</text:p><text:p>(4 to 15)</text:p>
</table:table-cell><table:table-cell><text:p>£4</text:p></table:table-cell>
<table:table-cell><text:p>£3</text:p></table:table-cell></table:table-row></table:table>
<text:section text:display="none"><text:p>Hidden.</text:p></text:section>
<text:p>See <draw:frame><draw:text-box><text:p>A box.</text:p></draw:text-box></draw:frame></text:p>
<text:h text:outline-level="2">Boats</text:h>
<text:p>Two.</text:p>
"""


def document(path: Path) -> Document:
    [found] = read(path, path.name, pytest.fail)
    return found


def test_text_gives_headings_lists_tables_notes_and_comments(tmp_path: Path):
    body = f"<office:text>{HANDBOOK}</office:text>"
    found = document(open_document(tmp_path / "a.odt", body, styles=STYLES))
    assert found.title == "Visitors' handbook"
    assert found.text.split("\n\n") == [
        "Visitors' handbook",
        "It is a small port, see the timetable.",
        "Since 1850.",
        "Is it still?",
        "Fares",
        "by boat\nby train",
        "Ticket | 2024\nTicket: Child (4 to 15); 2024: £4; 2024: £3",
        "See",
        "A box.",
        "Boats",
        "Two.",
    ]
    assert [section.title for section in found.sections] == ["", "Fares", "Fares > Boats"]
    places = [(place.name, found.text[place.start : place.end]) for place in found.places]
    assert [place for place in places if "table" not in place[0]] == [
        ("footnote 1", "Since 1850."),
        ("comment of Ada Kowal", "Is it still?"),
    ]
    assert [name for name, _ in places if "table" in name] == ["table 1, row 1", "table 1, row 2"]
    [link] = found.links
    assert (link.target, found.text[link.start : link.end]) == ("times.odt", "the timetable")


def test_title_is_that_of_the_properties_where_no_paragraph_has_its_style(tmp_path: Path):
    body = "<office:text><text:p>Two boats.</text:p></office:text>"
    assert document(open_document(tmp_path / "a.odt", body, title="Boats")).title == "Boats"
    assert document(open_document(tmp_path / "b.odt", body)).title == "b"


def test_text_without_words_is_refused(tmp_path: Path):
    with pytest.raises(IngestionError, match="empty"):
        document(open_document(tmp_path / "a.odt", "<office:text><text:p/></office:text>"))
