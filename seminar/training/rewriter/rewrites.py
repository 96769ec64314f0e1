"""Preparation of rewrites for training: titles, and no overlap with the scored dialogues."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from seminar.examples import Example
from seminar.models.rewriter.edits import Word, text_of, words_of
from seminar.training.rewriter.alignment import STOP_WORDS, differences


def with_titles(examples: Sequence[Example]) -> list[Example]:
    """Dialogues without a title get the name that their rewrites add most often.

    CANARD's train pairs lack the title that its rewriters saw and took names from.
    """
    added: dict[str, Counter[str]] = defaultdict(Counter)
    for example in examples:
        for _, _, phrase in differences(
            words_of(example.question), words_of(example.gold.rewrites[0])
        ):
            name = _name(phrase)
            if name:
                added[example.dialogue_id][name] += 1
    return [
        replace(example, title=added[example.dialogue_id].most_common(1)[0][0])
        if not example.title and added[example.dialogue_id]
        else example
        for example in examples
    ]


def _name(phrase: Sequence[Word]) -> str:
    """What is left of a phrase without stop words at its ends, if it has a capital letter."""
    words = list(phrase)
    while words and words[0].key in STOP_WORDS:
        words.pop(0)
    while words and words[-1].key in STOP_WORDS:
        words.pop()
    text = text_of(words)
    return text if any(letter.isupper() for letter in text) else ""


def disjoint_from(examples: Iterable[Example], scored: Iterable[Example]) -> list[Example]:
    """Examples that share no rewrite, and fewer than two questions, with a scored dialogue."""
    rewrites: set[str] = set()
    dialogues: dict[str, set[str]] = defaultdict(set)
    for one in scored:
        rewrites.update(text.lower() for text in one.gold.rewrites)
        for asked in (one.question, *(question for question, _ in one.history)):
            dialogues[asked.lower()].add(one.dialogue_id)
    disjoint = []
    for example in examples:
        asked_here = {example.question.lower(), *(asked.lower() for asked, _ in example.history)}
        shared = Counter(name for asked in asked_here for name in dialogues.get(asked, ()))
        if example.gold.rewrites[0].lower() not in rewrites and max(shared.values(), default=0) < 2:
            disjoint.append(example)
    return disjoint
