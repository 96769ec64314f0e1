import math

import pytest

from seminar.errors import ScoringError
from seminar.metrics.official import ambigqa_questions
from seminar.metrics.official.ambigqa import predictions_of, score, set_f1


def single(*aliases: str) -> dict[str, object]:
    return {"type": "singleAnswer", "answer": list(aliases)}


def several(**answers: str) -> dict[str, object]:
    pairs = [{"question": wording, "answer": [answer]} for wording, answer in answers.items()]
    return {"type": "multipleQAs", "qaPairs": pairs}


def ask(key: str, *annotations: dict[str, object]) -> dict[str, object]:
    return {"id": key, "question": "who", "annotations": list(annotations)}


def test_a_prediction_pairs_off_with_one_answer():
    assert set_f1([["x"], ["x", "y"]], ["x"]) == 2 / 3


def test_a_repeated_prediction_costs_precision():
    assert set_f1([["x"]], ["x", "x"]) == 2 / 3


def test_the_best_annotation_counts():
    scores = score([ask("q", single("x"), several(one="y", two="z"))], {"q": ["y", "z"]})
    assert (scores.f1, scores.multiple) == (1.0, (False,))
    assert math.isnan(scores.f1_multiple)


def test_multiple_means_that_nobody_says_single():
    questions = [ask("q", several(one="x", two="y")), ask("r", single("z"))]
    scores = score(questions, {"q": ["x"], "r": ["no"]})
    assert (scores.f1, scores.f1_multiple) == (1 / 3, 2 / 3)


def test_a_missing_or_empty_prediction_is_wrong_or_an_error_if_strict():
    questions = [ask("q", single("x")), ask("r", single("y"))]
    assert score(questions, {"q": ["x"]}).f1 == 0.5
    assert score(questions, {"q": ["x"], "r": []}).f1 == 0.5
    with pytest.raises(Exception, match="no prediction for 'r'"):
        score(questions, {"q": ["x"]}, strict=True)
    with pytest.raises(IndexError, match="'r'"):
        score(questions, {"q": ["x"], "r": []}, strict=True)


def test_lone_strings_become_lists_if_the_first_is_one():
    assert predictions_of({"q": "x", "r": "y"}) == {"q": ["x"], "r": ["y"]}
    assert predictions_of({}) == {}


def test_wrong_shapes_are_named():
    with pytest.raises(ScoringError, match="the predictions for 'q' aren't lists"):
        score([ask("q", single("x"))], {"q": "x"})
    with pytest.raises(ScoringError, match="must all be texts"):
        score([ask("q", single("x"))], {"q": ["x", {"question": "y", "answer": "z"}]})
    with pytest.raises(ScoringError, match="type 'guess'"):
        score([ask("q", {"type": "guess"})], {"q": ["x"]})
    with pytest.raises(ScoringError, match="no questions"):
        score([], {})


def test_questions_are_compared_by_what_they_change_in_the_prompt():
    compared = ambigqa_questions.compare_questions(
        "who won cup 1998", ["who won cup 1998", "who won in 1998"], prompt="who won cup"
    )
    assert compared["edit-f1"] == 1.0
    assert math.isclose(compared["bleu4"], 1.0, abs_tol=1e-8)


def test_readings_are_paired_by_answer_and_scored_by_wording():
    question = {
        "id": "1",
        "question": "When did it end?",
        "annotations": [
            {
                "type": "multipleQAs",
                "qaPairs": [
                    {"question": "When did it end in Japan? | When did it end, Japan?"}
                    | {"answer": ["May"]},
                    {"question": "When did it end in the US?", "answer": ["June"]},
                ],
            }
        ],
    }
    predictions = {"1": [{"question": "When did it end in Japan?", "answer": "May"}]}
    scores = ambigqa_questions.score([question], predictions)
    assert scores.multiple["answer"] == 2 / 3
    assert math.isclose(scores.multiple["bleu4"], 0.6666666663972224, abs_tol=1e-9)
    assert math.isclose(scores.multiple["edit-f1"], 2 / 3, abs_tol=1e-9)


def test_a_single_answer_lends_its_f1_to_every_question_metric():
    scores = ambigqa_questions.score(
        [ask("q", single("Ann"))], {"q": [{"question": "who sings", "answer": "ann"}]}
    )
    assert set(scores.all.values()) == {1.0}
    assert all(math.isnan(value) for value in scores.multiple.values())
