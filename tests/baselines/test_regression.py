import math

import numpy as np
import pytest

from seminar.baselines.features import NAMES, candidate_features, matches, ngrams
from seminar.baselines.regression import SentenceRegression
from seminar.errors import DatasetError
from seminar.examples import Example


def test_ngrams_drop_articles_and_punctuation():
    assert ngrams("The red, red house") == (
        frozenset({("red",), ("house",)}),
        frozenset({("red", "red"), ("red", "house")}),
        frozenset({("red", "red", "house")}),
    )


def test_matches_are_shares_both_ways():
    # Two of three words, one of two pairs; the sentence has four words, three pairs, two triples.
    question, sentence = ngrams("who built lighthouse"), ngrams("Holt built lighthouse first")
    assert matches(question, sentence) == [2 / 3, 2 / 4, 1 / 2, 1 / 3, 0.0, 0.0]


def column(table: np.ndarray, name: str) -> list[float]:
    return table[:, NAMES.index(name)].tolist()


def test_features_of_the_second_turn(dialog: list[Example]):
    table = candidate_features(dialog[1])
    assert table.shape == (4, len(NAMES))
    assert column(table, "position") == [0.0, 1 / 3, 2 / 3, 0.0]
    assert column(table, "first sentence") == [1.0, 0.0, 0.0, 0.0]
    assert column(table, "length") == [math.log(8), math.log(7), math.log(7), 0.0]
    assert column(table, "same sentence as the last answer") == [1.0, 0.0, 0.0, 0.0]
    assert column(table, "next sentence after the last answer") == [0.0, 1.0, 0.0, 0.0]
    assert column(table, "distance from the last answer") == [0.0, 1 / 3, 2 / 3, 0.0]
    assert column(table, "said before") == [1.0, 0.0, 0.0, 0.0]
    assert column(table, "position, by turn") == [0.0, 2 / 36, 4 / 36, 0.0]
    # "What did she burn" shares one word of four with "She lit it with whale oil".
    assert column(table, "question: 1-grams of the question in the sentence") == [0, 0.25, 0, 0]
    assert column(table, "no answer") == [0.0, 0.0, 0.0, 1.0]
    assert column(table, "no answer, by turn") == [0.0, 0.0, 0.0, 2 / 12]
    assert column(table, "no answer, by the best match of a sentence") == [0.0, 0.0, 0.0, 0.25]


def test_a_first_turn_has_no_history(dialog: list[Example]):
    table = candidate_features(dialog[0])
    assert column(table, "same sentence as the last answer") == [0.0, 0.0, 0.0, 0.0]
    assert column(table, "no answer, after no answer") == [0.0, 0.0, 0.0, 0.0]


def test_learns_to_take_the_matching_sentence(dialog: list[Example]):
    regression = SentenceRegression.fit(dialog, penalty=0.01)
    assert [one.text for one in regression.predict(dialog)] == [
        "Mira Holt built the lighthouse in 1871.",
        "She lit it with whale oil.",
        "CANNOTANSWER",
    ]
    assert list(regression.explain()) == list(NAMES)
    assert regression.explain()["no answer, by turn"] > 0


def test_nothing_to_fit():
    with pytest.raises(DatasetError, match="no examples to fit"):
        SentenceRegression.fit([])
