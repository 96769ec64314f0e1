"""Dynamic batching: requests that arrive within a few milliseconds are run together."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Generic, TypeVar

from seminar.serving.problems import Problem

Key = TypeVar("Key", bound=Hashable)
Request = TypeVar("Request")
Result = TypeVar("Result")

Observe = Callable[[int, float], None]  # requests of a batch, and the seconds that it took
Pending = tuple[Request, "asyncio.Future[Result]"]


@dataclass(slots=True)
class _Queue(Generic[Request, Result]):
    """The requests of one key that wait, and when the oldest of them came."""

    since: float
    requests: deque[Pending[Request, Result]] = field(default_factory=deque)


class Batcher(Generic[Key, Request, Result]):
    """Runs requests of the same key together, at most `largest`, in `workers` threads.

    A batch waits `wait` seconds for more requests, and longer while every worker is busy. If a
    batch fails, each of its requests is run alone, so that only those at fault get the error.
    Above `most` waiting requests, further ones are refused (503). One event loop uses a batcher.
    """

    def __init__(
        self,
        function: Callable[[Key, Sequence[Request]], Sequence[Result]],
        *,
        largest: int = 8,
        wait: float = 0.001,
        most: int = 512,
        workers: int = 1,
        observe: Observe = lambda size, seconds: None,
    ) -> None:
        self._function = function
        self._largest, self._wait, self._most = largest, wait, most
        self._observe = observe
        self._idle = workers
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="batch")
        self._queues: OrderedDict[Key, _Queue[Request, Result]] = OrderedDict()  # oldest first
        self._waiting = 0

    @property
    def waiting(self) -> int:
        """Requests that no worker has begun."""
        return self._waiting

    async def run(self, key: Key, request: Request) -> Result:
        """The result of one request; cancelling it before its batch begins takes it out."""
        if self._waiting >= self._most:
            raise Problem(
                503,
                f"{self._waiting} requests wait already; try again in some seconds.",
                headers={"Retry-After": "5"},
            )
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Result] = loop.create_future()
        queue = self._queues.setdefault(key, _Queue(loop.time()))
        queue.requests.append((request, future))
        self._waiting += 1
        if len(queue.requests) >= self._largest or self._wait <= 0:
            self._begin()
        else:
            loop.call_later(self._wait, self._begin)
        return await future

    def close(self) -> None:
        """Cancel what waits, and let running batches end."""
        for queue in self._queues.values():
            for _, future in queue.requests:
                future.cancel()
        self._queues.clear()
        self._waiting = 0
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _begin(self) -> None:
        """Give due batches to idle workers."""
        loop = asyncio.get_running_loop()
        while self._idle and (taken := self._take(loop.time())):
            key, batch = taken
            self._idle -= 1
            running = loop.run_in_executor(
                self._threads, self._answer, key, [request for request, _ in batch]
            )
            running.add_done_callback(partial(self._end, batch))

    def _take(self, now: float) -> tuple[Key, list[Pending[Request, Result]]] | None:
        """The next requests of the key that has waited longest, if it has waited long enough."""
        for key, queue in self._queues.items():
            due = now - queue.since >= self._wait * 0.9  # a timer may be early by its resolution
            if not due and len(queue.requests) < self._largest:
                continue
            batch: list[Pending[Request, Result]] = []
            while queue.requests and len(batch) < self._largest:
                request, future = queue.requests.popleft()
                self._waiting -= 1
                if not future.done():  # else its asker has gone
                    batch.append((request, future))
            if not queue.requests:
                del self._queues[key]
            else:
                self._queues.move_to_end(key)  # the other keys have their turn
            return (key, batch) if batch else self._take(now)
        return None

    def _answer(self, key: Key, requests: Sequence[Request]) -> list[Result | Exception]:
        """The result or the error of each request."""
        begun = time.perf_counter()
        try:
            return list(self._function(key, requests))
        except Exception as error:  # noqa: BLE001 - raised again at the request
            if len(requests) == 1:
                return [error]
            return [self._answer(key, [request])[0] for request in requests]
        finally:
            self._observe(len(requests), time.perf_counter() - begun)

    def _end(
        self,
        batch: Sequence[Pending[Request, Result]],
        done: asyncio.Future[list[Result | Exception]],
    ) -> None:
        self._idle += 1
        if done.cancelled():
            for _, future in batch:
                future.cancel()
            return
        for (_, future), result in zip(batch, done.result(), strict=True):
            if future.done():
                continue
            if isinstance(result, Exception):
                future.set_exception(result)
            else:
                future.set_result(result)
        self._begin()
