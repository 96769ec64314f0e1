"""The reader's examples in word pieces: question, passage, answer span, and what to predict."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from urllib.parse import unquote

from seminar.examples import Example
from seminar.models.reader.layout import (
    UNANSWERED,
    AnswerType,
    Layout,
    PassageSide,
    QuestionSide,
    lay_out,
    through,
)
from seminar.models.word_pieces import PassagePieces, TokenSpan, WordPieces
from seminar.reading.polarity import POLAR

Turns = tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]

CANNOT_ANSWER = "CANNOTANSWER"
NAME = re.compile(r"(?<![.?!] )(?<!^)\b[A-Z][\w'-]*(?: (?:of |the )?[A-Z][\w'-]*)*")


@dataclass(frozen=True, slots=True)
class ReaderExample:
    """One question about one passage: its type, its span where it has one, and its history.

    `given` are the token spans of earlier answers, newest first; `names` are the names in the
    question. The type is None where a yes-or-no question has a span but no annotated yes or no.
    """

    id: str
    question: tuple[int, ...]
    passage: PassagePieces
    type: AnswerType | None
    span: TokenSpan | None = None
    history: Turns = ()
    given: tuple[TokenSpan | None, ...] = ()
    source: str = ""
    names: tuple[tuple[int, ...], ...] = ()


def heading_of(example: Example) -> str:
    """Title and section as a passage shows them."""
    title = unquote(example.title).replace("_", " ")
    return f"{title} > {example.section}" if example.section else title


def without_sentinel(context: str) -> str:
    """The section without the word that QuAC appends as a span for no answer."""
    return context.removesuffix(CANNOT_ANSWER).rstrip()


def prepare(
    examples: Iterable[Example], pieces: WordPieces, source: str, *, keep_all: bool = False
) -> list[ReaderExample]:
    """Examples in word pieces; where the answer isn't found in the passage they are left out.

    With `keep_all` they stay, without a span, for prediction.
    """
    cleaned = [replace(one, context=without_sentinel(one.context)) for one in examples]
    texts = list(dict.fromkeys((one.context, heading_of(one)) for one in cleaned))
    passages = dict(
        zip(texts, pieces.passages([t for t, _ in texts], [h for _, h in texts]), strict=True)
    )
    questions = pieces.split_all([one.question for one in cleaned])
    prepared = []
    for example, question in zip(cleaned, questions, strict=True):
        passage = passages[example.context, heading_of(example)]
        reading = _prepared(example, passage, pieces, source)
        if keep_all or reading.span or reading.type in ("yes", "no", "no answer"):
            names = tuple(pieces.split_all(NAME.findall(example.question)))
            prepared.append(replace(reading, question=question, names=names))
    return prepared


def _prepared(
    example: Example, passage: PassagePieces, pieces: WordPieces, source: str
) -> ReaderExample:
    history = tuple(
        (pieces.split(question), pieces.split(UNANSWERED if answer == CANNOT_ANSWER else answer))
        for question, answer in example.history[-4:]
    )
    given = tuple(
        None if answer == CANNOT_ANSWER else passage.find(answer)
        for _, answer in reversed(example.history[-3:])
    )
    reading = ReaderExample(example.id, (), passage, "no answer", None, history, given, source)
    affirmation = example.gold.affirmation
    if affirmation in ("yes", "no") and not example.gold.spans:
        return replace(reading, type=affirmation)
    if not example.gold.answerable:
        return reading
    spans = [
        (start, end)
        for start, end in example.gold.spans
        if passage.text[start:end] != CANNOT_ANSWER
    ]
    span = passage.tokens(*spans[0]) if spans else None
    if affirmation in ("yes", "no"):
        return replace(reading, type=affirmation, span=span)
    return replace(reading, type=None if POLAR.match(example.question) else "span", span=span)


def with_pronoun(
    reading: ReaderExample, earlier: Iterable[Sequence[int]], pronoun: tuple[int, ...]
) -> ReaderExample:
    """The question with a pronoun in place of the names that earlier turns or the heading have."""
    known = [tuple(text) for text in (*earlier, reading.passage.heading)]
    question = reading.question
    for name in reading.names:
        if any(_place(name, text) is not None for text in known):
            question = _replaced(question, name, pronoun)
    return replace(reading, question=question)


def _replaced(text: tuple[int, ...], old: tuple[int, ...], new: tuple[int, ...]) -> tuple[int, ...]:
    at = _place(old, text)
    return text if at is None else (*text[:at], *new, *text[at + len(old) :])


def _place(part: tuple[int, ...], text: tuple[int, ...]) -> int | None:
    """Where the pieces of a part begin in a text."""
    starts = range(len(text) - len(part) + 1)
    return next((at for at in starts if text[at : at + len(part)] == part), None)


def crop(reading: ReaderExample, size: int, draw: random.Random) -> TokenSpan:
    """A window of the passage that holds the answer at a random place.

    Without an answer, of four random windows the one that shares most word pieces with the
    question, so that it holds what might be mistaken for an answer.
    """
    length = len(reading.passage.ids)
    if length <= size:
        return 0, length
    if reading.span:
        first, last = max(0, reading.span[1] - size), min(reading.span[0], length - size)
        start = draw.randint(min(first, last), max(first, last))
    else:
        start = _most_shared(reading, size, draw)
    start = max(0, min(start, length - size))
    return start, start + size


def _most_shared(reading: ReaderExample, size: int, draw: random.Random) -> int:
    wanted = set(reading.question)
    starts = [draw.randint(0, len(reading.passage.ids) - size) for _ in range(4)]
    return max(
        starts,
        key=lambda start: len(wanted.intersection(reading.passage.ids[start : start + size])),
    )


@dataclass(frozen=True, slots=True)
class Target:
    """What to predict for one layout; start and end are tokens of it, 0 for none."""

    layout: Layout
    start: int
    end: int
    type: AnswerType | None


def target_of(
    reading: ReaderExample,
    window: TokenSpan,
    *,
    heading: bool = True,
    found: tuple[tuple[int, ...], ...] = (),
) -> Target:
    """An example through a window; an answer that begins outside of it is no answer there."""
    left, right = window
    passage = reading.passage
    read = PassageSide(passage.ids, passage.heading if heading else (), reading.given)
    layout = lay_out(QuestionSide(reading.question, reading.history, found), through(read, window))
    if reading.span is None:
        return Target(layout, 0, 0, reading.type)
    if reading.span[0] < left:
        return Target(layout, 0, 0, "no answer")
    start = layout.passage_start + reading.span[0] - left
    # A long answer may run past the window: it is cut there, as the windows overlap.
    end = layout.passage_start + min(reading.span[1], right) - 1 - left
    if end < start:
        return Target(layout, 0, 0, "no answer")
    return Target(layout, start, end, reading.type)
