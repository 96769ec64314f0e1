"""WebQuestions: questions that one or several Freebase entities answer (Berant et al., 2013)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from seminar.datasets.files import Split, read_json
from seminar.datasets.questions.ambigqa import gold
from seminar.examples import Example, Reading

TITLE = "WebQuestions"
SIGNATURE = ("qId", "qText")


def read(path: Path) -> Iterator[Example]:
    """Every question of a file; each entity is an answer of its own."""
    for record in read_json(path).items():
        name = record.text("qId")
        answers = tuple(Reading((answer,)) for answer in record.texts("answers"))
        yield Example(name, name, record.text("qText"), gold((answers,)))


SPLITS = {part: Split((f"{part}.json",), read) for part in ("trainmodel", "val", "devtest", "test")}
