"""The setup of a run, a split with its settings, and the systems that predict on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from seminar.evaluation.predictions import Prediction
from seminar.examples import Example
from seminar.settings import Settings

Predictor = Callable[[Sequence[Example]], list[Prediction]]


@dataclass(frozen=True, slots=True)
class Setup:
    """A split by name with all its examples; `scratch` is a folder that lives as long as the run.

    `examples` is the whole split even where only a part is predicted: baselines without a training
    set are fitted on the other half of its dialogs.
    """

    name: str
    examples: Sequence[Example]
    scratch: Path
    root: Path | None = None
    settings: Settings = field(default_factory=Settings)
    seed: int = 0

    @property
    def dataset(self) -> str:
        return self.name.partition("/")[0]


@dataclass(frozen=True, slots=True)
class System:
    """A predictor, the kind of measure of its predictions, and a note for the table.

    `material` is a fingerprint of what it was fitted on or searches, where that is more than the
    examples that it predicts.
    """

    predict: Predictor
    kind: str = "answers"
    note: str = ""
    material: str = ""
