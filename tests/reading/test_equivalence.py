from dataclasses import replace

import pytest

from seminar.reading.equivalence import equivalent, equivalent_texts
from seminar.types import Affirmation, Answer, Passage, Span

TEXT = "Augustus Wray, an architect, drew it. Wray never saw it."
PASSAGE = Passage("hall.md", 100, 100 + len(TEXT), TEXT)


def answer(start: int, end: int, passage: Passage = PASSAGE, says: Affirmation = "neither"):
    return Answer(Span(passage, start, end), 0.5, says)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The Tide Choir", "tide choir"),
        ("two", "2"),
        ("fifty-five minutes", "55 minutes"),
        ("two hundred", "200"),
        ("3 million", "three million"),
        ("Wray", "Augustus Wray"),
        ("Augustus Wray", "Augustus Wray, who built customs houses"),
        ("in 1893", "2 October 1893"),
        ("9 November 1934", "the evening of 9 November 1934"),
        ("May 5, 1911", "1911"),
        ("London", "in London, England"),
    ],
)
def test_texts_with_same_answer_are_equivalent(first: str, second: str):
    assert equivalent_texts(first, second)
    assert equivalent_texts(second, first)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("55 minutes", "65 minutes"),
        ("3.5 metres", "35 metres"),
        ("20:00", "2000"),
        ("Vishwaroopam", "Vishwaroopam II"),
        ("New York", "New York City"),
        ("96 crowns a week", "92 crowns a week each"),
        ("the founder of the school", "the school"),
        ("!", "?"),
    ],
)
def test_similar_texts_with_different_answers_are_not_equivalent(first: str, second: str):
    assert not equivalent_texts(first, second)
    assert not equivalent_texts(second, first)


def test_overlapping_spans_of_one_source_are_equivalent():
    later = Passage("hall.md", 109, 156, TEXT[9:])
    assert equivalent(
        answer(0, 27), answer(0, 4, later)
    )  # "Wray" is at offset 109 of the source in both
    assert not equivalent(answer(0, 13), answer(18, 27))


def test_answer_is_equivalent_to_overlap_with_its_further_spans():
    several = replace(answer(0, 5), also=(answer(20, 30).span,))
    assert equivalent(several, answer(22, 28))
    assert not equivalent(several, answer(40, 45))


def test_yes_is_equivalent_only_to_yes():
    assert equivalent(answer(0, 5, says="yes"), answer(40, 45, says="yes"))
    assert not equivalent(answer(0, 5, says="yes"), answer(0, 5, says="no"))
    assert not equivalent(answer(0, 5, says="yes"), answer(0, 5))
