from dataclasses import replace

import pytest

from seminar.reading.equivalence import same, same_answer
from seminar.types import Affirmation, Answer, Passage, Span

TEXT = "Augustus Wray, an architect, drew it. Wray never saw it."
PASSAGE = Passage("hall.md", 100, 100 + len(TEXT), TEXT)


def answer(start: int, end: int, passage: Passage = PASSAGE, says: Affirmation = "neither"):
    return Answer(Span(passage, start, end), 0.5, says)


@pytest.mark.parametrize(
    ("one", "other"),
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
def test_one_answer_in_two_spellings(one: str, other: str):
    assert same_answer(one, other)
    assert same_answer(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
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
def test_two_answers_that_look_alike(one: str, other: str):
    assert not same_answer(one, other)
    assert not same_answer(other, one)


def test_overlapping_words_of_one_source_are_one_answer():
    later = Passage("hall.md", 109, 156, TEXT[9:])
    assert same(answer(0, 27), answer(0, 4, later))  # "Wray", which stands at 109 in both
    assert not same(answer(0, 13), answer(18, 27))


def test_a_statement_that_was_told_along_with_another_answer_is_told():
    told = replace(answer(0, 5), also=(answer(20, 30).span,))
    assert same(told, answer(22, 28))
    assert not same(told, answer(40, 45))


def test_a_yes_is_only_ever_the_same_as_a_yes():
    assert same(answer(0, 5, says="yes"), answer(40, 45, says="yes"))
    assert not same(answer(0, 5, says="yes"), answer(0, 5, says="no"))
    assert not same(answer(0, 5, says="yes"), answer(0, 5))
