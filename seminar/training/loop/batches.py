"""Endless batches of similar length, a pure function of the seed and the position."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeVar

from seminar.errors import ConfigurationError
from seminar.training.loop.run import Position

Item = TypeVar("Item")
Sample = TypeVar("Sample")
Batch = TypeVar("Batch")

CHUNK_BATCHES = 40  # batches whose items are drawn together, sorted by length and cut


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
    """The items of a chunk; every epoch has each item once, in its own order."""
    epoch, place = divmod(number, max(1, len(items) // size))
    order = list(items)
    random.Random(f"{seed} order {epoch}").shuffle(order)
    return order[place * size : (place + 1) * size]


def bucketed(
    items: Sequence[Item], size: int, draw: random.Random, *, length: Callable[[Item], int]
) -> list[list[Item]]:
    """Batches of items of similar length, in random order."""
    ordered = sorted(items, key=length)
    batches = [ordered[at : at + size] for at in range(0, len(ordered), size)]
    draw.shuffle(batches)
    return batches


class Epochs(Generic[Item]):
    """Items drawn without end, each once in an epoch, as a function of the seed and the position.

    A chunk is drawn at once, sorted by length and cut into batches. Its size is chosen so that an
    epoch of few items leaves out less than a batch of each chunk, unless it is given.

    >>> Epochs(range(1000), 16, seed=0).chunk, Epochs(range(1000), 16, seed=0).batches
    (496, 62)
    """

    def __init__(
        self, items: Sequence[Item], size: int, *, seed: int, chunk: int | None = None
    ) -> None:
        if not items:
            raise ConfigurationError("there is nothing to train on: the data hold no examples")
        self.items, self.size, self.seed = items, size, seed
        self.chunk = chunk or _chunk_size(len(items), size)

    @property
    def batches(self) -> int:
        """How many batches make an epoch."""
        count = len(self.items)
        return max(1, count // self.chunk) * -(-min(count, self.chunk) // self.size)

    def drawn(self, number: int) -> tuple[list[Item], random.Random]:
        """The items of a chunk, and its random generator."""
        draw = random.Random(f"{self.seed} chunk {number}")
        return drawn(self.items, number, size=self.chunk, seed=self.seed), draw

    def stream(
        self,
        position: Position,
        sample: Callable[[Item, random.Random], Sample],
        *,
        length: Callable[[Sample], int],
        collate: Callable[[Sequence[Sample]], Batch],
    ) -> Iterator[tuple[Batch, Position]]:
        """Batches from a position on, of one sample of each item."""

        def batches(number: int) -> list[list[Sample]]:
            items, draw = self.drawn(number)
            return bucketed([sample(item, draw) for item in items], self.size, draw, length=length)

        return stream(position, batches, collate)


def _chunk_size(count: int, size: int) -> int:
    batches = max(1, count // size)
    chunks = -(-batches // CHUNK_BATCHES)
    return batches // chunks * size
