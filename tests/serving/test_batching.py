"""Requests that come together are run together, and fail alone."""

import asyncio
import threading
import time
from collections.abc import Sequence

import pytest

from seminar.serving.batching import Batcher
from seminar.serving.problems import Problem


class Squares:
    """Squares numbers, and remembers the batches that it was given; a negative one is an error."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.batches: list[tuple[str, list[int]]] = []
        self.seconds = seconds

    def __call__(self, key: str, numbers: Sequence[int]) -> list[int]:
        self.batches.append((key, list(numbers)))
        time.sleep(self.seconds)
        if any(number < 0 for number in numbers):
            raise ValueError("negative")
        return [number**2 for number in numbers]


def test_requests_of_the_same_key_share_a_batch():
    squares = Squares()

    async def ask() -> list[int]:
        batcher = Batcher(squares, largest=8, wait=0.02)
        return await asyncio.gather(
            *(batcher.run("a", number) for number in (1, 2, 3)), batcher.run("b", 4)
        )

    assert asyncio.run(ask()) == [1, 4, 9, 16]
    assert sorted(squares.batches) == [("a", [1, 2, 3]), ("b", [4])]


def test_batch_has_at_most_so_many_requests():
    squares = Squares()

    async def ask() -> list[int]:
        batcher = Batcher(squares, largest=2, wait=0.02)
        return await asyncio.gather(*(batcher.run("a", number) for number in range(5)))

    assert asyncio.run(ask()) == [0, 1, 4, 9, 16]
    assert [numbers for _, numbers in squares.batches] == [[0, 1], [2, 3], [4]]


def test_requests_gather_while_the_worker_is_busy():
    squares = Squares(seconds=0.1)

    async def ask() -> None:
        batcher = Batcher(squares, largest=8, wait=0.001)
        first = asyncio.create_task(batcher.run("a", 0))
        await asyncio.sleep(0.03)
        others = []
        for number in range(1, 5):
            others.append(asyncio.create_task(batcher.run("a", number)))
            await asyncio.sleep(0.01)
        await asyncio.gather(first, *others)

    asyncio.run(ask())
    assert [numbers for _, numbers in squares.batches] == [[0], [1, 2, 3, 4]]


def test_error_of_one_request_leaves_the_others():
    async def ask() -> list[int | BaseException]:
        batcher = Batcher(Squares(), largest=8, wait=0.01)
        runs = [batcher.run("a", number) for number in (1, -2, 3)]
        return await asyncio.gather(*runs, return_exceptions=True)

    first, second, third = asyncio.run(ask())
    assert (first, third) == (1, 9)
    assert isinstance(second, ValueError)


def test_full_queue_refuses_with_the_time_to_come_back():
    async def ask() -> None:
        batcher = Batcher(Squares(), largest=8, wait=5.0, most=2)
        waiting = [asyncio.create_task(batcher.run("a", number)) for number in (1, 2)]
        await asyncio.sleep(0)
        with pytest.raises(Problem, match="2 requests wait already") as refused:
            await batcher.run("a", 3)
        assert (refused.value.status, refused.value.headers) == (503, {"Retry-After": "5"})
        batcher.close()
        results = await asyncio.gather(*waiting, return_exceptions=True)
        assert all(isinstance(result, asyncio.CancelledError) for result in results)

    asyncio.run(ask())


def test_cancelled_request_is_not_run():
    squares = Squares()

    async def ask() -> int:
        batcher = Batcher(squares, largest=8, wait=0.03)
        gone = asyncio.create_task(batcher.run("a", 1))
        stays = asyncio.create_task(batcher.run("a", 2))
        await asyncio.sleep(0)
        gone.cancel()
        return await stays

    assert asyncio.run(ask()) == 4
    assert squares.batches == [("a", [2])]


def test_batches_run_beside_the_event_loop():
    def where(key: str, requests: Sequence[int]) -> list[bool]:
        return [threading.current_thread() is threading.main_thread() for _ in requests]

    async def ask() -> bool:
        return await Batcher(where, wait=0).run("a", 1)

    assert asyncio.run(ask()) is False


def test_sizes_and_seconds_are_observed():
    seen: list[int] = []

    async def ask() -> None:
        batcher = Batcher(Squares(), wait=0.01, observe=lambda size, seconds: seen.append(size))
        await asyncio.gather(batcher.run("a", 1), batcher.run("a", 2))

    asyncio.run(ask())
    assert seen == [2]
