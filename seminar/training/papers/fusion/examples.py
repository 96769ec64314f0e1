"""A question with passages and answers, as Fusion-in-Decoder and AmbigPrompt learn from it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from seminar.metrics.measures.normalisation import normalise
from seminar.networks.papers.fusion.reader import Asked


@dataclass(frozen=True, slots=True)
class FusionExample:
    """A question with its passages, best first, and its answers, each a tuple of aliases.

    `target` is what is to be generated where that isn't the answers themselves.
    """

    id: str
    question: str
    passages: tuple[str, ...]
    answers: tuple[tuple[str, ...], ...] = ()
    target: str = ""

    def asked(self, passages: int) -> Asked:
        return Asked(self.question, self.passages[:passages])

    def evidence(self, aliases: Iterable[str]) -> list[str]:
        """The passages that hold one of an answer's aliases."""
        wanted = [f" {normalise(alias)} " for alias in aliases]
        texts = ((passage, f" {normalise(passage)} ") for passage in self.passages)
        return [passage for passage, text in texts if any(one in text for one in wanted)]
