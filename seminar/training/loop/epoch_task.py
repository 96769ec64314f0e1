"""The part of a training task that every network shares: epochs, batches, held-out data."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, Generic, TypeVar, cast

from torch import Tensor, nn

from seminar.training.loop.batches import Epochs
from seminar.training.loop.run import Position

Example = TypeVar("Example")
Sample = TypeVar("Sample")
Batch = TypeVar("Batch")


class EpochTask(ABC, Generic[Example, Sample, Batch]):
    """A `Task` that draws each of its examples once per epoch.

    A network's task declares the types of `network` and `held_out` and defines `length`,
    `collate`, `losses` and `score`. It overrides `sample` where an example differs from epoch to
    epoch: other negatives, one of several answers.
    """

    network: nn.Module
    held_out: list[Any]

    def __init__(
        self,
        network: nn.Module,
        examples: Sequence[Example],
        *,
        batch_size: int,
        held_out: Sequence[Any] = (),
        seed: int = 0,
        chunk: int | None = None,
    ) -> None:
        self.network = network
        self.examples, self.held_out = list(examples), list(held_out)
        self.batch_size = batch_size
        self._epochs = Epochs(self.examples, batch_size, seed=seed, chunk=chunk)

    @property
    def epoch_batches(self) -> int:
        """How many batches make an epoch."""
        return self._epochs.batches

    def batches(self, position: Position) -> Iterator[tuple[Batch, Position]]:
        """Batches from a position on, each with the position after it."""
        return self._epochs.stream(position, self.sample, length=self.length, collate=self.collate)

    def evaluate(self) -> dict[str, float]:
        """Scores on the held-out data, none where nothing is held out."""
        return self.score() if self.held_out else {}

    def sample(self, example: Example, draw: random.Random) -> Sample:
        """What the network sees of an example this time: the example itself."""
        return cast("Sample", example)

    @abstractmethod
    def length(self, sample: Sample) -> int:
        """What samples are sorted by, so that a batch holds samples of similar length."""

    @abstractmethod
    def collate(self, samples: Sequence[Sample]) -> Batch:
        """Samples as one padded batch."""

    @abstractmethod
    def losses(self, batch: Batch) -> dict[str, Tensor]:
        """Named losses, whose sum is minimised."""

    @abstractmethod
    def score(self) -> dict[str, float]:
        """Scores on the held-out data; the first one decides which checkpoint is best."""
