"""How likely somebody is to have said it, by the weights that come with Seminar."""

from seminar.reading.voices import FEATURES, chance, shipped_weights


def test_the_shipped_weights_weigh_exactly_the_evidence():
    assert tuple(shipped_weights()) == FEATURES


def test_a_sentence_that_says_what_is_asked_is_likely_and_one_that_shares_nothing_is_not():
    says_it = dict.fromkeys(FEATURES, 1.0) | {"lead": 0.5}
    shares_nothing = dict.fromkeys(FEATURES, 0.0) | {"bias": 1.0}
    assert chance(tuple(says_it.values())) > 0.9
    assert chance(tuple(shares_nothing.values())) < 0.01
