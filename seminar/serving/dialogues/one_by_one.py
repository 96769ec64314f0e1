"""The questions of one dialogue are answered one after the other."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Turns:
    """Lets the questions of one dialogue take turns; dialogues that nobody asks leave no trace."""

    def __init__(self) -> None:
        self._locks: dict[str, tuple[asyncio.Lock, int]] = {}

    @asynccontextmanager
    async def of(self, dialogue: str) -> AsyncIterator[None]:
        """Wait until no other question of the dialogue is being answered."""
        lock, users = self._locks.get(dialogue, (asyncio.Lock(), 0))
        self._locks[dialogue] = (lock, users + 1)
        try:
            async with lock:
                yield
        finally:
            lock, users = self._locks.pop(dialogue)
            if users > 1:
                self._locks[dialogue] = (lock, users - 1)
