"""Conversations with short answers: the plain questions of Abg-CoQA's validation part."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from seminar.datasets.catalog import load
from seminar.examples import Example, Gold
from seminar.metrics.measures.answer_spans import answer_spans
from seminar.types import Affirmation

LEAST_F1 = 0.5  # from which words of the evidence stand for a free-form answer

YES_NO: dict[str, Affirmation] = {"yes": "yes", "no": "no"}


def conversations() -> list[Example]:
    """Questions with a history that are not ambiguous, about stories that the test part lacks."""
    tested = {example.context for example in load("abg_coqa/test")}
    asked = [one for one in load("abg_coqa/val") if one.context not in tested]
    plain = marked(one for one in asked if not one.gold.clarifications)
    known = {(one.context, one.question) for one in asked}
    before = {(one.context, one.question): one for example in asked for one in earlier(example)}
    return plain + [one for key, one in before.items() if key not in known]


def earlier(example: Example) -> list[Example]:
    """The questions of an example's history whose answer occurs once in the story."""
    found = []
    for turn, (question, answer) in enumerate(example.history):
        places = answer_spans(example.context, (answer,), most=2)
        if plain_answer(answer) not in YES_NO and len(places) == 1 and places[0].f1 == 1.0:
            gold = Gold((answer,), spans=((places[0].start, places[0].end),))
            history = example.history[:turn]
            name = f"{example.id}-{turn}"
            found.append(replace(example, id=name, question=question, gold=gold, history=history))
    return found


def marked(examples: Iterable[Example]) -> list[Example]:
    """Examples whose span is the answer itself, or the evidence of a yes or no.

    Answers that the evidence doesn't have in its own words are left out.
    """
    return [made for example in examples if (made := _marked(example)) is not None]


def _marked(example: Example) -> Example | None:
    gold = example.gold
    if not gold.answerable:
        return replace(example, gold=replace(gold, spans=()))
    [(start, end)], answer = gold.spans, plain_answer(gold.answers[0])
    if answer in YES_NO:
        return replace(example, gold=replace(gold, affirmation=YES_NO[answer]))
    best = answer_spans(example.context[start:end], gold.answers, most=1)
    if not best or best[0].f1 < LEAST_F1:
        return None
    return replace(
        example, gold=replace(gold, spans=((start + best[0].start, start + best[0].end),))
    )


def plain_answer(answer: str) -> str:
    """An answer without its capitals and its full stop, as yes and no are compared."""
    return answer.strip().lower().rstrip(".")
