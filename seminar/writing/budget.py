"""How much of the passages fits a model's context, beside what is said around them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from seminar.ingestion.segments import count_tokens
from seminar.models.llm.chat import Message
from seminar.reading.regions import narrow
from seminar.types import Hit, Query, Span

PASSAGES = 5
WORDS = 120  # of a passage
LEAST_WORDS = 30
SPARE = 1.4  # tokens of a model per token of the estimate, at worst
PER_MESSAGE = 8  # tokens that a chat template adds


@dataclass(frozen=True, slots=True)
class Budget:
    """The tokens of a model's context, and those that its answer may take."""

    context: int
    answer: int

    def passages(self, query: Query, hits: Sequence[Hit], said: Sequence[Message]) -> list[Span]:
        """The most promising part of each of the best hits, as many and as long as fit."""
        room = self.room(said)
        words, count = WORDS, PASSAGES
        while True:
            regions = narrow(query, hits, regions=count, size=words)
            spans = [Span(one.passage, one.start, one.end) for one in regions]
            if sum(estimate(span.text) for span in spans) <= room or not spans:
                return spans
            if words > LEAST_WORDS:
                words = max(LEAST_WORDS, words * 2 // 3)
            elif count > 1:
                count -= 1
            else:
                return []

    def room(self, said: Sequence[Message]) -> float:
        """The tokens that are left for passages."""
        taken = sum(estimate(one.content) + PER_MESSAGE for one in said)
        return self.context - self.answer - taken


def estimate(text: str) -> float:
    """An upper estimate of a text's tokens."""
    return SPARE * count_tokens(text)
