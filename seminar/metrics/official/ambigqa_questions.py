"""AmbigQA's question generation: BLEU and edit-F1 of disambiguated questions."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

from seminar.metrics.extras import require
from seminar.metrics.measures.normalisation import normalise
from seminar.metrics.official.ambigqa import (
    SINGLE,
    AmbigqaAnnotation,
    AmbigqaPair,
    AmbigqaQuestion,
    annotations_of,
    answers_of,
    check_annotations,
    check_predictions,
    is_multiple,
    matches,
    set_f1,
)

ORDERS = 4
METRICS = (*(f"bleu{n}" for n in range(1, ORDERS + 1)), "edit-f1")
_TINY, _SMALL = 1e-15, 1e-9  # the official program's guards against division by zero

Tokenise = Callable[[str], str]


class AmbigqaPrediction(TypedDict):
    """A predicted reading and its answer."""

    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class QuestionScores:
    """By metric ('answer', 'bleu1' to 'bleu4', 'edit-f1'), 0 to 1: means, and one by one."""

    all: dict[str, float]
    multiple: dict[str, float]
    by_question: tuple[dict[str, float], ...]


def compare_questions(
    generated: str, references: Sequence[str], *, prompt: str
) -> dict[str, float]:
    """BLEU-1 to 4 and edit-F1 of a tokenised question against tokenised references."""
    expected = [edits(prompt, reference) for reference in references]
    return {
        **dict(zip(METRICS, sentence_bleus(generated, references), strict=False)),
        "edit-f1": max(edit_f1(edits(prompt, generated), other) for other in expected),
    }


def sentence_bleus(generated: str, references: Sequence[str]) -> list[float]:
    """BLEU-1 to 4 of one sentence, the reference nearest in length setting the brevity penalty."""
    predicted, expected = generated.split(), [reference.split() for reference in references]
    nearest = min((abs(len(words) - len(predicted)), len(words)) for words in expected)[1]
    ratio = (len(predicted) + _TINY) / (nearest + _SMALL)
    brevity = math.exp(1 - 1 / ratio) if ratio < 1 else 1.0
    product, bleus = 1.0, []
    for n in range(1, ORDERS + 1):
        most: Counter[tuple[str, ...]] = Counter()
        for words in expected:
            most |= _ngrams(words, n)
        correct = (_ngrams(predicted, n) & most).total()
        product *= (correct + _TINY) / (max(0, len(predicted) - n + 1) + _SMALL)
        bleus.append(product ** (1 / n) * brevity)
    return bleus


def _ngrams(words: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    """How often each run of n words occurs."""
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def edits(prompt: str, question: str) -> Counter[tuple[str, str]]:
    """The words that turn a prompt into a question: taken away and put in."""
    before, after = Counter(prompt.split(" ")), Counter(question.split(" "))
    taken = {("-", word): count for word, count in (before - after).items()}
    put = {("+", word): count for word, count in (after - before).items()}
    return Counter(taken | put)


def edit_f1(predicted: Counter[tuple[str, str]], expected: Counter[tuple[str, str]]) -> float:
    """F1 of two sets of edits; two that change nothing agree."""
    if not predicted or not expected:
        return float(predicted == expected)
    shared = (predicted & expected).total()
    if not shared:
        return 0.0
    precision, recall = shared / predicted.total(), shared / expected.total()
    return 2 * precision * recall / (precision + recall)


def tokenise(question: str) -> str:
    """A question in Penn Treebank tokens, normalised.

    Close to the official Java tokenizer, and equal to it on plain questions.
    """
    words: list[str] = require("nltk.tokenize").TreebankWordTokenizer().tokenize(question.lower())
    return normalise(" ".join(words))


def score(
    questions: Sequence[AmbigqaQuestion],
    predictions: Mapping[str, Sequence[AmbigqaPrediction]],
    *,
    tokenise: Tokenise = tokenise,
    strict: bool = False,
) -> QuestionScores:
    """F1 of answers and of questions; the papers report the questions on the multiple part."""
    check_annotations(questions, strict=strict)
    check_predictions(questions, predictions, strict=strict)
    results = [
        _score_one(question, predictions.get(question["id"], ()), tokenise, strict=strict)
        for question in questions
    ]
    several = [result for result, q in zip(results, questions, strict=True) if is_multiple(q)]
    return QuestionScores(all=_mean(results), multiple=_mean(several), by_question=tuple(results))


def _mean(results: Sequence[dict[str, float]]) -> dict[str, float]:
    """The mean of each metric; NaN without questions."""
    count = len(results)
    return {
        name: sum(result[name] for result in results) / count if count else math.nan
        for name in ("answer", *METRICS)
    }


def _score_one(
    question: AmbigqaQuestion,
    predictions: Sequence[AmbigqaPrediction],
    tokenise: Tokenise,
    *,
    strict: bool,
) -> dict[str, float]:
    """Each metric of one question, by the annotation that is best for it."""
    answers = [prediction["answer"] for prediction in predictions]
    predicted = [tokenise(prediction["question"]) for prediction in predictions]
    prompt = tokenise(question["question"])

    def f1_by_metric(annotation: AmbigqaAnnotation) -> dict[str, float]:
        answer_f1 = set_f1(answers_of(annotation), answers, strict=strict)
        if annotation["type"] == SINGLE:
            return dict.fromkeys(("answer", *METRICS), answer_f1)
        compared = {
            (i, j): compare_questions(predicted[j], _wordings(pair, tokenise), prompt=prompt)
            for i, pair in enumerate(annotation["qaPairs"])
            for j, answer in enumerate(answers)
            if matches(pair["answer"], answer, strict=strict)
        }
        size = len(annotation["qaPairs"]) + len(answers)
        pairs = {name: 2 * _paired_sum(compared, name) / size for name in METRICS}
        return {"answer": answer_f1, **pairs}

    results = [f1_by_metric(annotation) for annotation in annotations_of(question, strict=strict)]
    return {name: max(result[name] for result in results) for name in ("answer", *METRICS)}


def _wordings(pair: AmbigqaPair, tokenise: Tokenise) -> list[str]:
    """The gold wordings of a reading, which the file parts by a bar."""
    return [tokenise(wording.strip()) for wording in pair["question"].split("|") if wording.strip()]


def _paired_sum(compared: Mapping[tuple[int, int], Mapping[str, float]], name: str) -> float:
    """The sum of a metric over answers and predictions paired off greedily, best first."""
    answers: set[int] = set()
    predictions: set[int] = set()
    total = 0.0
    for (i, j), values in sorted(compared.items(), key=lambda item: -item[1][name]):
        if i not in answers and j not in predictions:
            answers.add(i)
            predictions.add(j)
            total += values[name]
    return total
