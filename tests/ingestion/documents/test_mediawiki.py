import bz2
import gzip
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

from seminar.errors import IngestionError
from seminar.ingestion.documents.mediawiki import PAGE_LIMIT, read
from seminar.types import Document

NAMESPACES = '<siteinfo><namespaces><namespace key="6">Datei</namespace></namespaces></siteinfo>'


def page(title: str, text: str, ns: int = 0, extra: str = "") -> str:
    return (
        f"<page><title>{escape(title)}</title><ns>{ns}</ns>{extra}"
        f"<revision><id>1</id><text>{escape(text)}</text></revision></page>"
    )


def dump(*pages: str) -> bytes:
    head = '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/">'
    return (head + NAMESPACES + "".join(pages) + "</mediawiki>").encode()


def documents(path: Path, notices: list[str] | None = None) -> list[Document]:
    return list(read(path, path.name, (notices if notices is not None else []).append))


def test_dump_gives_articles_only(tmp_path: Path):
    path = tmp_path / "d.xml"
    path.write_bytes(
        dump(
            page("Ferry & Co", "A [[boat]]. [[Datei:x.png|a [[b]]]]"),
            page("Talk:Ferry", "chat", ns=1),
            page("Old", "#REDIRECT [[Ferry]]", extra='<redirect title="Ferry" />'),
            page("Hull", "{{only}}"),
            page("Boat", "It floats."),
        )
    )
    assert [(document.source, document.text) for document in documents(path)] == [
        ("d.xml#Ferry & Co", "A boat."),
        ("d.xml#Boat", "It floats."),
    ]


@pytest.mark.parametrize(("suffix", "pack"), [(".bz2", bz2.compress), (".gz", gzip.compress)])
def test_packed_dump_is_streamed(tmp_path: Path, suffix: str, pack):
    path = tmp_path / f"d.xml{suffix}"
    content = pack(dump(*(page(f"P{number}", f"Text {number}.") for number in range(3_000))))
    path.write_bytes(content)
    assert len(documents(path)) == 3_000
    path.write_bytes(content[:-1_000])
    with pytest.raises(IngestionError, match="cut off"):
        documents(path)
    path.write_bytes(content[:20] + b"garbage" * 100)
    with pytest.raises(IngestionError, match=r"damaged|cut off"):
        documents(path)


def test_truncated_dump_gives_its_articles_and_then_an_error(tmp_path: Path):
    path = tmp_path / "d.xml"
    path.write_bytes(dump(page("A", "One."), page("B", "Two."))[:-60])
    found = []
    with pytest.raises(IngestionError, match="cut off after 1 articles, which were read"):
        found.extend(document.title for document in read(path, "d.xml", print))
    reading = read(path, "d.xml", print)
    assert next(reading).title == "A"


def test_damaged_xml_gives_the_pages_before_the_damage(tmp_path: Path):
    path = tmp_path / "d.xml"
    path.write_bytes(dump(page("A", "One."), "<page></title>"))
    reading = read(path, "d.xml", print)
    assert next(reading).title == "A"
    with pytest.raises(IngestionError, match="damaged XML: mismatched tag"):
        next(reading)


@pytest.mark.parametrize(
    "declaration",
    [
        '<!DOCTYPE m [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>',
        '<!DOCTYPE m [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE mediawiki SYSTEM "http://example.org/x.dtd">',
    ],
)
def test_document_types_are_refused(tmp_path: Path, declaration: str):
    path = tmp_path / "d.xml"
    path.write_bytes(declaration.encode() + dump(page("A", "&b;&x;")))
    with pytest.raises(IngestionError, match="declares a document type"):
        documents(path)


def test_other_xml_is_refused(tmp_path: Path):
    path = tmp_path / "d.xml"
    path.write_text("<html><page><title>x</title></page></html>")
    with pytest.raises(IngestionError, match="not a MediaWiki export"):
        documents(path)


def test_page_above_the_limit_is_left_out(tmp_path: Path):
    path = tmp_path / "d.xml"
    path.write_bytes(dump(page("Bomb", "x " * PAGE_LIMIT), page("A", "One.")))
    notices: list[str] = []
    assert [document.title for document in documents(path, notices)] == ["A"]
    assert notices == ["page 'Bomb' is larger than any article and was left out"]


def test_decompression_bomb_is_refused(tmp_path: Path):
    path = tmp_path / "d.xml.bz2"
    packer = bz2.BZ2Compressor()
    with path.open("wb") as file:
        file.write(packer.compress(b"<mediawiki><page><title>"))
        for _ in range(80):
            file.write(packer.compress(b" " * 1_000_000))
        file.write(packer.flush())
    with pytest.raises(IngestionError, match="expands more than 100-fold"):
        documents(path)


def test_dump_without_articles_is_refused(tmp_path: Path):
    path = tmp_path / "d.xml"
    path.write_bytes(dump(page("Talk:A", "x", ns=1)))
    with pytest.raises(IngestionError, match="holds no articles"):
        documents(path)
