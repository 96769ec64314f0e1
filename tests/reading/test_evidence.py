import math

import pytest

from seminar.reading.evidence import coverage, inverse_document_frequencies, kind_agreement


def test_term_of_every_text_has_lowest_idf():
    idf = inverse_document_frequencies([{"ferry", "fares"}, {"ferry", "ticket"}, {"ferry"}])
    assert idf["ferry"] == pytest.approx(math.log(2))
    assert idf["fares"] == pytest.approx(math.log(4))


def test_coverage_is_weighted_share_of_question_terms():
    idf = {"ferry": 1.0, "fare": 3.0}
    assert coverage({"ferry", "fare"}, {"fare", "boat"}, idf) == pytest.approx(0.75)
    assert coverage({"ferry", "fare"}, set(), idf) == 0.0
    assert coverage(set(), {"fare"}, idf) == 0.0


def test_term_of_no_text_weighs_as_much_as_rarest():
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
def test_kind_agreement_of_question_and_sentence(question: str, sentence: str, agreement: float):
    assert kind_agreement(question, sentence) == agreement
