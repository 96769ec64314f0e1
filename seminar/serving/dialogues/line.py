"""The assistant's line for many askers: every step runs in batches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from seminar.assistant import Assistant
from seminar.serving.batching import Batcher, Observe
from seminar.serving.dialogues import stages
from seminar.serving.dialogues.stages import Asked, Searched
from seminar.types import Dialogue, Reply

SEARCHES = 32  # in a batch; a search takes little beside reading
BUSY = 16  # questions that wait to be read, from which no follow-ups are looked for


class Line:
    """The steps of the assistant, each in batches of the requests that share an assistant."""

    def __init__(
        self, *, largest: int = 8, observe: Callable[[str], Observe] | None = None
    ) -> None:
        def batcher(name: str, step: Callable[..., Any], most: int) -> Batcher[Any, Any, Any]:
            seen = observe(name) if observe else lambda size, seconds: None
            return Batcher(step, largest=most, observe=seen)

        searches = SEARCHES if largest > 1 else 1
        self._search: Batcher[Assistant, Asked, Searched] = batcher(
            "search", stages.search, searches
        )
        self._answer: Batcher[Assistant, tuple[Dialogue, Searched], Reply] = batcher(
            "answer", stages.answer, largest
        )
        self._suggest: Batcher[Assistant, tuple[Dialogue, Reply], Reply] = batcher(
            "suggest", stages.suggest, largest
        )

    @property
    def is_busy(self) -> bool:
        """Whether so many questions wait that follow-ups, which read five more each, must not."""
        return self._answer.waiting >= BUSY

    async def search(self, assistant: Assistant, dialogue: Dialogue, question: str) -> Searched:
        return await self._search.run(assistant, (dialogue, question))

    async def answer(self, assistant: Assistant, dialogue: Dialogue, searched: Searched) -> Reply:
        return await self._answer.run(assistant, (dialogue, searched))

    async def suggest(self, assistant: Assistant, dialogue: Dialogue, reply: Reply) -> Reply:
        return await self._suggest.run(assistant, (dialogue, reply))

    def close(self) -> None:
        for batcher in (self._search, self._answer, self._suggest):
            batcher.close()
