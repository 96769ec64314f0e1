from pathlib import Path

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from seminar.errors import IngestionError
from seminar.ingestion.documents.docx import read
from seminar.ingestion.passages import split
from seminar.types import Document, Span

CHANGED = f"""
<w:p {nsdecls("w")}>
  <w:r><w:t xml:space="preserve">Boats leave at </w:t></w:r>
  <w:del w:id="1" w:author="Ada"><w:r><w:delText>eight</w:delText></w:r></w:del>
  <w:ins w:id="2" w:author="Ada"><w:r><w:t>nine</w:t></w:r></w:ins>
  <w:r><w:t>.</w:t></w:r><w:r><w:rPr><w:vanish/></w:rPr><w:t>Hidden.</w:t></w:r>
</w:p>
"""
JOINED = f"""
<w:p {nsdecls("w")}><w:pPr><w:rPr><w:del w:id="3" w:author="Ada"/></w:rPr></w:pPr>
<w:r><w:t xml:space="preserve">One </w:t></w:r></w:p>
"""
DELETED_ROW = f"""
<w:tr {nsdecls("w")}><w:trPr><w:del w:id="4" w:author="Ada"/></w:trPr>
<w:tc><w:p><w:r><w:t>Dog</w:t></w:r></w:p></w:tc></w:tr>
"""


def handbook(path: Path) -> Path:
    word = docx.Document()
    word.core_properties.title = ""
    word.add_paragraph("Visitors' handbook", style="Title")
    word.add_paragraph("It is a small port.")
    word.add_heading("Fares", 1)
    for text in ("by boat", "by train"):
        word.add_paragraph(text, style="List Bullet")
    table = word.add_table(rows=1, cols=2)
    table.rows[0].cells[0].text, table.rows[0].cells[1].text = "Ticket", "Price"
    for ticket, price in [("Adult", "12 pounds"), ("Child\n(4 to 15)", "4 pounds")]:
        cells = table.add_row().cells
        cells[0].text, cells[1].text = ticket, price
    table._tbl.append(parse_xml(DELETED_ROW))
    word.add_heading("Boats", 2)
    remark = word.add_paragraph("Two boats sail.")
    word.add_comment(remark.runs, text="Since May, three.", author="Ada Kowal")
    for xml in (CHANGED, JOINED):
        word.element.body.insert(-1, parse_xml(xml))
    word.add_paragraph("paragraph.")
    word.save(str(path))
    return path


def document(path: Path) -> Document:
    [found] = read(path, path.name, pytest.fail)
    return found


def test_document_gives_headings_lists_tables_comments_and_accepted_changes(tmp_path: Path):
    found = document(handbook(tmp_path / "a.docx"))
    assert found.title == "Visitors' handbook"
    assert found.text.split("\n\n") == [
        "Visitors' handbook",
        "It is a small port.",
        "Fares",
        "by boat\nby train",
        "Ticket | Price\nTicket: Adult; Price: 12 pounds\nTicket: Child (4 to 15); Price: 4 pounds",
        "Boats",
        "Two boats sail.",
        "Since May, three.",
        "Boats leave at nine.",
        "One paragraph.",
    ]
    assert [section.title for section in found.sections] == ["", "Fares", "Fares > Boats"]


def test_span_in_a_comment_names_who_wrote_it(tmp_path: Path):
    passage = split(document(handbook(tmp_path / "a.docx")))[-1]
    start = passage.text.index("three")
    assert Span(passage, start, start + 5).place == "comment of Ada Kowal"
    assert Span(passage, 0, 5).place is None


def test_footnote_follows_the_paragraph_that_refers_to_it(tmp_path: Path):
    word = docx.Document()
    first = word.add_paragraph("It sails at nine")
    word.add_paragraph("Then it returns.")
    first._p.append(
        parse_xml(f'<w:r {nsdecls("w")}><w:footnoteReference w:id="2"/><w:t>.</w:t></w:r>')
    )
    notes = (
        f'<w:footnotes {nsdecls("w")}><w:footnote w:type="separator" w:id="0"><w:p/></w:footnote>'
        '<w:footnote w:id="2"><w:p><w:r><w:footnoteRef/></w:r><w:r><w:t>Not on Sundays.</w:t></w:r>'
        "</w:p></w:footnote></w:footnotes>"
    )
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes"
    part = docx.opc.part.Part(
        docx.opc.packuri.PackURI("/word/footnotes.xml"),
        "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml",
        notes.encode(),
        word.part.package,
    )
    word.part.relate_to(part, kind)
    word.save(str(tmp_path / "a.docx"))
    found = document(tmp_path / "a.docx")
    assert found.text == "It sails at nine.\n\nNot on Sundays.\n\nThen it returns."
    [place] = found.places
    assert (place.name, found.text[place.start : place.end]) == ("footnote 1", "Not on Sundays.")


def test_links_keep_their_anchors(tmp_path: Path):
    word = docx.Document()
    paragraph = word.add_paragraph("See the ")
    kind = docx.opc.constants.RELATIONSHIP_TYPE.HYPERLINK
    key = word.part.relate_to("times.docx", kind, is_external=True)
    paragraph._p.append(
        parse_xml(
            f'<w:hyperlink {nsdecls("w", "r")} r:id="{key}"><w:r><w:t>timetable</w:t></w:r>'
            "</w:hyperlink>"
        )
    )
    word.save(str(tmp_path / "a.docx"))
    [found] = read(tmp_path / "a.docx", "port/a.docx", pytest.fail)
    [link] = found.links
    assert (link.target, found.text[link.start : link.end]) == ("port/times.docx", "timetable")


def test_document_without_text_is_refused(tmp_path: Path):
    docx.Document().save(str(tmp_path / "a.docx"))
    with pytest.raises(IngestionError, match="empty"):
        document(tmp_path / "a.docx")
