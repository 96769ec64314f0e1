"""Rewriting as editing: what a question takes from its history, and where; needs no PyTorch.

An edit removes some words of the question and puts in a phrase: a few joining words from a small
closed list, a span copied from the history, joining words again. "Why did they leave?" with the
edit (remove "they", copy "the Colts") reads "Why did the Colts leave?".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

WORD = re.compile(r"\w+|[^\w\s]")
CLOSING = frozenset(".,?!;:)]}%'’\"")


@dataclass(frozen=True, slots=True)
class Word:
    """A word or a punctuation mark, and whether a space stands before it."""

    text: str
    spaced: bool = True

    @property
    def key(self) -> str:
        return self.text.lower()


@dataclass(frozen=True, slots=True)
class Edit:
    """At question word `start`, up to `end`: put `before`, history words copied, and `after`."""

    start: int
    end: int
    before: tuple[str, ...] = ()
    copied: tuple[int, int] | None = None
    after: tuple[str, ...] = ()


def words_of(text: str) -> list[Word]:
    """The words and punctuation marks of a text.

    >>> [word.text for word in words_of("Who's he?")]
    ['Who', "'", 's', 'he', '?']
    """
    return [
        Word(match.group(), match.start() == 0 or text[match.start() - 1].isspace())
        for match in WORD.finditer(text)
    ]


def text_of(words: Sequence[Word]) -> str:
    """Words as running text, spaced as they were."""
    return "".join(f" {word.text}" if word.spaced else word.text for word in words).strip()


def apply(question: Sequence[Word], history: Sequence[Word], edits: Sequence[Edit]) -> list[Word]:
    """The question with its edits made; they must not overlap and come in order."""
    edited: list[Word] = []
    position = 0
    for edit in edits:
        edited += question[position : edit.start]
        edited += _phrase(edit, history)
        position = edit.end
    return [*edited, *question[position:]]


def _phrase(edit: Edit, history: Sequence[Word]) -> list[Word]:
    copied = list(history[slice(*edit.copied)]) if edit.copied else []
    if copied:
        copied[0] = Word(copied[0].text)
    return [*map(joining_word, edit.before), *copied, *map(joining_word, edit.after)]


def joining_word(text: str) -> Word:
    """A word of the closed list, spaced as usual: a possessive or a comma clings to its left."""
    return Word(text, spaced=text not in CLOSING and text != "s")
