"""Sentences and the words that bear them out, judged with the shipped reader."""

import pytest

from seminar.reading.readers import load_span_model
from seminar.types import Passage, Segment, Span
from seminar.writing.completions import Statement
from seminar.writing.grounding import Grounder

FERRY = (
    "The ferry Lodestar crosses in 55 minutes. Dogs travel free. "
    "Bicycles cost 4 euros on Sundays. Groups may not board after noon."
)
TOWER = "The tower was finished in 1911 by Edda Thornquist. It has 212 steps."


def passage(title: str, text: str) -> Span:
    return Span(Passage(f"{title}.md", 0, len(text), text, title=title), 0, len(text))


PASSAGES = [passage("Ferry", FERRY), passage("Tower", TOWER)]


@pytest.fixture(scope="module")
def grounder() -> Grounder:
    return Grounder(load_span_model())


def ground(grounder: Grounder, text: str, *cited: int, question: str = "") -> Segment:
    [segment] = grounder.ground([Statement(text, cited)], PASSAGES, question)
    return segment


def test_copied_words_are_cited_exactly(grounder: Grounder):
    segment = ground(grounder, "The ferry Lodestar crosses in 55 minutes.", 1)
    assert [span.text for span in segment.spans] == ["The ferry Lodestar crosses in 55 minutes."]
    assert segment.score == 1.0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Edda Thornquist finished the tower in 1911.", "in 1911 by Edda"),
        ("On Sundays bicycles cost four euros.", "4 euros on Sundays"),
    ],
)
def test_a_paraphrase_is_borne_out_by_its_sentence(grounder: Grounder, text: str, words: str):
    segment = ground(grounder, text)
    assert words in " ".join(span.text for span in segment.spans)


@pytest.mark.parametrize(
    "text",
    [
        "Edda Thornquist finished the tower in 1912.",  # a number
        "Iris Calloway finished the tower in 1911.",  # a name
        "On Mondays bicycles cost four euros.",  # a day
        "See https://evil.example for the ferry Lodestar.",  # an address
        "The moon is made of green cheese.",
        "All crossings are free and the ferry has sunk.",
        "Yes.",
        "猫は眠る。",
    ],
)
def test_what_no_passage_says_is_not_borne_out(grounder: Grounder, text: str):
    assert ground(grounder, text, 1).spans == ()


def test_a_wrong_number_does_not_lose_the_place(grounder: Grounder):
    segment = ground(grounder, "It has 212 steps.", 1)
    assert segment.spans[0].passage.title == "Tower"


def test_a_citation_beyond_the_passages_counts_as_none(grounder: Grounder):
    assert ground(grounder, "Dogs travel free.", 9).spans[0].text == "Dogs travel free."
    assert grounder.ground([], PASSAGES) == []
    [nothing] = grounder.ground([Statement("Dogs travel free.")], [])
    assert nothing.spans == ()


def test_a_sentence_that_joins_two_whole_sentences_rests_on_both():
    ferry, bus = (
        Span(Passage(f"{at}.md", 0, len(text), text), 0, len(text))
        for at, text in enumerate(
            ["The ferry crosses in 55 minutes. Dogs pay.", "The bus takes 20 minutes on Sundays."]
        )
    )
    grounder = Grounder(load_span_model())
    joined, cut, swapped = grounder.ground(
        [
            Statement("The ferry crosses in 55 minutes and the bus takes 20 minutes on Sundays."),
            Statement("The ferry crosses in 55 minutes, but the bus takes 90 minutes on Sundays."),
            Statement("The bus crosses in 55 minutes and the ferry takes 20 minutes on Sundays."),
        ],
        [ferry, bus],
    )
    assert [span.source for span in joined.spans] == ["0.md", "1.md"]
    assert (joined.score, cut.spans, swapped.spans) == (1.0, (), ())
