"""Endless batches of like length, a pure function of the seed and the position."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from seminar.training.loop import Position

Item = TypeVar("Item")
Batch = TypeVar("Batch")

CHUNK_BATCHES = 40  # so many batches are drawn at once, sorted by length and cut


def stream(
    position: Position,
    chunk: Callable[[int], Sequence[Sequence[Item]]],
    collate: Callable[[Sequence[Item]], Batch],
) -> Iterator[tuple[Batch, Position]]:
    """Batches from a position on, each with the position after it."""
    number, skipped, seen = position.chunk, position.batch, position.examples
    while True:
        batches = chunk(number)
        for at in range(skipped, len(batches)):
            seen += len(batches[at])
            last = at + 1 == len(batches)
            after = Position(number + 1, 0, seen) if last else Position(number, at + 1, seen)
            yield collate(batches[at]), after
        number, skipped = number + 1, 0


def drawn(items: Sequence[Item], number: int, *, size: int, seed: int) -> list[Item]:
    """The items of a chunk; every epoch has each item once, in an order of its own."""
    epoch, place = divmod(number, max(1, len(items) // size))
    order = list(items)
    random.Random(f"{seed} order {epoch}").shuffle(order)
    return order[place * size : (place + 1) * size]


def chunk_size(count: int, size: int) -> int:
    """Items of a chunk, so that an epoch of few items leaves out less than a batch of each chunk.

    >>> chunk_size(1000, 16)
    496
    """
    batches = max(1, count // size)
    chunks = -(-batches // CHUNK_BATCHES)
    return batches // chunks * size


def epoch_batches(count: int, size: int, *, chunk: int) -> int:
    """How many batches of so many items make an epoch that is drawn in such chunks."""
    return max(1, count // chunk) * -(-min(count, chunk) // size)


def bucketed(
    items: Sequence[Item], size: int, draw: random.Random, *, length: Callable[[Item], int]
) -> list[list[Item]]:
    """Batches of items of like length, in random order."""
    ordered = sorted(items, key=length)
    batches = [ordered[at : at + size] for at in range(0, len(ordered), size)]
    draw.shuffle(batches)
    return batches
