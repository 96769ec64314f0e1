"""WebQSP as multi-answer questions: the set of entities that answer (Yih et al., 2016)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from seminar.datasets.files import Split, read_json
from seminar.datasets.questions.ambigqa import Annotation, gold, read_annotations
from seminar.datasets.records import Record
from seminar.examples import Example, Reading

TITLE = "WebQSP"
SIGNATURE = ("Questions", "Parses")


def read(path: Path) -> Iterator[Example]:
    """The questions of an official file that have answers: a parse is an annotation of entities.

    Those that Freebase can't answer are left out, as in the papers that score answer sets.
    """
    for record in read_json(path).items("Questions"):
        name = record.text("QuestionId")
        parses = tuple(filter(None, map(_parse, record.items("Parses"))))
        if parses:
            yield Example(name, name, record.text("RawQuestion"), gold(parses))


def _parse(parse: Record) -> Annotation:
    return tuple(Reading((_name(answer),)) for answer in parse.items("Answers"))


def _name(answer: Record) -> str:
    # A date or a number has no entity: its argument is what it says.
    return answer.text_or_empty("EntityName") or answer.text("AnswerArgument")


def read_answer_sets(path: Path) -> Iterator[Example]:
    """Every question of a file in AmbigPrompt's form: lists of lists of aliases."""
    stem = path.name.partition(".")[0]
    for number, record in enumerate(read_json(path).items()):
        name = f"{stem}-{number}"
        yield Example(name, name, record.text("question"), gold(read_annotations(record)))


SPLITS = {
    "train": Split(("WebQSP.train.json", "data/WebQSP.train.json"), read),
    "test": Split(("WebQSP.test.json", "data/WebQSP.test.json"), read),
    "train-answers": Split(("train.json",), read_answer_sets),
    "dev-answers": Split(("dev.json",), read_answer_sets),
    "test-answers": Split(("test.json",), read_answer_sets),
}
