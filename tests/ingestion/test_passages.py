import pytest

from seminar.ingestion.passages import split
from seminar.types import Document, Link, Page, Section


def prose(words: int, name: str = "w") -> str:
    """Sentences of ten words, so many words in all."""
    return " ".join(
        "S" + " ".join([name] * (min(10, words - done) - 1)) + " end."
        for done in range(0, words, 10)
    )


def document(*sections: tuple[str, str], links: tuple[Link, ...] = ()) -> Document:
    text, spans = "", []
    for title, body in sections:
        start = len(text)
        text += body + "\n\n"
        spans.append(Section(title, start, len(text)))
    return Document("a.md", "T", text, tuple(spans), links)


def sizes(document: Document) -> list[tuple[str, int]]:
    return [(passage.section, len(passage.text.split())) for passage in split(document)]


def test_passages_have_at_least_a_hundred_words_and_whole_sentences():
    passages = split(document(("", prose(250))))
    assert [len(passage.text.split()) for passage in passages] == [100, 150]
    assert all(
        passage.text.startswith("S") and passage.text.endswith("end.") for passage in passages
    )


def test_short_section_is_one_passage():
    assert sizes(document(("A", prose(30)), ("B", prose(120)), ("C", prose(10)))) == [
        ("A", 30),
        ("B", 120),
        ("C", 10),
    ]


def test_passage_has_source_title_section_and_offsets():
    [passage] = split(Document("docs/a.md", "Title", "Some text.", (Section("A > B", 0, 10),)))
    assert passage.source == passage.scope == "docs/a.md"
    assert passage.heading == "Title > A > B"
    assert passage.id == "docs/a.md#0-10"


def test_link_offsets_count_from_the_passage():
    text = prose(100) + " " + prose(90) + " A link here."
    start = text.index("link")
    [first, second] = split(
        Document("a", "T", text + " " + prose(20), (), (Link(start, start + 4, "x"),))
    )
    assert first.links == ()
    [link] = second.links
    assert second.text[link.start : link.end] == "link"


def test_passage_has_the_pages_it_touches():
    text = prose(100) + "\n\n" + prose(100)
    middle = text.index("\n\n") - 4  # the second page begins within the first passage
    pages = (Page(1, 0, middle), Page(2, middle, len(text)))
    [first, second] = split(Document("a.pdf", "T", text, (), (), (), pages))
    assert first.pages == (Page(1, 0, middle), Page(2, middle, len(first.text)))
    assert second.pages == (Page(2, 0, len(second.text)),)


@pytest.mark.parametrize(
    "text", ["word " * 2_000, "x" * 50_000, "東" * 5_000, "a\u00a0b " * 3_000, "y" * 9_000 + " z"]
)
def test_sentence_above_the_limit_is_cut(text: str):
    passages = split(Document("a", "T", text.strip()))
    assert max(len(passage.text.split()) for passage in passages) < 500
    assert max(len(passage.text) for passage in passages) < 13_000
    assert "".join("".join(passage.text.split()) for passage in passages) == "".join(text.split())


def test_document_without_text_has_no_passages():
    assert split(Document("a", "T", " \n ")) == []
