"""The one training loop: AdamW, a schedule, clipping, a log and checkpoints that resume exactly."""

from __future__ import annotations

import json
import math
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from types import FrameType
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

import torch
from torch import Tensor, nn

from seminar.errors import ConfigurationError, SeminarError
from seminar.training.loop import checkpoint
from seminar.training.loop.config import LoopConfig
from seminar.training.loop.hardware import hardware_for

Batch = TypeVar("Batch")
Losses = Mapping[str, float]
Watch = Callable[["Run[Any]", Losses], None]

LAST, BEST, LOG = "last.pt", "best.pt", "log.jsonl"
LOWER_IS_BETTER = frozenset({"loss", "perplexity", "average rank"})


@dataclass(frozen=True, slots=True)
class Position:
    """A position in a task's endless stream of batches."""

    chunk: int = 0
    batch: int = 0
    examples: int = 0


class Task(Protocol[Batch]):
    """A network to train, its batches from any position on, its losses and its scores."""

    @property
    def network(self) -> nn.Module: ...
    def batches(self, position: Position) -> Iterator[tuple[Batch, Position]]:
        """Batches, each with the position after it; a function of the seed and the position."""
        ...

    def losses(self, batch: Batch) -> dict[str, Tensor]:
        """Named losses, whose sum is minimised."""
        ...

    def evaluate(self) -> dict[str, float]:
        """Scores on a fixed sample; the first one decides which checkpoint is best.

        Higher is better, but for the names in LOWER_IS_BETTER.
        """
        ...


@runtime_checkable
class Exportable(Protocol):
    """A task whose trained network can be written for its module's `load`."""

    def export(self, folder: Path) -> None: ...


@dataclass
class Run(Generic[Batch]):
    """A training run in its folder: everything that a checkpoint holds, and nothing else.

    `scale` is the factor that halvings put on the learning rate; `stale` counts the evaluations
    since the best one.
    """

    task: Task[Batch]
    config: LoopConfig
    folder: Path
    step: int = 0
    position: Position = field(default_factory=Position)
    best: float = -math.inf
    seconds: float = 0.0
    scale: float = 1.0
    stale: int = 0

    def __post_init__(self) -> None:
        config = self.config
        torch.set_num_threads(config.threads)
        self.optimizer = _optimizer(self.task.network, config)
        self.hardware = hardware_for(
            self.task.network,
            self.task.losses,
            self.optimizer,
            kind=config.hardware,
            precision=config.precision,
        )
        torch.manual_seed(config.seed + self.hardware.rank)
        self.config = config.in_steps(self.task, self.hardware.processes)
        self._scored = -1
        self.folder.mkdir(parents=True, exist_ok=True)

    @property
    def over(self) -> bool:
        """Whether the last step is taken, or the scores have stopped improving."""
        impatient = 0 < self.config.patience <= self.stale
        return impatient or self.step >= self.config.steps

    def resume(self, path: Path) -> None:
        """Continue exactly where a checkpoint was written."""
        state = checkpoint.read(path)
        if "optimizer" not in state:
            raise ConfigurationError(f"{path} holds weights only: resume from a {LAST}")
        checkpoint.fill(self.task.network, state["network"], path)
        self.optimizer.load_state_dict(state["optimizer"])
        torch.set_rng_state(state["rng"])
        self.step, self.best, self.seconds = state["step"], state["best"], state["seconds"]
        self.scale, self.stale = state.get("scale", 1.0), state.get("stale", 0)
        self.position = Position(*state["position"])
        self.hardware.restore(state)

    def save(self) -> None:
        """Write the checkpoint; a crash meanwhile leaves the previous one whole."""
        position = (self.position.chunk, self.position.batch, self.position.examples)
        state = {
            "network": self.task.network.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "rng": torch.get_rng_state(),
            "step": self.step,
            "best": self.best,
            "seconds": self.seconds,
            "scale": self.scale,
            "stale": self.stale,
            "position": position,
            **self.hardware.state(),
        }
        if self.hardware.rank == 0:
            checkpoint.write(state, self.folder / LAST)

    def train(self, watch: Watch | None = None) -> None:
        """Train until the last step or a signal to stop, then write a checkpoint."""
        with _stop_requested() as stop, _without_denormals():
            self._train(stop, watch)
        self.save()

    def _train(self, stop: list[int], watch: Watch | None) -> None:
        clock = _Clock(self.seconds)
        saved, evaluated = _Clock(), _Clock()
        for batches, after in self._shares():
            if self.over or self.hardware.agreed(bool(stop)):
                break
            losses = self._take_step(batches)
            self.position, self.step, self.seconds = after, self.step + 1, clock.seconds
            if self.step % self.config.log_steps == 0:
                self.log({**losses, "rate": self.scale * self.config.rate(self.step - 1)})
            if watch is not None:
                watch(self, losses)
            if self._is_due(evaluated.seconds):
                self.score()
                evaluated = _Clock()
            if self.hardware.agreed(saved.seconds > 60 * self.config.checkpoint_minutes):
                self.save()
                saved = _Clock()
        if not self.hardware.agreed(bool(stop)) and self._scored != self.step:
            self.score()

    def _shares(self) -> Iterator[tuple[Sequence[Batch], Position]]:
        """This process's batches of each step, and the position after the step."""
        processes = self.hardware.processes
        stream = self.task.batches(self.position)
        while group := list(islice(stream, self.config.accumulate * processes)):
            own = [batch for batch, _ in group[self.hardware.rank :: processes]]
            yield own, group[-1][1]

    def _is_due(self, seconds: float) -> bool:
        every = self.config.evaluate_steps
        if every:
            return self.step % every == 0
        return self.hardware.agreed(seconds > 60 * self.config.evaluate_minutes)

    def _take_step(self, batches: Sequence[Batch]) -> dict[str, float]:
        self.task.network.train()
        for group in self.optimizer.param_groups:
            group["lr"] = self.scale * self.config.rate(self.step)
        sums: dict[str, float] = {}
        for number, batch in enumerate(batches, start=1):
            with self.hardware.sharing(last=number == len(batches)):
                losses = self.hardware.losses(batch)
                total = torch.stack(list(losses.values())).sum()
                self._check(total, losses)
                self.hardware.backward(total / len(batches))
            for name, loss in {"loss": total, **losses}.items():
                sums[name] = sums.get(name, 0.0) + loss.item() / len(batches)
        self.hardware.step(self.config.clip)
        return sums

    def _check(self, total: Tensor, losses: Mapping[str, Tensor]) -> None:
        if bool(torch.isfinite(total)):
            return
        advice = f"{self.folder / LAST} holds the last good state: resume it"
        if not (self.folder / LAST).exists():
            advice = "nothing was saved yet: begin again"
        raise SeminarError(
            f"the loss became {total.item()} at step {self.step} "
            f"({', '.join(f'{name} {loss.item():.3g}' for name, loss in losses.items())}); "
            f"{advice} with a lower learning rate than {self.config.learning_rate}"
        )

    def score(self) -> None:
        """Evaluate and log; write the best weights, or count an evaluation without improvement."""
        self.task.network.eval()
        with torch.no_grad(), self.hardware.scoring():
            scores = self.hardware.agreed(self.task.evaluate())
        self.log({"scores": scores})
        self._scored = self.step
        worth = _worth(scores)
        if worth > self.best:
            self.best, self.stale = worth, 0
            if self.hardware.rank == 0:
                checkpoint.write(self._weights(scores), self.folder / BEST)
            return
        self.stale += 1
        if self.config.halve:
            self.scale /= 2

    def _weights(self, scores: Mapping[str, float]) -> dict[str, object]:
        weights = self.task.network.state_dict()
        return {"network": weights, "scores": dict(scores), "step": self.step}

    def export(self, folder: Path) -> None:
        """Write the best weights for use, if the task can."""
        if not isinstance(self.task, Exportable) or self.hardware.rank != 0:
            return
        best = self.folder / BEST
        if best.exists():
            checkpoint.fill(self.task.network, checkpoint.read(best)["network"], best)
        self.task.network.eval()
        self.task.export(folder)

    def log(self, entry: Mapping[str, object]) -> None:
        """Add a line to the log."""
        if self.hardware.rank != 0:
            return
        where = {
            "step": self.step,
            "examples": self.position.examples,
            "seconds": round(self.seconds, 1),
        }
        path = self.folder / LOG
        try:
            with path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({**where, **entry}) + "\n")
        except OSError as error:
            raise SeminarError(f"{path} can't be written: {error}") from error


class _Clock:
    """Seconds since a moment, with those before it."""

    def __init__(self, before: float = 0.0) -> None:
        self._start = time.monotonic() - before

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._start


def _worth(scores: Mapping[str, float]) -> float:
    """The deciding score, with its sign changed where lower is better; -inf without scores."""
    for name, value in scores.items():
        return -value if name in LOWER_IS_BETTER else value
    return -math.inf


def _optimizer(network: nn.Module, config: LoopConfig) -> torch.optim.AdamW:
    """AdamW over what is trained; biases and normalisation weights don't decay."""
    trained = [weights for weights in network.parameters() if weights.requires_grad]
    groups = [
        {"params": [w for w in trained if w.ndim > 1], "weight_decay": config.weight_decay},
        {"params": [w for w in trained if w.ndim <= 1], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=config.learning_rate, fused=True)


@contextmanager
def _without_denormals() -> Iterator[None]:
    """Flush denormal numbers to zero, which are slow on a CPU, and restore them afterwards."""
    torch.set_flush_denormal(True)
    try:
        yield
    finally:
        torch.set_flush_denormal(False)


@contextmanager
def _stop_requested() -> Iterator[list[int]]:
    """The received signals that ask to stop, SIGTERM or SIGINT."""
    received: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        received.append(number)

    before = {number: signal.signal(number, note) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield received
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
