"""What a system is tried on: a split, where its files lie, and how the assistant is set."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from seminar.evaluation.predictions import Prediction
from seminar.examples import Example
from seminar.settings import Settings


@dataclass(frozen=True, slots=True)
class Bench:
    """A split by name with all its examples; `scratch` is a folder that lives as long as the run.

    `examples` is the whole split also where only a part is predicted: baselines that find no
    training set are fitted on the other half of its dialogs.
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
    """What predicts, what its predictions are measured by, and what must be said beside them.

    `material` is a fingerprint of what it was fitted on or searches, where that is more than the
    examples that it predicts.
    """

    predict: Callable[[Sequence[Example]], list[Prediction]]
    kind: str = "answers"
    note: str = ""
    material: str = ""
