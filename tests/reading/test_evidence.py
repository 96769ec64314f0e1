import math

import pytest

from seminar.reading.evidence import coverage, kind_agreement, rarities


def test_a_term_that_every_text_has_tells_little():
    rarity = rarities([{"ferry", "fares"}, {"ferry", "ticket"}, {"ferry"}])
    assert rarity["ferry"] == pytest.approx(math.log(2))
    assert rarity["fares"] == pytest.approx(math.log(4))


def test_coverage_is_the_weighted_share_of_the_questions_terms():
    rarity = {"ferry": 1.0, "fare": 3.0}
    assert coverage({"ferry", "fare"}, {"fare", "boat"}, rarity) == pytest.approx(0.75)
    assert coverage({"ferry", "fare"}, set(), rarity) == 0.0
    assert coverage(set(), {"fare"}, rarity) == 0.0


def test_a_term_that_no_text_has_weighs_as_much_as_the_rarest():
    assert coverage({"ferry", "submarine"}, {"ferry"}, {"ferry": 1.0, "fare": 3.0}) == 0.25


@pytest.mark.parametrize(
    ("question", "sentence", "agreement"),
    [
        ("When did it open?", "It opened in May.", 1.0),
        ("What year did it open?", "It opened late.", -1.0),
        ("How many beds are there?", "There are forty beds.", 1.0),
        ("How deep is it?", "It is very deep.", -1.0),
        ("Who runs it?", "Its head is Ines Calloway.", 1.0),
        ("Who runs it?", "It runs by itself.", -1.0),
        ("Why did it close?", "It closed in 1934.", 0.0),
    ],
)
def test_the_kind_of_thing_asked_for(question: str, sentence: str, agreement: float):
    assert kind_agreement(question, sentence) == agreement
