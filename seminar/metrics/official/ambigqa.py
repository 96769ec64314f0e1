"""AmbigQA (Min et al., 2020): F1 of a set of answers, the best annotation counting."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NotRequired, TypedDict

from seminar.metrics.measures.normalisation import normalise
from seminar.metrics.strictness import check_text, fault, name_some

SINGLE, MULTIPLE = "singleAnswer", "multipleQAs"


class AmbigqaPair(TypedDict):
    """One reading of an ambiguous question, and the aliases of its answer."""

    question: str
    answer: list[str]


class AmbigqaAnnotation(TypedDict):
    """One annotation: the aliases of a single answer, or several pairs."""

    type: str
    answer: NotRequired[list[str]]
    qaPairs: NotRequired[list[AmbigqaPair]]


class AmbigqaQuestion(TypedDict):
    """A question of the official file."""

    id: str
    question: str
    annotations: list[AmbigqaAnnotation]


@dataclass(frozen=True, slots=True)
class AmbigqaScores:
    """F1 of the answers, 0 to 1: all questions, those with several answers, and one by one."""

    f1: float
    f1_multiple: float
    by_question: tuple[float, ...]
    multiple: tuple[bool, ...]


def matches(aliases: Sequence[str], prediction: str, *, strict: bool = False) -> bool:
    """Whether a prediction is one of the aliases of an answer, once normalised."""
    check_text(prediction, "the prediction", strict=strict)
    predicted = normalise(prediction)
    for alias in aliases:
        check_text(alias, "a reference", strict=strict)
        if normalise(alias) == predicted:
            return True
    return False


def set_f1(
    answers: Sequence[Sequence[str]], predictions: Sequence[str], *, strict: bool = False
) -> float:
    """F1 of predictions against answers, each answer a list of aliases, paired off greedily.

    The pairing goes by order and isn't always the largest, as in the official program. Nothing
    predicted is 0; strict, it stops the program.

    >>> set_f1([["x", "y"], ["x"]], ["x", "y"]), set_f1([["x"], ["x", "y"]], ["x", "y"])
    (0.5, 1.0)
    """
    if not answers or (strict and not predictions):
        message = f"{len(answers)} answers and {len(predictions)} predictions can't be compared"
        raise fault(AssertionError, message, strict=strict)
    free = list(range(len(predictions)))
    for aliases in answers:
        for place in free:
            if matches(aliases, predictions[place], strict=strict):
                free.remove(place)
                break
    paired = len(predictions) - len(free)
    if not paired:
        return 0.0
    recall, precision = paired / len(answers), paired / len(predictions)
    return 2 * recall * precision / (recall + precision)


def is_multiple(question: AmbigqaQuestion) -> bool:
    """Whether every annotator gives several answers."""
    return all(annotation["type"] != SINGLE for annotation in question["annotations"])


def answers_of(annotation: AmbigqaAnnotation) -> list[list[str]]:
    """The answers of an annotation, each a list of aliases."""
    if annotation["type"] == SINGLE:
        return [annotation["answer"]]
    return [pair["answer"] for pair in annotation["qaPairs"]]


def annotations_of(question: AmbigqaQuestion, *, strict: bool = False) -> list[AmbigqaAnnotation]:
    """The annotations of a question, which must have at least one."""
    if not question["annotations"]:
        message = f"question '{question['id']}' has no annotations"
        raise fault(AssertionError, message, strict=strict)
    return question["annotations"]


def score(
    questions: Sequence[AmbigqaQuestion],
    predictions: Mapping[str, Sequence[str]],
    *,
    strict: bool = False,
) -> AmbigqaScores:
    """F1 of the answers of every question; a question without a prediction gets 0."""
    check_annotations(questions, strict=strict)
    check_predictions(questions, predictions, strict=strict)

    def score_one(question: AmbigqaQuestion) -> float:
        predicted = predictions.get(question["id"], ())
        annotations = annotations_of(question, strict=strict)
        return max(
            set_f1(answers_of(annotation), predicted, strict=strict) for annotation in annotations
        )

    values = [score_one(question) for question in questions]
    multiple = [is_multiple(question) for question in questions]
    several = [value for value, many in zip(values, multiple, strict=True) if many]
    return AmbigqaScores(
        f1=sum(values) / len(values),
        f1_multiple=sum(several) / len(several) if several else math.nan,
        by_question=tuple(values),
        multiple=tuple(multiple),
    )


def predictions_of(file: Mapping[str, Any]) -> dict[str, Any]:
    """The predictions of a file: where the first is a lone string, each becomes a list of one."""
    lone = isinstance(next(iter(file.values()), None), str)
    return {key: [value] if lone else value for key, value in file.items()}


def check_annotations(questions: Sequence[AmbigqaQuestion], *, strict: bool = False) -> None:
    """Stop at questions that the official program won't read."""
    if not questions:
        raise fault(IndexError, "no questions to score", strict=strict)
    for place, question in enumerate(questions):
        lacking = [name for name in ("id", "question", "annotations") if name not in question]
        if lacking:
            raise fault(Exception, f"question {place} has no '{lacking[0]}'", strict=strict)
        for annotation in question["annotations"]:
            if annotation["type"] not in (SINGLE, MULTIPLE):
                message = (
                    f"question '{question['id']}' has an annotation of type "
                    f"'{annotation['type']}' (expected '{SINGLE}' or '{MULTIPLE}')"
                )
                raise fault(Exception, message, strict=strict)


def check_predictions(
    questions: Sequence[AmbigqaQuestion],
    predictions: Mapping[str, Sequence[object]],
    *,
    strict: bool = False,
) -> None:
    """Stop at predictions that aren't all lists of texts, or all lists of pairs."""
    missing = [question["id"] for question in questions if question["id"] not in predictions]
    if strict and not predictions:
        raise IndexError("no predictions")
    if strict and missing:
        raise Exception(f"no prediction for {name_some(missing)}")
    wrong = [
        key for key, predicted in predictions.items() if not isinstance(predicted, list | tuple)
    ]
    if wrong:
        message = f"the predictions for {name_some(wrong)} aren't lists"
        raise fault(Exception, message, strict=strict)
    kinds = {_kind(value) for predicted in predictions.values() for value in predicted}
    if kinds - {str} and kinds - {dict}:
        message = "predictions must all be texts, or all {'question': text, 'answer': text}"
        raise fault(Exception, message, strict=strict)
    empty = [question["id"] for question in questions if not predictions.get(question["id"])]
    if strict and empty:
        raise IndexError(f"the list of predictions for {name_some(empty)} is empty")


def _kind(prediction: object) -> type:
    """str for a text, dict for a well-formed pair, object for anything else."""
    if isinstance(prediction, str):
        return str
    if isinstance(prediction, dict):
        pair = (prediction.get("question"), prediction.get("answer"))
        return dict if all(isinstance(part, str) for part in pair) else object
    return object
