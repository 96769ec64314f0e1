"""Examples as data frames: one row a turn, one row a dialog. Every statistic starts from these."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

import numpy as np
import pandas as pd

from seminar.analysis.question_types import is_polar
from seminar.analysis.turn_kinds import question_kind
from seminar.baselines.sections import section_text
from seminar.baselines.transitions import CHUNKS, NO_ANSWER, START, place
from seminar.datasets.dialogues.pragmaticqa import page_failed
from seminar.examples import Evidence, Example
from seminar.text import whole
from seminar.types import Switch

Watch = Callable[[int], None]  # turns read so far

COLUMNS = (
    "split", "id", "dialogue", "turn", "question", "answer", "answerable", "affirmation",
    "polar", "question_words", "answer_words", "references", "disagree", "context_words",
    "section", "sources", "domain", "title", "topic", "switch", "kind", "start", "chunk",
    "previous_chunk", "literal_words", "pragmatic_words", "overlap_words", "literal_span_words",
    "fixed", "spans", "elements", "page_failed", "readings", "ratings",
)  # fmt: skip
# Set for empty corpora too, whose columns would otherwise have no type.
TYPES = {
    **dict.fromkeys(("split", "domain", "affirmation", "switch", "kind"), "category"),
    **dict.fromkeys(("turn", "question_words", "references", "spans"), "int64"),
    **dict.fromkeys(("answerable", "polar", "page_failed"), "bool"),
    **dict.fromkeys(
        ("answer_words", "disagree", "context_words", "start", "chunk", "previous_chunk",
         "literal_words", "pragmatic_words", "overlap_words"),
        "float64",
    ),
}  # fmt: skip
FIXED = ("Yes", "No", "I don't know")
WATCH_EVERY = 500


def turns(
    examples: Iterable[Example], *, split: str = "", watch: Watch = lambda done: None
) -> pd.DataFrame:
    """One row a turn with what the statistics need; the examples may be a stream.

    Numbers that an example doesn't have are NaN, and texts "".
    """
    reader = _Reader(split)
    rows = []
    for number, example in enumerate(examples, start=1):
        rows.append(reader.row(example))
        if number % WATCH_EVERY == 0:
            watch(number)
    watch(len(rows))
    frame = pd.DataFrame(rows, columns=COLUMNS)
    return frame.astype(TYPES)


def dialogs(frame: pd.DataFrame) -> pd.DataFrame:
    """One row a dialog: its turns, topics, pages' elements and chunks, in order of appearance."""
    if frame.empty:
        return pd.DataFrame(columns=["dialogue", "turns", "topics", "elements", "chunks"])
    groups = frame.groupby("dialogue", sort=False, observed=True)
    named = frame[frame["topic"] != ""]
    located = frame[frame["chunk"].between(0, CHUNKS - 1)]
    return (
        pd.DataFrame(
            {
                "turns": groups.size(),
                "topics": named.groupby("dialogue", sort=False)["topic"].nunique(),
                "elements": groups["elements"].agg(lambda lists: len(set().union(*lists))),
                "chunks": located.groupby("dialogue", sort=False)["chunk"].nunique(),
            }
        )
        .reindex(frame["dialogue"].drop_duplicates())
        .fillna(0)
        .astype(int)
        .reset_index()
    )


class _Reader:
    """Makes rows of examples, and remembers of each dialog what its next turn needs."""

    def __init__(self, split: str) -> None:
        self.split = split
        self._topics: dict[str, list[str]] = {}
        self._chunks: dict[str, tuple[int, int]] = {}  # of the last turn: its number and its chunk
        self._lengths: dict[tuple[str, int], int] = {}  # words of the contexts of dialogs

    def row(self, example: Example) -> tuple[object, ...]:
        gold = example.gold
        found = [answer for answer in gold.answers if gold.answerable]
        start, chunk = _location(example)
        literal, pragmatic = _words(gold.literal), _words(gold.pragmatic)
        return (
            self.split,
            whole(example.id),
            whole(f"{self.split}:{example.dialogue_id}" if self.split else example.dialogue_id),
            example.turn,
            whole(example.question),
            whole(found[0]) if found else "",
            gold.answerable,
            gold.affirmation or "",
            is_polar(example.question),
            len(example.question.split()),
            len(found[0].split()) if found else np.nan,
            len(gold.answers),
            _disagree(found),
            self._context_words(example),
            whole(example.section),
            tuple(map(whole, example.sources)),
            whole(example.domain),
            whole(example.title),
            whole(gold.topic),
            self._switch(example),
            question_kind(example.question, first=not example.history),
            start,
            chunk,
            self._previous(example, chunk),
            len(literal) if gold.literal else np.nan,
            len(pragmatic) if gold.literal else np.nan,
            _shared(gold.literal, gold.pragmatic) if gold.literal else np.nan,
            tuple(len(span.text.split()) for span in gold.literal if span.text not in FIXED),
            next((span.text for span in gold.literal if span.text in FIXED), ""),
            len(gold.literal) + len(gold.pragmatic),
            frozenset(key for span in gold.literal + gold.pragmatic for key in span.elements),
            page_failed(example),
            tuple(len(readings) for readings in gold.annotations),
            gold.ratings,
        )

    def _switch(self, example: Example) -> Switch | str:
        """The kind of the turn: no-switch, switch-to-old or switch-to-new (TopiOCQA, section 4.1).

        Turns without a topic are passed over; the first with one has no kind.
        """
        topic = example.gold.topic
        if not topic:
            return ""
        seen = self._topics.setdefault(example.dialogue_id, [])
        kind = ""
        if seen:
            old = "switch-to-old" if topic in seen else "switch-to-new"
            kind = "no-switch" if seen[-1] == topic else old
        seen.append(topic)
        return kind

    def _previous(self, example: Example, chunk: float) -> float:
        """The chunk of the answer before; of the history, where the split lacks that turn."""
        if np.isnan(chunk):
            return np.nan
        turn, last = self._chunks.get(example.dialogue_id, (0, START))
        self._chunks[example.dialogue_id] = (example.turn, int(chunk))
        if not example.history:
            return START
        return last if turn == example.turn - 1 else place(example, example.history[-1][1])

    def _context_words(self, example: Example) -> float:
        if not example.context:
            return np.nan
        key = example.dialogue_id, len(example.context)
        if key not in self._lengths:
            self._lengths[key] = len(section_text(example).split())
        return self._lengths[key]


def _location(example: Example) -> tuple[float, float]:
    """Where the first answer begins, as a share of the section and as one of twelve chunks."""
    text = section_text(example) if example.context else ""
    if not text or not example.gold.answers:
        return np.nan, np.nan
    if not example.gold.answerable:
        return np.nan, NO_ANSWER
    at = example.gold.spans[0][0] if example.gold.spans else text.find(example.gold.answers[0])
    if not 0 <= at < len(text):
        return np.nan, NO_ANSWER
    return at / len(text), min(CHUNKS * at // len(text), CHUNKS - 1)


def _words(spans: Iterable[Evidence]) -> list[str]:
    return [word for span in spans for word in span.text.split()]


def _shared(literal: Iterable[Evidence], pragmatic: Iterable[Evidence]) -> int:
    """The words that literal and pragmatic spans share, a repeated one as often as both have it."""
    return (Counter(_words(literal)) & Counter(_words(pragmatic))).total()


def _disagree(answers: list[str]) -> float:
    """Whether two references share no word, so that a question has several answers."""
    if len(answers) < 2:
        return np.nan
    bags = [set(answer.lower().split()) for answer in dict.fromkeys(answers)]
    return float(any(not a & b for n, a in enumerate(bags) for b in bags[:n]))
