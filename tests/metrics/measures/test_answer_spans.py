import random

import pytest

from seminar.metrics.measures.answer_spans import ScoredSpan, answer_spans, best_span
from seminar.metrics.measures.normalisation import tokens
from seminar.metrics.measures.overlap import f1_agreeing

LAMP = "The lamp was lit in June of 1871. In May, June 1871 was far away."


def test_of_equal_spans_the_first_and_shortest_is_taken():
    # "June of 1871" shares two of its three words: 2 * 2 / (3 + 2).
    assert best_span("It was lit in June of 1871.", "June 1871") == ScoredSpan(14, 26, 0.8)
    # "June 1871" is better and stands later.
    assert best_span(LAMP, "June 1871") == ScoredSpan(42, 51, 1.0)


def test_articles_and_case_count_for_nothing():
    span = best_span("She saw the Red, a house, and left.", "the red house")
    assert span == ScoredSpan(12, 24, 1.0)


def test_a_longer_span_wins_where_the_gap_costs_less_than_what_it_gains():
    text = "Anatolia fell first, then Bosnia in the west"
    # "Anatolia" alone: 2 / 3. With Bosnia: 2 * 2 / (5 + 2), less.
    assert best_span(text, "Anatolia Bosnia") == ScoredSpan(0, 8, pytest.approx(2 / 3))
    # Three wanted words over five: 2 * 3 / (5 + 3) = 0.75 beats every shorter one.
    assert best_span(text, "anatolia first bosnia") == ScoredSpan(0, 32, 0.75)


def test_repeated_words_count_as_often_as_the_answer_has_them():
    assert best_span("no no no", "no no") == ScoredSpan(0, 5, 1.0)


def test_an_answer_that_shares_nothing_has_no_span():
    assert best_span("Porphyry and marble", "UNANSWERABLE") is None
    assert best_span("", "anything") is None
    assert best_span("Porphyry", "the") is None


def test_punctuation_stays_where_the_answer_has_it():
    text = "He moved (to Washington, D.C.), in 1901."
    start, end = 13, 29
    assert text[start:end] == "Washington, D.C."
    assert best_span(text, "Washington D.C.") == ScoredSpan(start, end, 1.0)
    assert best_span(text, "the year 1901") == ScoredSpan(35, 39, pytest.approx(2 / 3))


def every_span(passage: str, answer: str) -> float:
    """The highest F1 of all spans of whole words, by trying each."""
    words = passage.split()
    spans = (
        " ".join(words[first:last])
        for first in range(len(words))
        for last in range(first + 1, len(words) + 1)
    )
    return max(f1_agreeing(span, answer) for span in spans)


def test_the_search_finds_what_trying_every_span_finds():
    draw = random.Random(7)
    words = ["a", "the", "red", "house,", "Red", "on", "hill-top", "—", "house", "(old)"]
    for _ in range(300):
        passage = " ".join(draw.choices(words, k=draw.randint(1, 14)))
        answer = " ".join(draw.choices(words, k=draw.randint(1, 5)))
        found = best_span(passage, answer)
        if not tokens(answer) or every_span(passage, answer) == 0:
            assert found is None
            continue
        assert found is not None
        assert found.f1 == pytest.approx(every_span(passage, answer))
        assert f1_agreeing(passage[found.start : found.end], answer) == pytest.approx(found.f1)


def test_every_occurrence_of_a_literal_answer_is_a_span():
    text = "Ankara is the capital. Ankara's castle is old; ankarans know."
    assert answer_spans(text, ("Ankara",)) == [ScoredSpan(0, 6, 1.0), ScoredSpan(23, 29, 1.0)]
    assert answer_spans(text, ("Ankara",), most=1) == [ScoredSpan(0, 6, 1.0)]


def test_a_free_form_answer_has_its_best_span():
    text = "Its largest cities are Istanbul and Ankara."
    [span] = answer_spans(text, ("Yes, Istanbul and also Ankara",))
    assert text[span.start : span.end] == "Istanbul and Ankara"
    assert answer_spans(text, ("1453",)) == []
    assert answer_spans(text, ()) == []
