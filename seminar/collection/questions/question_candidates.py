"""A candidate question from a chunk, and its judgement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from seminar.types import Passage, Span

Origin = Literal["chunk", "summary"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A question, the answer it was made from, and whether from the chunk or from its summary.

    `span` is the answer in the chunk, None where a language model's answer isn't there.
    """

    question: str
    answer: str
    passage: Passage
    origin: Origin
    kind: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """A candidate, the rules of form that it fails, and whether the reader finds its answer."""

    candidate: Candidate
    failed: tuple[str, ...] = ()
    easy: bool = False

    @property
    def kept(self) -> bool:
        """Whether it breaks no rule and is not easy."""
        return not self.failed and not self.easy
