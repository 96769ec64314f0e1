"""The one training loop: AdamW, a schedule, clipping, a log and checkpoints that resume exactly."""

from __future__ import annotations

import json
import math
import os
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Generic, Literal, Protocol, TypeVar, runtime_checkable

import torch
from torch import Tensor, nn

from seminar.errors import ConfigurationError, SeminarError

Batch = TypeVar("Batch")

LAST, BEST, LOG = "last.pt", "best.pt", "log.jsonl"


@dataclass(frozen=True, slots=True)
class Position:
    """Where in its endless stream of batches a task stands."""

    chunk: int = 0
    batch: int = 0
    examples: int = 0


class Task(Protocol[Batch]):
    """What is trained: a network, its batches from any position on, its losses and its scores."""

    @property
    def network(self) -> nn.Module: ...
    def batches(self, position: Position) -> Iterator[tuple[Batch, Position]]:
        """Batches, each with the position after it; a function of the seed and the position."""
        ...

    def losses(self, batch: Batch) -> dict[str, Tensor]:
        """Named losses, whose sum is minimised."""
        ...

    def evaluate(self) -> dict[str, float]:
        """Scores on a fixed sample; the first one decides which checkpoint is best."""
        ...


@runtime_checkable
class Exportable(Protocol):
    """A task whose trained network can be written for use: what its module's `load` reads."""

    def export(self, folder: Path) -> None: ...


@dataclass(frozen=True, slots=True)
class LoopConfig:
    """How to train; the learning rate stays at its peak and falls to zero in the last steps.

    `schedule` "stable" holds the peak and decays over `decay_steps` (warm-up, stable, decay), so
    a run can be continued without end; "linear" decays from the end of the warm-up on.
    """

    steps: int
    learning_rate: float = 1e-4
    warmup_steps: int = 200
    schedule: Literal["stable", "linear"] = "stable"
    decay_steps: int = 1000
    weight_decay: float = 0.01
    clip: float = 1.0
    seed: int = 0
    threads: int = 2
    log_steps: int = 20
    checkpoint_minutes: float = 10.0
    evaluate_minutes: float = 30.0

    def __post_init__(self) -> None:
        if self.schedule not in ("stable", "linear"):
            raise ConfigurationError(f"unknown schedule '{self.schedule}'. Known: linear, stable")

    def rate(self, step: int) -> float:
        """The learning rate of a step, counted from 0."""
        if step < self.warmup_steps:
            return self.learning_rate * (step + 1) / self.warmup_steps
        start = self.warmup_steps if self.schedule == "linear" else self.steps - self.decay_steps
        if step < start:
            return self.learning_rate
        return self.learning_rate * max(0.0, (self.steps - step) / max(1, self.steps - start))


@dataclass
class Run(Generic[Batch]):
    """A training run in its folder: everything that a checkpoint holds, and nothing else."""

    task: Task[Batch]
    config: LoopConfig
    folder: Path
    step: int = 0
    position: Position = field(default_factory=Position)
    best: float = -math.inf
    seconds: float = 0.0

    def __post_init__(self) -> None:
        torch.set_num_threads(self.config.threads)
        torch.set_flush_denormal(True)
        torch.manual_seed(self.config.seed)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.optimizer = _optimizer(self.task.network, self.config)

    def resume(self, checkpoint: Path) -> None:
        """Take up exactly where a checkpoint was written."""
        state = torch.load(checkpoint, weights_only=True)
        self.task.network.load_state_dict(state["network"])
        self.optimizer.load_state_dict(state["optimizer"])
        torch.set_rng_state(state["rng"])
        self.step, self.best, self.seconds = state["step"], state["best"], state["seconds"]
        self.position = Position(*state["position"])

    def save(self) -> None:
        """Write the checkpoint; a crash meanwhile leaves the one before it whole."""
        position = (self.position.chunk, self.position.batch, self.position.examples)
        state = {
            "network": self.task.network.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "rng": torch.get_rng_state(),
            "step": self.step,
            "best": self.best,
            "seconds": self.seconds,
            "position": position,
        }
        _write_whole(state, self.folder / LAST)

    def train(self) -> None:
        """Train until the last step or a signal to stop, then write a checkpoint."""
        with _stop_requested() as stop:
            self._train(stop)
        self.save()

    def _train(self, stop: list[int]) -> None:
        clock = _Clock(self.seconds)
        saved = evaluated = time.monotonic()
        for batch, after in self.task.batches(self.position):
            if stop or self.step >= self.config.steps:
                break
            losses = self._take_step(batch)
            self.position, self.step, self.seconds = after, self.step + 1, clock.seconds
            if self.step % self.config.log_steps == 0:
                self.log({**losses, "rate": self.config.rate(self.step - 1)})
            if time.monotonic() - evaluated > 60 * self.config.evaluate_minutes:
                self.score()
                evaluated = time.monotonic()
            if time.monotonic() - saved > 60 * self.config.checkpoint_minutes:
                self.save()
                saved = time.monotonic()
        if not stop:
            self.score()

    def _take_step(self, batch: Batch) -> dict[str, float]:
        self.task.network.train()
        for group in self.optimizer.param_groups:
            group["lr"] = self.config.rate(self.step)
        losses = self.task.losses(batch)
        total = torch.stack(list(losses.values())).sum()
        if not bool(torch.isfinite(total)):
            raise SeminarError(
                f"the loss became {total.item()} at step {self.step} "
                f"({', '.join(f'{name} {loss.item():.3g}' for name, loss in losses.items())}); "
                f"{self.folder / LAST} holds the last good state: resume it with a lower "
                f"learning rate than {self.config.learning_rate}"
            )
        torch.autograd.backward(total)
        trained = [weights for group in self.optimizer.param_groups for weights in group["params"]]
        nn.utils.clip_grad_norm_(trained, self.config.clip)
        self.optimizer.step()
        self.optimizer.zero_grad()
        return {"loss": total.item(), **{name: loss.item() for name, loss in losses.items()}}

    def score(self) -> None:
        """Evaluate, log, and keep the weights if they are the best so far."""
        self.task.network.eval()
        with torch.no_grad():
            scores = self.task.evaluate()
        self.log({"scores": scores})
        first = next(iter(scores.values()), -math.inf)
        if first > self.best:
            self.best = first
            _write_whole(
                {"network": self.task.network.state_dict(), "scores": scores, "step": self.step},
                self.folder / BEST,
            )

    def export(self, folder: Path) -> None:
        """Write the best weights for use, where the task knows how."""
        if not isinstance(self.task, Exportable):
            return
        if (self.folder / BEST).exists():
            state = torch.load(self.folder / BEST, weights_only=True)
            self.task.network.load_state_dict(state["network"])
        self.task.network.eval()
        self.task.export(folder)

    def log(self, entry: Mapping[str, object]) -> None:
        """Add a line to the log."""
        where = {
            "step": self.step,
            "examples": self.position.examples,
            "seconds": round(self.seconds, 1),
        }
        with (self.folder / LOG).open("a", encoding="utf-8") as file:
            file.write(json.dumps({**where, **entry}) + "\n")


class _Clock:
    """Seconds trained, over all sessions of a run."""

    def __init__(self, before: float) -> None:
        self._start = time.monotonic() - before

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._start


def _optimizer(network: nn.Module, config: LoopConfig) -> torch.optim.AdamW:
    """AdamW over what is trained; biases and normalisation weights don't decay."""
    trained = [weights for weights in network.parameters() if weights.requires_grad]
    groups = [
        {"params": [w for w in trained if w.ndim > 1], "weight_decay": config.weight_decay},
        {"params": [w for w in trained if w.ndim <= 1], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=config.learning_rate, fused=True)


@contextmanager
def _stop_requested() -> Iterator[list[int]]:
    """The signals that asked to stop, SIGTERM or SIGINT, as they come in."""
    received: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        received.append(number)

    before = {number: signal.signal(number, note) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield received
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _write_whole(state: Mapping[str, object], path: Path) -> None:
    """Write a file so that it is always either the old one or the new one."""
    beside = path.with_suffix(".partial")
    with beside.open("wb") as file:
        torch.save(dict(state), file)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
