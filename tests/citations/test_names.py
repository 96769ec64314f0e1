import pytest
from hypothesis import given
from hypothesis import strategies as st

from seminar.citations.names import citation, span_id, split_id, split_line, split_page
from seminar.types import LineMark, Page, Passage, Place, Span, Utterance

PASSAGE = Passage("choir.md", 100, 127, "It began in 1979. It sings.", lines=(LineMark(0, 13),))


def test_id_is_the_document_and_offsets_in_it():
    assert span_id(Span(PASSAGE, 12, 16)) == "choir.md#112-116"


def test_citation_of_a_document_is_its_file_line_and_column():
    assert citation(Span(PASSAGE, 12, 16)) == "choir.md:13"
    assert citation(Span(PASSAGE, 12, 16), 24) == "choir.md:13:24"


def test_citation_of_a_message_is_its_file_line_and_key():
    message = Utterance("2", "BO", "A survey?", None, 4, 13, "panel.txt", (LineMark(4, 5),))
    passage = Passage("panel.txt", 0, 13, "BO: A survey?", utterances=(message,))
    assert citation(Span(passage, 6, 12)) == "panel.txt:5#2"
    assert citation(Span(passage, 6, 12), 7) == "panel.txt:5:7#2"


def test_citation_of_a_page_and_of_cells_follows_the_file():
    paged = Passage("report.pdf", 0, 9, "It opens.", pages=(Page(3, 0, 9),))
    assert citation(Span(paged, 0, 2)) == "report.pdf#page=3"
    cells = Passage("fares.xlsx", 0, 9, "It opens.", places=(Place("Fares!A2:B2", 0, 9),))
    assert citation(Span(cells, 0, 2)) == "fares.xlsx#Fares!A2:B2"


def test_citation_without_a_known_line_is_the_source():
    assert citation(Span(Passage("ferry.md", 0, 9, "It sails."), 0, 2)) == "ferry.md"


@given(source=st.text(min_size=1), start=st.integers(0, 10**14), length=st.integers(0, 10**6))
def test_id_of_any_source_is_split_again(source: str, start: int, length: int):
    passage = Passage(source, start, start + length, "x" * min(length, 1))
    name = span_id(Span(passage, 0, length))
    assert split_id(name) == (source, start, start + length)


@pytest.mark.parametrize("name", ["choir.md", "choir.md:x", "#1-2", "choir.md#1-", "a:99999999999"])
def test_other_names_are_not_split(name: str):
    assert (split_id(name), split_line(name), split_page(name)) == (None, None, None)
