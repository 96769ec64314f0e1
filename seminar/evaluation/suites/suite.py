"""A suite: one dataset's measures, official formats, baselines and corpora."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from seminar.datasets.catalog import load
from seminar.evaluation.corpora import Corpus
from seminar.evaluation.files import Json
from seminar.evaluation.formats import PredictionFormat
from seminar.evaluation.predictions import Prediction
from seminar.evaluation.references import ReferenceReader, example_id
from seminar.evaluation.setup import Setup, System
from seminar.evaluation.tasks import Task
from seminar.examples import Example
from seminar.types import Passage

Builder = Callable[[Setup], System]
Pairs = Sequence[tuple[Example, Prediction]]
Table = dict[str, float]


class Scorer(Protocol):
    """Parsed references and predictions, in their official formats, to scores by name."""

    def __call__(self, references: Json, predictions: Json, *, strict: bool = False) -> Table: ...


@dataclass(frozen=True, slots=True)
class Conversion:
    """Between a run's predictions of one kind of measure and an official format.

    `key` is the id of a question in the official file.
    """

    write: Callable[[Pairs], str]
    read: Callable[[str, Json], Prediction]
    kind: str = "answers"
    key: Callable[[Example], str] = example_id


@dataclass(frozen=True, slots=True)
class OfficialFormat:
    """The files of an official scorer, and the scorer; a run's predictions may be converted."""

    predictions: PredictionFormat
    references: ReferenceReader
    score: Scorer
    conversion: Conversion | None = None


@dataclass(frozen=True, slots=True)
class Suite:
    """A dataset's tasks by kind of measure, official formats by scorer, and systems by name.

    `passages` is the official corpus, which the assistant searches, within the `scope` of a
    question if there is one; `given` says that it reads the passage of a question's evidence
    instead. `corpus` is what a grid searches: the official one, or the nearest substitute.
    `splits` holds the suites of splits that differ from the dataset's other ones.
    """

    tasks: Mapping[str, Task] = field(default_factory=dict)
    formats: Mapping[str, OfficialFormat] = field(default_factory=dict)
    systems: Mapping[str, Builder] = field(default_factory=dict)
    load: Callable[[str, Path | None], Iterator[Example]] = load
    passages: Callable[[Path | None], Iterable[Passage]] | None = None
    scope: Callable[[Example], str] | None = None
    given: bool = False
    corpus: Callable[[Setup], Corpus] | None = None
    splits: Mapping[str, Suite] = field(default_factory=dict)


def dumped(value: Json) -> str:
    """JSON as prediction files hold it."""
    return json.dumps(value, ensure_ascii=False)


def write_answers(pairs: Pairs) -> str:
    """{id: answer}, the format of SQuAD and QAConv."""
    return dumped({prediction.id: prediction.answer for _, prediction in pairs})


def flat_table(tables: Mapping[str, Mapping[str, Json]]) -> Table:
    """Tables by part as one, 'part name' to number."""
    return {
        f"{part} {name}": value for part, table in tables.items() for name, value in table.items()
    }
