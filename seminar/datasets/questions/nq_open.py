"""NQ-open: questions to a search engine with short answers (Lee et al., 2019)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from seminar.datasets.files import Split, read_records, read_rows
from seminar.datasets.records import Record
from seminar.errors import DatasetError
from seminar.examples import Example, Gold

TITLE = "NQ-open"
SIGNATURE = ("question", "answer")


def read(path: Path) -> Iterator[Example]:
    """Every question of an official file (JSON lines) or of AmbigQA's copy (one JSON list)."""
    stem = path.name.partition(".json")[0]
    for number, record in enumerate(read_records(path)):
        name = record.name("id") if record.has("id") else f"{stem}-{number}"
        yield Example(name, name, record.text("question"), Gold(record.texts("answer")))


def read_pairs(path: Path) -> Iterator[Example]:
    """Every question of DPR's form: a tab, then the answers as a Python list."""
    stem = path.name.rpartition(".")[0]
    for number, (where, (question, answers)) in enumerate(read_rows(path, 2)):
        name = f"{stem}-{number}"
        yield Example(name, name, question, Gold(_listed(answers, where)))


def _listed(cell: str, where: str) -> tuple[str, ...]:
    try:
        value: object = ast.literal_eval(cell)
    except (ValueError, SyntaxError) as error:
        raise DatasetError(f"{where}: expected a list of answers, found {cell[:60]!r}") from error
    return tuple(item.as_text() for item in Record(value, where).items())


SPLITS = {
    "train": Split(("NQ-open.train.jsonl", "nqopen-train.json"), read),
    "dev": Split(("NQ-open.dev.jsonl", "nqopen-dev.json"), read),
    "test": Split(("nqopen-test.json",), read),
    "efficientqa-dev": Split(("NQ-open.efficientqa.dev.1.1.jsonl",), read),
    "efficientqa-test": Split(("NQ-open.efficientqa.test.1.1.jsonl",), read),
    "dpr-dev": Split(("nq-dev.qa.csv", "topics.nq.dev.txt", "topics.dpr.nq.dev.txt"), read_pairs),
    "dpr-test": Split(
        ("nq-test.qa.csv", "topics.nq.test.txt", "topics.dpr.nq.test.txt"), read_pairs
    ),
}
