"""Conversations with short answers: the plain questions of Abg-CoQA's validation part."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from seminar.datasets.catalog import load
from seminar.examples import Example
from seminar.metrics.answer_spans import answer_spans
from seminar.types import Affirmation

LIKENESS = 0.5  # token F1 from which words of the evidence stand for a free-form answer

POLAR: dict[str, Affirmation] = {"yes": "yes", "no": "no"}


def conversations() -> list[Example]:
    """Questions with a history that are not ambiguous, about stories that the test part lacks."""
    tested = {example.context for example in load("abg_coqa/test")}
    plain = (one for one in load("abg_coqa/val") if not one.gold.clarifications)
    return list(marked(one for one in plain if one.context not in tested))


def marked(examples: Iterable[Example]) -> list[Example]:
    """Examples whose span is the answer itself, or the evidence of a yes or no.

    Answers that the evidence doesn't have in its own words are left out.
    """
    return [made for example in examples if (made := _marked(example)) is not None]


def _marked(example: Example) -> Example | None:
    gold = example.gold
    if not gold.answerable:
        return replace(example, gold=replace(gold, spans=()))
    [(start, end)], answer = gold.spans, gold.answers[0].strip().lower().rstrip(".")
    if answer in POLAR:
        return replace(example, gold=replace(gold, affirmation=POLAR[answer]))
    best = answer_spans(example.context[start:end], gold.answers, most=1)
    if not best or best[0].f1 < LIKENESS:
        return None
    return replace(
        example, gold=replace(gold, spans=((start + best[0].start, start + best[0].end),))
    )
