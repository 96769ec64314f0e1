"""QAConv (Wu et al., 2022): EM, F1 and FZ-R with number aliases; recall of the gold segment."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

from seminar.metrics.measures.fuzzy import fuzzy_ratio
from seminar.metrics.measures.no_answer import NoAnswer, best_thresholds, breakdown
from seminar.metrics.measures.normalisation import normalise, tokens
from seminar.metrics.measures.numbers import number_aliases
from seminar.metrics.measures.overlap import bag, bag_f1_agreeing
from seminar.metrics.strictness import check_text, fault, name_some

UNANSWERABLE = "unanswerable"
CUTOFFS = (1, 3, 5, 10)


class QaconvQuestion(TypedDict):
    """A question of the official file; no answers where it can't be answered."""

    id: str
    answers: list[str]
    article_segment_id: str


@dataclass(frozen=True, slots=True)
class QaconvScore:
    """Exact match and F1 out of 1, FZ-R out of 100, each against its own best gold answer."""

    exact: float
    f1: float
    fzr: float


def gold_answers(answers: Sequence[str], *, strict: bool = False) -> list[str]:
    """The answers that aren't empty, their number aliases, or the word 'unanswerable'.

    >>> gold_answers(["2", "the"]), gold_answers([])
    (['2', 'two'], ['unanswerable'])
    """
    for answer in answers:
        check_text(answer, "a reference", strict=strict)
    usable = [answer for answer in answers if tokens(answer)]
    return [*usable, *number_aliases(usable, strict=strict)] or [UNANSWERABLE]


def score_answer(
    prediction: str, gold: Sequence[str], *, backend: str = "difflib", strict: bool = False
) -> QaconvScore:
    """The scores of one prediction against the gold answers; the prediction gets no aliases."""
    check_text(prediction, "the prediction", strict=strict)
    predicted = tokens(prediction)
    expected = [tokens(answer) for answer in gold]
    return QaconvScore(
        exact=max(float(words == predicted) for words in expected),
        f1=max(bag_f1_agreeing(bag(predicted), bag(words)) for words in expected),
        fzr=max(fuzzy_ratio(prediction, answer, backend=backend) for answer in gold),
    )


def score(
    questions: Iterable[QaconvQuestion],
    predictions: Mapping[str, str],
    *,
    backend: str = "difflib",
    no_answer: NoAnswer | None = None,
    strict: bool = False,
) -> dict[str, float]:
    """EM, F1 and FZ-R, also by answerability, and binary F1 of 'unanswerable', all out of 100.

    Above the no-answer threshold FZ-R becomes 1 where it should be 100: the official program's
    slip, kept so that the numbers compare.
    """
    answerable: dict[str, bool] = {}
    scores: dict[str, QaconvScore] = {}
    labels: list[tuple[bool, bool]] = []
    for question in questions:
        key = question["id"]
        answerable[key] = bool(question["answers"])
        gold = gold_answers(question["answers"], strict=strict)
        if key in predictions:
            scores[key] = score_answer(predictions[key], gold, backend=backend, strict=strict)
        if key in predictions or not strict:
            predicted = normalise(predictions.get(key, "")) == UNANSWERABLE
            labels.append((UNANSWERABLE in map(normalise, gold), predicted))
    if not labels:
        raise fault(ValueError, "no questions to score", strict=strict)
    raw = {
        "exact": {key: score.exact for key, score in scores.items()},
        "f1": {key: score.f1 for key, score in scores.items()},
    }
    fzr = {key: score.fzr for key, score in scores.items()}
    thresholded = no_answer or NoAnswer(dict.fromkeys(predictions, 0.0))
    measures = {
        name: thresholded.apply(values, answerable, strict=strict)
        for name, values in {**raw, "fzr": fzr}.items()
    }
    report = breakdown(measures, answerable, strict=strict)
    if not all(answerable.values()):
        report["unans_bin_f1"] = 100 * binary_f1(labels)
    if no_answer is not None:
        report |= best_thresholds(raw, predictions, no_answer.probabilities, answerable)
    return report


def binary_f1(labels: Iterable[tuple[bool, bool]]) -> float:
    """F1 of the positive class over (gold, predicted) labels; 0 where it is undefined."""
    both = either = 0
    for gold, predicted in labels:
        both += gold and predicted
        either += gold + predicted
    return 2 * both / either if either else 0.0


def score_recall(
    questions: Iterable[QaconvQuestion],
    rankings: Mapping[str, Mapping[str, float]],
    *,
    count_misses: bool = False,
    strict: bool = False,
) -> dict[str, float]:
    """Recall@k, 0 to 1, of the gold segment among the segments scored for a question.

    Officially a question whose gold segment isn't in its ranking is left out; `count_misses` holds
    it for a miss, which is the fair value when one retrieves from all segments.
    """
    places: list[float] = []
    for question in questions:
        if question["id"] not in rankings and strict:
            raise KeyError(f"no ranking for {name_some([question['id']])}")
        place = _place(question["article_segment_id"], rankings.get(question["id"], {}))
        if place is not None or count_misses:
            places.append(place or math.inf)
    if not places:
        return {f"Recall@{k}": math.nan for k in CUTOFFS}
    return {f"Recall@{k}": sum(place <= k for place in places) / len(places) for k in CUTOFFS}


def _place(segment: str, scores: Mapping[str, float]) -> int | None:
    """The 1-based place of a segment by falling score; of equal ones the last comes first."""
    if segment not in scores:
        return None
    ranking = sorted(scores, key=scores.__getitem__)
    return len(ranking) - ranking.index(segment)
