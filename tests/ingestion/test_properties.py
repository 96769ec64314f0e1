"""What holds for every document of every format."""

from collections.abc import Callable
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

import docx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seminar.errors import IngestionError
from seminar.ingestion.documents import docx as docx_reader
from seminar.ingestion.documents import (
    html,
    markdown,
    odt,
    plain,
    rtf,
    sheets,
    wikiextractor,
    wikitext,
)
from seminar.ingestion.documents.page_layout import Line, compose
from seminar.ingestion.passages import MIN_WORDS, split
from seminar.types import Document
from tests.ingestion.documents.packages_made import open_document
from tests.ingestion.text_readers import TEXT_READERS, from_org, from_rst

WORD = st.text(alphabet="abcdeXYZéß東'.-1", min_size=1, max_size=8)
SENTENCE = st.lists(WORD, min_size=1, max_size=40).map(lambda words: " ".join(words) + ".")
BLOCK = st.one_of(
    st.tuples(st.just("heading"), st.lists(WORD, min_size=1, max_size=4).map(" ".join)),
    st.tuples(st.just("paragraph"), st.lists(SENTENCE, min_size=1, max_size=8).map(" ".join)),
    st.tuples(st.just("item"), SENTENCE),
    st.tuples(st.just("link"), WORD),
    st.tuples(st.just("raw"), st.text(max_size=60)),
)
BLOCKS = st.lists(BLOCK, min_size=1, max_size=12)
Blocks = list[tuple[str, str]]


def from_html(blocks: Blocks) -> Document:
    shapes = {
        "heading": "<h2>{}</h2>",
        "paragraph": "<p>{}</p>",
        "item": "<ul><li>{}</li></ul>",
        "link": "<p>see <a href='x.html'> <b>{}</b></a> there</p>",
    }
    parts = [shapes[kind].format(escape(text)) if kind in shapes else text for kind, text in blocks]
    return html.parse("\n".join(parts), "a.html")


def from_markdown(blocks: Blocks) -> Document:
    shapes = {"heading": "## {}", "item": "- {}", "link": "see [*{}*](x.md) there"}
    parts = [shapes.get(kind, "{}").format(text) for kind, text in blocks]
    return markdown.parse("\n\n".join(parts), "a.md")


def from_plain(blocks: Blocks) -> Document:
    shapes = {"heading": "{}\n------", "item": "- {}"}
    return plain.parse(
        "\n\n".join(shapes.get(kind, "{}").format(text) for kind, text in blocks), "a"
    )


def from_wikitext(blocks: Blocks) -> Document:
    shapes = {"heading": "== {} ==", "item": "* {}", "link": "see [[x|{}]]s {{{{t}}}} there"}
    text = "\n\n".join(shapes.get(kind, "{}").format(text) for kind, text in blocks)
    document = wikitext.parse(text, "d#T", file="d", dropped=wikitext.DROPPED_NAMESPACES)
    if document is None:
        raise IngestionError("empty")
    return document


def from_wikiextractor(blocks: Blocks) -> Document:
    shapes = {"heading": "Section::::{}.", "item": "BULLET::::- {}", "link": '<a href="X">{}</a>'}
    lines = [shapes.get(kind, "{}").format(text) for kind, text in blocks]
    numbered = list(enumerate("\n".join(lines).split("\n"), start=1))
    document = wikiextractor.parse(numbered, "f#T", file="f")
    if document is None:
        raise IngestionError("empty")
    return document


def from_pages(blocks: Blocks) -> Document:
    lines = [
        Line(" ".join(text.split()), 1 + place // 3, 30, 500, 700 - 20 * (place % 3), 700, size)
        for place, (kind, text) in enumerate(blocks)
        for size in [16.0 if kind == "heading" else 10.0]
        if text.split()
    ]
    if not lines:
        raise IngestionError("empty")
    return compose(lines, "a.pdf", title="", name="a")


def in_xml(text: str) -> str:
    """The text without the characters that XML doesn't have."""
    return "".join(mark for mark in text if mark in "\t\n" or " " <= mark not in "\ufffe\uffff")


def from_docx(blocks: Blocks) -> Document:
    word = docx.Document()
    styles = {"heading": "Heading 2", "item": "List Bullet"}
    for kind, text in blocks:
        word.add_paragraph(in_xml(text), style=styles.get(kind))
    with TemporaryDirectory() as folder:
        word.save(f"{folder}/a.docx")
        [document] = docx_reader.read(Path(folder, "a.docx"), "a.docx", pytest.fail)
    return document


def from_odt(blocks: Blocks) -> Document:
    shapes = {
        "heading": '<text:h text:outline-level="2">{}</text:h>',
        "item": "<text:list><text:list-item><text:p>{}</text:p></text:list-item></text:list>",
        "link": "<text:p>see <text:a xlink:href='x'> <text:span>{}</text:span></text:a></text:p>",
        "raw": "<text:p>a<text:note><text:note-body><text:p>{}</text:p></text:note-body>"
        "</text:note> b</text:p>",
    }
    parts = [
        shapes.get(kind, "<text:p>{}</text:p>").format(escape(in_xml(text)))
        for kind, text in blocks
    ]
    with TemporaryDirectory() as folder:
        path = open_document(Path(folder, "a.odt"), f"<office:text>{''.join(parts)}</office:text>")
        [document] = odt.read(path, "a.odt", pytest.fail)
    return document


def from_rtf(blocks: Blocks) -> Document:
    shapes = {"heading": r"\pard\outlinelevel1 {}\par", "item": r"\pard\bullet  {}\par"}
    parts = [
        shapes.get(kind, r"\pard {}\par").format("".join(f"\\u{ord(mark)}?" for mark in text))
        for kind, text in blocks
    ]
    return rtf.parse("{\\rtf1 " + "\n".join(parts) + "}", "a.rtf")


def from_sheet(blocks: Blocks) -> Document:
    rows = [
        sheets.Row(number, {number % 7: " ".join(text.split())})
        for number, (_, text) in enumerate(blocks, start=1)
        if text.split()
    ]
    [document] = sheets.documents([sheets.Sheet("Sheet 1", rows)], "a.xlsx")
    assert len(document.places) == len(rows)
    return document


READERS = [
    *TEXT_READERS,
    from_html,
    from_markdown,
    from_plain,
    from_wikitext,
    from_wikiextractor,
    from_pages,
    from_docx,
    from_odt,
    from_rtf,
    from_sheet,
]
Reader = Callable[[Blocks], Document]


def drafted(reader: Reader, blocks: Blocks) -> Document:
    """The document, with a paragraph added so that there always is one."""
    return reader([*blocks, ("paragraph", "An ending.")])


@pytest.mark.parametrize("reader", READERS)
@settings(max_examples=60, deadline=None)
@given(blocks=BLOCKS)
def test_sections_elements_and_pages_fit_the_text(reader: Reader, blocks: Blocks):
    document = drafted(reader, blocks)
    text = document.text
    assert "".join(text[part.start : part.end] for part in document.sections) == text
    covered = "".join(text[part.start : part.end] for part in document.elements)
    assert covered.split() == text.split() or "".join(covered.split()) == "".join(text.split())
    assert len({element.key for element in document.elements}) == len(document.elements)
    assert all(text[part.start : part.end].strip() for part in document.places)
    if document.pages:
        assert "".join(text[part.start : part.end] for part in document.pages) == text
        numbers = [page.number for page in document.pages]
        assert numbers == sorted(set(numbers))


@pytest.mark.parametrize("reader", READERS)
@settings(max_examples=60, deadline=None)
@given(blocks=BLOCKS)
def test_passages_are_exact_ordered_and_complete(reader: Reader, blocks: Blocks):
    document = drafted(reader, blocks)
    passages = split(document)
    gaps, position = [], 0
    for passage in passages:
        assert passage.text == document.text[passage.start : passage.end]
        assert passage.text.strip() == passage.text != ""
        assert position <= passage.start
        gaps.append(document.text[position : passage.start])
        position = passage.end
    gaps.append(document.text[position:])
    assert not "".join(gaps).strip()


@pytest.mark.parametrize("reader", READERS)
@settings(max_examples=60, deadline=None)
@given(blocks=BLOCKS)
def test_passages_keep_to_their_sections_and_sizes(reader: Reader, blocks: Blocks):
    document = drafted(reader, blocks)
    passages = split(document)
    for section in document.sections:
        inside = [p for p in passages if section.start <= p.start < section.end]
        assert all(p.end <= section.end and p.section == section.title for p in inside)
        if len(inside) > 1:
            assert min(len(p.text.split()) for p in inside) >= MIN_WORDS or "東" in document.text


LINKING = [
    from_org,
    from_rst,
    from_html,
    from_markdown,
    from_wikitext,
    from_wikiextractor,
    from_odt,
]


@pytest.mark.parametrize("reader", LINKING)
@settings(max_examples=60, deadline=None)
@given(name=st.text(alphabet="abcXYZ東 ", min_size=1, max_size=20), blocks=BLOCKS)
def test_links_hold_their_anchors(reader: Reader, name: str, blocks: Blocks):
    anchor = " ".join(name.split()) or "x"
    clean = [block for block in blocks if block[0] in ("heading", "item", "paragraph")]
    document = reader([*clean, ("link", anchor)])
    [link] = [
        link for link in document.links if link.target.lower().endswith(("x", "x.html", "x.md"))
    ]
    assert document.text[link.start : link.end] == anchor
    [passage] = [p for p in split(document) if p.links]
    [inner] = passage.links
    assert passage.text[inner.start : inner.end] == anchor


@pytest.mark.parametrize("reader", READERS)
@settings(max_examples=40, deadline=None)
@given(blocks=st.lists(SENTENCE, min_size=2, max_size=6, unique=True), new=SENTENCE)
def test_element_keys_survive_edits_elsewhere(reader: Reader, blocks: list[str], new: str):
    def keys(sentences: list[str]) -> set[str]:
        document = reader([("paragraph", f"Say {sentence}") for sentence in sentences])
        return {element.key for element in document.elements}

    first, *rest = blocks
    before, after = keys([first, *rest]), keys([new, *rest])
    assert len(before - after) <= 1
