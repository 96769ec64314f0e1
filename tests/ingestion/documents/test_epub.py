from pathlib import Path

import pytest

from seminar.errors import IngestionError
from seminar.ingestion.documents.epub import read
from seminar.ingestion.passages import split
from seminar.types import Document
from tests.ingestion.documents.packages_made import package

CONTAINER = """<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="OPS/book.opf"/></rootfiles></container>"""
BOOK = """<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/">
<metadata><dc:title>The Harbour</dc:title></metadata><manifest>
<item id="b" href="text/two%20b.xhtml" media-type="application/xhtml+xml"/>
<item id="a" href="text/one.xhtml" media-type="application/xhtml+xml"/>
<item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="c" href="cover.xhtml" media-type="application/xhtml+xml"/>
<item id="m" href="../../etc/passwd" media-type="text/html"/>
<item id="p" href="a.png" media-type="image/png"/>
</manifest><spine><itemref idref="c"/><itemref idref="a"/><itemref idref="b"/><itemref idref="m"/>
</spine></package>"""
PAGE = """<?xml version="1.0"?><!DOCTYPE html [<!ENTITY lol "lol">]>
<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body>{}</body></html>"""
ENTRIES = {
    "mimetype": "application/epub+zip",
    "META-INF/container.xml": CONTAINER,
    "OPS/book.opf": BOOK,
    "OPS/nav.xhtml": PAGE.format("<p>Contents</p>"),
    "OPS/cover.xhtml": PAGE.format("<img src='a.png'/>"),
    "OPS/text/one.xhtml": PAGE.format(
        "<h1>The pier</h1><p>See <a href='two%20b.xhtml#x'>the boats</a>.</p>"
    ),
    "OPS/text/two b.xhtml": PAGE.format("<h1>The boats</h1><h2>Old ones</h2><p>Two &lol;.</p>"),
}


def chapters(path: Path, notes: list[str]) -> list[Document]:
    return list(read(path, path.name, notes.append))


def test_chapters_are_documents_in_reading_order_with_the_title_of_the_book(tmp_path: Path):
    notes: list[str] = []
    one, two = chapters(package(tmp_path / "a.epub", ENTRIES), notes)
    assert (one.source, two.source) == ("a.epub#OPS/text/one.xhtml", "a.epub#OPS/text/two b.xhtml")
    assert (one.title, two.title) == ("The Harbour", "The Harbour")
    assert one.text == "The pier\n\nSee the boats."
    assert [section.title for section in two.sections] == ["The boats > Old ones"]
    assert [passage.scope for passage in split(one)] == ["a.epub"]
    [link] = one.links
    assert link.target == two.source
    assert notes == ["the chapter '../etc/passwd' is missing"]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"META-INF/container.xml": "<container/>"}, "names no package file"),
        ({"META-INF/container.xml": '<!DOCTYPE a><a full-path="b"/>'}, "document type"),
        ({"META-INF/container.xml": '<rootfile full-path="no.opf"/>'}, "can't be unpacked"),
        ({"OPS/book.opf": "<package>"}, "damaged XML"),
        ({"OPS/book.opf": "<package/>"}, "empty"),
    ],
)
def test_damaged_book_is_refused(tmp_path: Path, changes: dict[str, str], reason: str):
    with pytest.raises(IngestionError, match=reason):
        chapters(package(tmp_path / "a.epub", {**ENTRIES, **changes}), [])


def test_damaged_chapter_is_left_out(tmp_path: Path):
    notes: list[str] = []
    deep = {"OPS/text/one.xhtml": "<div>" * 3_000}
    [two] = chapters(package(tmp_path / "a.epub", {**ENTRIES, **deep}), notes)
    assert two.source == "a.epub#OPS/text/two b.xhtml"
    assert "'OPS/text/one.xhtml' was left out: elements nested" in notes[0]
