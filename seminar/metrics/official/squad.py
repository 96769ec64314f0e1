"""SQuAD 1.1 and 2.0 (Rajpurkar et al., 2016 and 2018): exact match and F1 of the best reference."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypedDict

from seminar.metrics.measures.no_answer import (
    NoAnswer,
    average_precisions,
    best_thresholds,
    breakdown,
)
from seminar.metrics.measures.normalisation import tokens
from seminar.metrics.measures.overlap import TurnScore, bag, bag_f1, bag_f1_agreeing
from seminar.metrics.strictness import check_some, check_text, fault


class SquadAnswer(TypedDict):
    """A reference answer in the official file."""

    text: str


class SquadQuestion(TypedDict):
    """A question in the official file."""

    id: str
    answers: list[SquadAnswer]


class SquadParagraph(TypedDict):
    """A paragraph and its questions in the official file."""

    qas: list[SquadQuestion]


class SquadArticle(TypedDict):
    """An article in the official file's `data`."""

    paragraphs: list[SquadParagraph]


def questions_of(articles: Iterable[SquadArticle]) -> Iterator[SquadQuestion]:
    """Every question of the official file's `data`, in order."""
    return (
        question
        for article in articles
        for paragraph in article["paragraphs"]
        for question in paragraph["qas"]
    )


def score_v1_answer(
    prediction: str, references: Sequence[str], *, strict: bool = False
) -> TurnScore:
    """Exact match and F1 of one answer, each against its own best reference (SQuAD 1.1).

    >>> score_v1_answer("the red house", ["a red house", "house"])
    TurnScore(exact=1.0, f1=1.0)
    """
    if not references:
        raise fault(ValueError, "a question without references can't be scored", strict=strict)
    check_text(prediction, "the prediction", strict=strict)
    for reference in references:
        check_text(reference, "a reference", strict=strict)
    predicted, expected = tokens(prediction), [tokens(reference) for reference in references]
    return TurnScore(
        exact=max(float(words == predicted) for words in expected),
        f1=max(bag_f1(bag(predicted), bag(words)) for words in expected),
    )


def score_v2_answer(
    prediction: str, references: Sequence[str], *, strict: bool = False
) -> TurnScore:
    """Exact match and F1 of one answer (SQuAD 2.0); without references only no answer is right.

    References that normalise to nothing don't count; if none is left, the empty answer is gold.
    """
    for reference in references:
        check_text(reference, "a reference", strict=strict)
    check_text(prediction, "the prediction", strict=strict)
    predicted = tokens(prediction)
    expected = [words for words in map(tokens, references) if words] or [[]]
    return TurnScore(
        exact=max(float(words == predicted) for words in expected),
        f1=max(bag_f1_agreeing(bag(predicted), bag(words)) for words in expected),
    )


def score_v1(
    articles: Iterable[SquadArticle], predictions: Mapping[str, str], *, strict: bool = False
) -> dict[str, float]:
    """SQuAD 1.1: `exact_match` and `f1` in percent; a missing prediction is wrong."""
    total, exact, f1 = 0, 0.0, 0.0
    for question in questions_of(articles):
        total += 1
        if question["id"] not in predictions:
            continue
        references = [answer["text"] for answer in question["answers"]]
        score = score_v1_answer(predictions[question["id"]], references, strict=strict)
        exact += score.exact
        f1 += score.f1
    check_some(range(total), "questions", strict=strict)
    return {"exact_match": 100.0 * exact / total, "f1": 100.0 * f1 / total}


def score_v2(
    articles: Iterable[SquadArticle],
    predictions: Mapping[str, str],
    *,
    no_answer: NoAnswer | None = None,
    precision_recall: bool = False,
    strict: bool = False,
) -> dict[str, float]:
    """SQuAD 2.0 in percent, with HasAns_ and NoAns_ parts.

    With no-answer probabilities come the best thresholds too, and, if asked for, the areas under
    the precision-recall curves.
    """
    answerable: dict[str, bool] = {}
    exact: dict[str, float] = {}
    f1: dict[str, float] = {}
    for question in questions_of(articles):
        key = question["id"]
        answerable[key] = bool(question["answers"])
        references = [answer["text"] for answer in question["answers"]]
        if key in predictions:
            score = score_v2_answer(predictions[key], references, strict=strict)
            exact[key], f1[key] = score.exact, score.f1
    thresholded = no_answer or NoAnswer(dict.fromkeys(predictions, 0.0))
    measures = {
        "exact": thresholded.apply(exact, answerable, strict=strict),
        "f1": thresholded.apply(f1, answerable, strict=strict),
    }
    report = breakdown(measures, answerable, strict=strict)
    if no_answer is not None:
        raw = {"exact": exact, "f1": f1}
        report |= best_thresholds(raw, predictions, no_answer.probabilities, answerable)
        if precision_recall:
            report |= average_precisions(raw, no_answer.probabilities, answerable, strict=strict)
    return report
