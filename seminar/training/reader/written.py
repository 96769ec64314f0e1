"""Training examples from the written dialogues, over right, near and unrelated passages.

Every set is rendered into files and ingested, so that passages are split and headed in training as
they are in use.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from seminar.datasets.dialogues.written import Quote, WrittenSet, WrittenTurn
from seminar.datasets.dialogues.written_files import write_files
from seminar.examples import Example, Gold
from seminar.ingestion.discover import discover
from seminar.ingestion.loader import read_passages
from seminar.text import terms
from seminar.training.reader.examples import CANNOT_ANSWER
from seminar.training.written_histories import History, with_changed_replies
from seminar.types import Passage

WRONG_PASSAGES = 2
REWRITE_SHARE = 0.6  # of the questions that are also read in their self-contained form
REWRITE_IN_DIALOGUE_SHARE = 0.4  # of these forms, the others have no history


@dataclass(frozen=True, slots=True)
class IngestedSet:
    """A set, its passages as ingestion makes them, and the file of each document."""

    group: WrittenSet
    passages: tuple[Passage, ...]
    sources: dict[str, str]

    def locate(self, quote: Quote) -> tuple[Passage, int] | None:
        """The passage that holds a quote and where in it, None where ingestion changed the words.

        Of equal words the occurrence is found by counting those before it in the document.
        """
        before = self.group.document(quote.document).text[: quote.start].count(quote.text)
        for passage in self.passages:
            if not self._is_of(passage, quote.document):
                continue
            count = passage.text.count(quote.text)
            if before < count:
                return passage, _occurrence(passage.text, quote.text, before)
            before -= count
        return None

    def _is_of(self, passage: Passage, document: str) -> bool:
        names = (passage.source, *(utterance.source for utterance in passage.utterances))
        return any(name.startswith(self.sources[document]) for name in names)


def ingest(group: WrittenSet) -> IngestedSet:
    """Render a set into files and ingest them."""
    with TemporaryDirectory() as folder:
        sources = write_files(group, Path(folder))
        files, _ = discover([Path(folder)])
        passages = [one for file in files for one in read_passages(file, lambda problem: None)]
    return IngestedSet(group, tuple(passages), sources)


def written_examples(groups: Iterable[WrittenSet], *, seed: int, repeats: int = 1) -> list[Example]:
    """Every question, in its dialogue and often rewritten, over its own and over wrong passages.

    Each repeat draws other wrong passages, other forms and other changed replies.
    """
    draw = random.Random(f"{seed} written")
    return [
        example
        for group in map(ingest, groups)
        for _ in range(repeats)
        for example in _of_set(group, draw)
    ]


def _of_set(ingested: IngestedSet, draw: random.Random) -> Iterator[Example]:
    for number, turns in enumerate(ingested.group.dialogues, start=1):
        history: History = ()
        for place, turn in enumerate(turns, start=1):
            name = f"{ingested.group.id}-{number}-{place}"
            yield from _of_turn(
                ingested, turn, with_changed_replies(history, ingested.group, draw), name, draw
            )
            history = (*history, (turn.question, turn.reply or CANNOT_ANSWER))


def _of_turn(
    ingested: IngestedSet, turn: WrittenTurn, history: History, name: str, draw: random.Random
) -> Iterator[Example]:
    for form, (question, before) in enumerate(_forms(turn, history, draw)):
        asked = Example(f"{name} {form}", name, question, Gold(answerable=False), before)
        quotes = (*turn.answers, *turn.near)
        located = ingested.locate(quotes[0]) if quotes else None
        if located:
            passage, start = located
            yield _about(asked, passage, _gold(turn, start))
        if turn.answerable or not located:
            wrong = _wrong_passages(ingested, turn)
            if wrong:
                yield _about(asked, draw.choice(wrong), Gold(answerable=False))


def _forms(turn: WrittenTurn, history: History, draw: random.Random) -> list[tuple[str, History]]:
    """The question as typed, and sometimes its rewrite, by itself or in the dialogue."""
    typed = (turn.question, history)
    if draw.random() >= REWRITE_SHARE:
        return [typed]
    return [typed, (turn.rewrite, history if draw.random() < REWRITE_IN_DIALOGUE_SHARE else ())]


def _gold(turn: WrittenTurn, start: int) -> Gold:
    if not turn.answers:
        return Gold(answerable=False)
    first = turn.answers[0]
    return Gold(
        (first.text,), spans=((start, start + len(first.text)),), affirmation=turn.affirmation
    )


def _wrong_passages(ingested: IngestedSet, turn: WrittenTurn) -> list[Passage]:
    """The passages of the set that share most terms with the question and don't answer it."""
    right = {
        found[0].id
        for quote in turn.answers + turn.alternatives
        if (found := ingested.locate(quote))
    }
    wanted = terms(f"{turn.question} {turn.rewrite}")
    others = [one for one in ingested.passages if one.id not in right]
    ordered = sorted(others, key=lambda one: -len(wanted & terms(one.searched)))
    return ordered[:WRONG_PASSAGES]


def _about(asked: Example, passage: Passage, gold: Gold) -> Example:
    return replace(
        asked, context=passage.text, title=passage.title, section=passage.section, gold=gold
    )


def _occurrence(text: str, words: str, number: int) -> int:
    at = -1
    for _ in range(number + 1):
        at = text.index(words, at + 1)
    return at
