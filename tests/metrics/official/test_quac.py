import math
from collections.abc import Iterator

import pytest

from seminar.errors import ScoringError
from seminar.metrics.official.quac import (
    CANNOT_ANSWER,
    QuacDialog,
    QuacPrediction,
    answer_f1,
    human_f1,
    overlap_label,
    predictions_of,
    resolve_cannot_answer,
    score,
    score_dialogs,
)


def dialog(key: str, *questions: list[str]) -> QuacDialog:
    qas = [
        {
            "id": f"{key}_q#{place}",
            "answers": [{"text": text} for text in references],
            "yesno": "y",
            "followup": "m",
        }
        for place, references in enumerate(questions)
    ]
    return {"id": key, "context": "", "qas": qas}


def say(key: str, *texts: str, yesno: str = "y") -> dict[str, QuacPrediction]:
    return {f"{key}_q#{i}": QuacPrediction(text, yesno, "m") for i, text in enumerate(texts)}


def test_a_tie_says_that_there_is_no_answer():
    assert resolve_cannot_answer([CANNOT_ANSWER, "x", CANNOT_ANSWER, "y"]) == [CANNOT_ANSWER]
    assert resolve_cannot_answer([CANNOT_ANSWER, "x", "y"]) == ["x", "y"]
    assert resolve_cannot_answer([]) == [CANNOT_ANSWER]


def test_people_agree_by_their_nearest_other():
    assert human_f1(["p q", "p q", "r"]) == 2 / 3
    assert human_f1(["p"]) == 1.0


def test_no_answer_is_right_or_wrong_to_the_letter():
    assert answer_f1(CANNOT_ANSWER, [CANNOT_ANSWER]) == 1.0
    assert answer_f1("cannotanswer", [CANNOT_ANSWER]) == 0.0


@pytest.mark.parametrize(
    ("prediction", "reference", "label"),
    [
        ("cat sat", "sat on", "Partial overlap"),
        ("the cat", "cat.", "Span indexing error"),
        ("cat sat", "cat  sat", "Span indexing error"),
        ("The cat", "cat", "Exact match"),
        ("The", " cat", "Partial overlap"),  # they only touch
        ("The", "cat", "No overlap"),
        ("The", CANNOT_ANSWER, "No overlap"),
    ],
)
def test_overlap_goes_by_places_in_the_context(prediction: str, reference: str, label: str):
    assert overlap_label(prediction, [reference], "The cat sat on a mat") == label


def test_a_disputed_question_counts_unfiltered_only_and_breaks_no_dialog():
    scores = score_dialogs([(dialog("D", ["p"], ["q", "r"]), say("D", "p", "wrong"))])
    assert (scores.unfiltered_f1, scores.f1, scores.heq, scores.dheq) == (50.0, 100.0, 100.0, 100.0)


def test_a_missing_answer_to_a_disputed_question_counts():
    scores = score_dialogs([(dialog("D", ["p"], ["q", "r"]), say("D", "p"))])
    assert (scores.f1, scores.heq_total, scores.dheq) == (50.0, 2, 0.0)
    assert scores.human_f1 == 100.0


def test_dialog_acts_are_compared_by_letter():
    scores = score_dialogs([(dialog("D", ["p"]), say("D", "p", yesno="n"))])
    assert (scores.yesno, scores.followup) == (0.0, 100.0)


def test_without_unanswerable_questions_their_accuracy_is_not_a_number():
    pair = (dialog("D", ["p"]), say("D", "p"))
    assert math.isnan(score_dialogs([pair]).unanswerable_accuracy)
    with pytest.raises(ZeroDivisionError):
        score_dialogs([pair], strict=True)


def test_lines_belong_to_the_dialog_of_their_first_question():
    lines = [
        {
            "qid": ["D_1_q#0", "D_2_q#0"],
            "best_span_str": ["p", "q", "more"],
            "yesno": ["y", "n"],
            "followup": ["m", "m"],
        },
        {"qid": ["D_1_q#0"], "best_span_str": ["again"], "yesno": ["x"], "followup": ["n"]},
    ]
    assert predictions_of(lines) == {
        "D_1": {
            "D_1_q#0": QuacPrediction("again", "x", "n"),
            "D_2_q#0": QuacPrediction("q", "n", "m"),
        }
    }


def test_a_file_is_scored_by_dialog_and_unknown_dialogs_are_ignored():
    article = {"paragraphs": [dialog("D", ["p"])]}
    scores = score([article], {"D": say("D", "p"), "E": say("E", "z")})
    assert (scores.f1, scores.dheq_total) == (100.0, 1)


def test_dialogs_are_taken_one_at_a_time():
    alive = 0

    def dialogs() -> Iterator[tuple[QuacDialog, dict[str, QuacPrediction]]]:
        nonlocal alive
        for number in range(3):
            alive += 1
            yield dialog(f"D{number}", ["p"]), say(f"D{number}", "p")
            alive -= 1

    assert score_dialogs(dialogs()).dheq_total == 3
    assert alive == 0


def test_nothing_to_score_is_an_error():
    with pytest.raises(ScoringError, match="no questions to score"):
        score_dialogs([])


def test_an_answer_that_is_no_text_is_named():
    with pytest.raises(ScoringError, match="the answer to 'D_q#0' is None"):
        score_dialogs([(dialog("D", ["p"]), say("D", None))])
