"""References for official scorers, read from a dataset's official file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from seminar.datasets.catalog import DATASETS, load_file, recognise
from seminar.errors import ScoringError
from seminar.evaluation.files import Json, read_any
from seminar.examples import Example

# Their keys are so common that a file which has them may still belong to another dataset.
VAGUE = {"nq_open", "boolq"}


@dataclass(frozen=True, slots=True)
class References:
    """The references as a scorer reads them, and the ids of their questions in order."""

    value: Json
    ids: list[str]


ReferenceReader = Callable[[Path], References]


def example_id(example: Example) -> str:
    return example.id


def dataset_references(
    dataset: str,
    *,
    split: str = "",
    key: Callable[[Example], str] = example_id,
    value: Callable[[list[Example]], Json] | None = None,
) -> ReferenceReader:
    """A reader of a dataset's official file; a file of another dataset is named as such.

    `key` is the id of a question in predictions. Without `value` the scorer gets the file as it is.
    """

    def read(path: Path) -> References:
        other = recognise(path)
        if other and other != dataset and other not in VAGUE:
            titles = DATASETS[other].TITLE, DATASETS[dataset].TITLE
            raise ScoringError(f"{path.name}: this looks like {titles[0]}, not {titles[1]}")
        examples = list(load_file(split or dataset, path))
        if not examples:
            raise ScoringError(f"{path.name}: holds no questions")
        ids = [key(example) for example in examples]
        return References(value(examples) if value else read_any(path).value, ids)

    return read
