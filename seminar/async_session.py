"""A session for programs with an event loop, such as web servers and notebooks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from seminar.session import Session, open_session
from seminar.types import Hit, Reply

Result = TypeVar("Result")


async def open_async_session(*paths: str | Path, **settings: object) -> AsyncSession:
    """Begin a conversation as `open_session` does, indexing in a thread."""
    return AsyncSession(await asyncio.to_thread(open_session, *paths, **settings))


class AsyncSession:
    """A `Session` whose questions are answered in a thread, in the order in which they come.

    A question whose task is cancelled is answered to its end, and its turn is kept. All else of
    the conversation is that of `session`.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self._turn = asyncio.Lock()

    async def ask(self, line: str) -> Reply:
        """Answer a question, or the suggestion of that number, and add the turn."""
        return await self._in_turn(self.session.ask, line)

    async def suggest(self) -> Reply:
        """Add the questions that can be asked next to the last reply."""
        return await self._in_turn(self.session.suggest)

    async def search(self, question: str, k: int = 10) -> list[Hit]:
        """Find passages for a question that stands alone, best first."""
        return await asyncio.to_thread(self.session.search, question, k)

    async def save(self, file: str | Path) -> None:
        """Write the turns to a file, and every further turn as soon as it is answered."""
        await self._in_turn(self.session.save, file)

    async def resume(self, file: str | Path) -> list[str]:
        """Continue after the turns of a saved conversation."""
        return await self._in_turn(self.session.resume, file)

    async def _in_turn(self, call: Callable[..., Result], *arguments: object) -> Result:
        async with self._turn:
            return await asyncio.shield(asyncio.to_thread(call, *arguments))
