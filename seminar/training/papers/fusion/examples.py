"""Training examples of Fusion-in-Decoder and AmbigPrompt: questions, passages and answers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from seminar.metrics.measures.normalisation import normalise
from seminar.networks.papers.fusion.reader import FusionInput


@dataclass(frozen=True, slots=True)
class FusionExample:
    """A question with its passages, best first, and its answers, each a tuple of aliases.

    `target` is the text to generate where that isn't the answers themselves.
    """

    id: str
    question: str
    passages: tuple[str, ...]
    answers: tuple[tuple[str, ...], ...] = ()
    target: str = ""

    def input(self, passages: int) -> FusionInput:
        """The question over the best of its passages."""
        return FusionInput(self.question, self.passages[:passages])

    def evidence(self, aliases: Iterable[str]) -> list[str]:
        """The passages that hold one of an answer's aliases."""
        normalised = [f" {normalise(alias)} " for alias in aliases]
        texts = ((passage, f" {normalise(passage)} ") for passage in self.passages)
        return [passage for passage, text in texts if any(alias in text for alias in normalised)]
