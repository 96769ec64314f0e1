"""Prose of a language model for the service: its pieces as events, a few models at a time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from anyio import CapacityLimiter, to_thread

from seminar.assistant import Assistant
from seminar.types import Dialogue, Reply

AT_ONCE = 4  # questions that a language model is asked together; others wait
Send = Callable[[tuple[str, dict[str, object]]], None]


class Writing:
    """Adds prose to replies; each piece of a draft is sent as it comes."""

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._limiter = CapacityLimiter(at_once)

    async def write(
        self, assistant: Assistant, dialogue: Dialogue, reply: Reply, send: Send
    ) -> tuple[Reply, float]:
        """The reply with its prose, and the seconds that it took."""
        loop = asyncio.get_running_loop()

        def listen(piece: str) -> None:
            record: dict[str, object] = {"text": piece}
            loop.call_soon_threadsafe(send, ("writing", record))

        def write() -> Reply:
            [written] = assistant.write([dialogue], [reply], listen)
            return written

        begun = time.perf_counter()
        written = await to_thread.run_sync(write, limiter=self._limiter)
        return written, time.perf_counter() - begun
