import math

import pytest

from seminar.errors import ScoringError
from seminar.metrics.measures.no_answer import NoAnswer
from seminar.metrics.official.squad import (
    SquadArticle,
    score_v1,
    score_v1_answer,
    score_v2,
    score_v2_answer,
)


def articles(**answers: list[str]) -> list[SquadArticle]:
    questions = [
        {"id": key, "answers": [{"text": text} for text in texts]} for key, texts in answers.items()
    ]
    return [{"paragraphs": [{"qas": questions}]}]


def test_exact_match_and_f1_may_come_from_different_references():
    one = score_v1_answer("red big house", ["house red", "red big house!"])
    assert (one.exact, one.f1) == (1.0, 1.0)


def test_version_one_counts_a_missing_prediction_as_wrong():
    scores = score_v1(articles(q1=["x"], q2=["y"]), {"q1": "x"})
    assert scores == {"exact_match": 50.0, "f1": 50.0}


def test_version_two_counts_a_missing_prediction_as_wrong():
    scores = score_v2(articles(q1=["x"], q2=[]), {"q1": "x"})
    assert (scores["exact"], scores["total"], scores["NoAns_exact"]) == (50.0, 2, 0.0)


def test_strict_version_two_stops_at_a_missing_prediction():
    with pytest.raises(KeyError, match="q2"):
        score_v2(articles(q1=["x"], q2=[]), {"q1": "x"}, strict=True)


def test_a_reference_of_articles_only_wants_an_empty_answer():
    assert score_v2_answer("", ["the"]).exact == 1.0
    assert score_v2_answer("the", ["the"]).exact == 1.0
    assert score_v2_answer("x", ["the"]).f1 == 0.0


def test_a_probability_on_the_threshold_keeps_the_answer():
    data = articles(q1=["x"], q2=[])
    kept = score_v2(data, {"q1": "x", "q2": "y"}, no_answer=NoAnswer({"q1": 0.5, "q2": 0.6}, 0.5))
    assert (kept["HasAns_exact"], kept["NoAns_exact"]) == (100.0, 100.0)
    assert (kept["best_exact"], kept["best_exact_thresh"]) == (100.0, 0.5)


def test_precision_and_recall_pass_over_unknown_questions_unless_strict():
    no_answer = NoAnswer({"q1": 0.1, "elsewhere": 0.2})
    given = {"no_answer": no_answer, "precision_recall": True}
    scores = score_v2(articles(q1=["x"]), {"q1": "x"}, **given)
    assert math.isclose(scores["pr_exact_ap"], 100.0)
    with pytest.raises(KeyError, match="elsewhere"):
        score_v2(articles(q1=["x"]), {"q1": "x"}, **given, strict=True)


def test_a_missing_probability_is_named():
    with pytest.raises(ScoringError, match="no no-answer probability for 'q1'"):
        score_v2(articles(q1=["x"]), {"q1": "x"}, no_answer=NoAnswer({}))


@pytest.mark.parametrize("score", [score_v1, score_v2])
def test_nothing_to_score_is_an_error(score):
    with pytest.raises(ScoringError, match="no questions to score"):
        score([], {})
    with pytest.raises(ZeroDivisionError):
        score([], {}, strict=True)


def test_without_predictions_no_threshold_is_best():
    scores = score_v2(articles(q1=["x"]), {}, no_answer=NoAnswer({}))
    assert scores["exact"] == 0.0
    assert math.isnan(scores["best_exact"])
