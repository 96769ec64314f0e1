"""The configuration of a run: length, learning rate, hardware, evaluation and checkpoints."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, Protocol, get_args, runtime_checkable

from seminar.errors import ConfigurationError, unknown

Schedule = Literal["stable", "linear", "constant"]
Precision = Literal["fp32", "bf16", "fp16"]
Hardware = Literal["auto", "cpu", "accelerate"]


@runtime_checkable
class Countable(Protocol):
    """A task that knows how many batches make an epoch."""

    @property
    def epoch_batches(self) -> int: ...


@dataclass(frozen=True, slots=True)
class LoopConfig:
    """How to train, for a number of `steps` or `epochs`.

    `schedule` "stable" holds the peak and decays to zero over `decay_steps` (warm-up, stable,
    decay), so a run can be continued without end; "linear" decays from the end of the warm-up on,
    "constant" never. A step sees `accumulate` batches. Scores are taken by minutes, or by steps or
    epochs where these are set; where they don't improve, `halve` halves the learning rate, and
    `patience` evaluations in a row without improvement end the run (PragmatiCQA, appendix E).
    """

    steps: int = 0
    epochs: float = 0.0
    learning_rate: float = 1e-4
    warmup_steps: int = 200
    schedule: Schedule = "stable"
    decay_steps: int = 1000
    weight_decay: float = 0.01
    clip: float = 1.0
    accumulate: int = 1
    seed: int = 0
    threads: int = 2
    hardware: Hardware = "auto"
    precision: Precision = "fp32"
    log_steps: int = 20
    checkpoint_minutes: float = 10.0
    evaluate_minutes: float = 30.0
    evaluate_steps: int = 0
    evaluate_epochs: float = 0.0
    halve: bool = False
    patience: int = 0

    def __post_init__(self) -> None:
        if self.steps <= 0 and self.epochs <= 0:
            raise ConfigurationError(
                "no 'steps' and no 'epochs' under [loop]: say how long to train"
            )
        if self.accumulate < 1:
            raise ConfigurationError(f"'accumulate' is {self.accumulate}; a step needs a batch")
        for name, kinds in (
            ("schedule", Schedule),
            ("precision", Precision),
            ("hardware", Hardware),
        ):
            if getattr(self, name) not in get_args(kinds):
                raise unknown(name, getattr(self, name), get_args(kinds))
        if self.hardware == "cpu" and self.precision != "fp32":
            raise ConfigurationError(
                f"precision '{self.precision}' needs hardware 'auto' or 'accelerate', not 'cpu'"
            )

    def rate(self, step: int) -> float:
        """The learning rate of a step, counted from 0."""
        if step < self.warmup_steps:
            return self.learning_rate * (step + 1) / self.warmup_steps
        starts = {
            "linear": self.warmup_steps,
            "stable": self.steps - self.decay_steps,
            "constant": self.steps,
        }
        start = starts[self.schedule]
        if step < start:
            return self.learning_rate
        return self.learning_rate * max(0.0, (self.steps - step) / max(1, self.steps - start))

    def in_steps(self, task: object, processes: int) -> LoopConfig:
        """The same with epochs counted in steps."""
        if self.epochs <= 0 and self.evaluate_epochs <= 0:
            return self
        if not isinstance(task, Countable):
            raise ConfigurationError(
                f"{type(task).__name__} doesn't know how long an epoch is: "
                "set 'steps' and 'evaluate_steps' instead of epochs"
            )
        steps = task.epoch_batches / (self.accumulate * processes)
        return replace(
            self,
            steps=max(1, round(self.epochs * steps)) if self.epochs > 0 else self.steps,
            epochs=0.0,
            evaluate_steps=max(1, round(self.evaluate_epochs * steps))
            if self.evaluate_epochs > 0
            else self.evaluate_steps,
            evaluate_epochs=0.0,
        )
