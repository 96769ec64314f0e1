"""AmbigQA: questions with several answers, each with its reading (Min et al., 2020)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from seminar.datasets.files import Split, read_json
from seminar.datasets.records import Record
from seminar.examples import Example, Gold, Reading

TITLE = "AmbigQA"
SIGNATURE = ("annotations", "qaPairs")
Annotation = tuple[Reading, ...]


def read(path: Path) -> Iterator[Example]:
    """Every question of an official file, full or light, or of AmbigPrompt's answer sets."""
    stem = path.name.partition(".")[0]
    for number, record in enumerate(read_json(path).items()):
        name = record.name("id") if record.has("id") else f"{stem}-{number}"
        yield Example(name, name, record.text("question"), gold(read_annotations(record)))


def gold(annotated: tuple[Annotation, ...]) -> Gold:
    """Every alias of every annotator as an answer, beside the annotations themselves."""
    aliases = (alias for readings in annotated for reading in readings for alias in reading.aliases)
    return Gold(answers=tuple(dict.fromkeys(aliases)), annotations=annotated)


def read_annotations(record: Record) -> tuple[Annotation, ...]:
    """What each annotator found: official annotations, or lists of lists of aliases."""
    if record.has("annotations"):
        return tuple(map(_annotation, record.items("annotations")))
    return tuple(
        tuple(
            Reading(tuple(alias.as_text() for alias in answer.items()))
            for answer in annotation.items()
        )
        for annotation in record.items("answers")
    )


def _annotation(record: Record) -> Annotation:
    kind = record.text("type")
    if kind == "singleAnswer":
        return (Reading(record.texts("answer")),)
    if kind == "multipleQAs":
        return tuple(
            Reading(pair.texts("answer"), question=pair.text("question"))
            for pair in record.items("qaPairs")
        )
    raise record["type"].expected("'singleAnswer' or 'multipleQAs'")


SPLITS = {
    "train": Split(("train.json", "train_light.json", "ambigqa_train_light.json"), read),
    "dev": Split(("dev.json", "dev_light.json", "ambigqa_dev_from_AmbigPrompt.json"), read),
}
