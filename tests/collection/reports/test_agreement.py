import pytest

from seminar.collection.records import Annotation, WrittenQuestion
from seminar.collection.reports.agreement import agreement
from tests.collection.small_studies import (
    NOON,
    pragmaticqa_study,
    qaconv_study,
    quac_study,
    topiocqa_study,
)


def values(records) -> dict[str, tuple[float | None, int]]:
    return {one.name: (one.value, one.turns) for one in agreement(records)}


def test_quac():
    found = values(quac_study())
    # "born in oslo", "oslo", "born in oslo"; two of five say no answer, which is outvoted.
    # Best F1 of each with another: 1, 0.5 (1 · 1/3), 1.
    assert found["leave-one-out F1"] == (pytest.approx(100 * 2.5 / 3), 1)
    # one question, five raters: 4 "neither", 1 "yes": P = 12/20; Pe = 16/25 + 1/25
    assert found["yes or no: kappa"] == (pytest.approx((0.6 - 0.68) / (1 - 0.68)), 1)
    # 4 "follow up", 1 "maybe"
    assert found["follow up: kappa"] == (pytest.approx(-0.25), 1)
    # 3 answer, 2 don't: P = (6 + 2)/20; Pe = 9/25 + 4/25
    assert found["answerable: kappa"] == (pytest.approx((0.4 - 0.52) / 0.48), 1)


def test_topiocqa():
    # "By the sea" and "At the sea", without the article: one of two words each
    assert values(topiocqa_study()) == {
        "leave-one-out F1": (pytest.approx(50), 1),
        "answerable: kappa": (None, 1),
    }


def test_qaconv_counts_answers_not_verdicts():
    def annotation(answer: str, option: str = "") -> Annotation:
        written = WrittenQuestion("?", (answer,))
        return Annotation("w1", 1, answer, "v", NOON, written, option)

    records = qaconv_study(annotation("on 14 April"), annotation("the city", "D"))
    assert values(records)["FZ-R"] == (84, 1)
    assert values(qaconv_study())["FZ-R"] == (None, 0)


def test_pragmaticqa_has_one_answer_to_each_question():
    assert agreement(pragmaticqa_study()) == ()
