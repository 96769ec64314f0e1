"""BoolQ: yes-or-no questions about a passage (Clark et al., 2019)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from seminar.datasets.files import Split, read_json_lines
from seminar.datasets.records import Record
from seminar.examples import Example, Gold
from seminar.types import Affirmation

TITLE = "BoolQ"
SIGNATURE = ("passage", "question")


def read(path: Path) -> Iterator[Example]:
    """Every question of an official file or of SuperGLUE's form; a test question has no answer."""
    stem = path.name.partition(".")[0]
    for number, record in enumerate(read_json_lines(path)):
        name = f"{stem}-{number}"
        yield Example(
            id=name,
            dialogue_id=name,
            question=record.text("question"),
            gold=_gold(record),
            context=record.text("passage"),
            title=record.text_or_empty("title"),
            sources=(name,),
        )


def _gold(record: Record) -> Gold:
    key = "label" if record.has("label") else "answer"
    if not record.has(key):
        return Gold()
    affirmation: Affirmation = "yes" if record.flag(key) else "no"
    return Gold((affirmation,), affirmation=affirmation)


SPLITS = {
    "train": Split(("train.jsonl",), read),
    "dev": Split(("dev.jsonl", "val.jsonl"), read),
    "test": Split(("test.jsonl",), read),
    "combined": Split(("combined.jsonl",), read),
}
