"""CoQA: conversations about a story, with free-form answers and rationales (Reddy et al., 2019)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from seminar.datasets.files import Split, read_json
from seminar.datasets.records import Record
from seminar.examples import Evidence, Example, Gold

TITLE = "CoQA"
SIGNATURE = ("story", "span_text", "input_text")
UNKNOWN = "unknown"


def read(path: Path) -> Iterator[Example]:
    """Every turn of an official file; `spans` are those of the rationales."""
    for story in read_json(path).items("data"):
        yield from _turns(story)


def _turns(story: Record) -> Iterator[Example]:
    annotators = [list(story.items("answers"))]
    if story.has("additional_answers"):
        annotators += [list(answers.items()) for _, answers in story["additional_answers"].fields()]
    history: tuple[tuple[str, str], ...] = ()
    for number, record in enumerate(story.items("questions")):
        answers = [_answer(story, answered, number) for answered in annotators]
        question = record.text("input_text")
        yield Example(
            id=f"{story.text('id')}#{record.integer('turn_id')}",
            dialogue_id=story.text("id"),
            question=question,
            gold=_gold(answers),
            history=history,
            context=story.text("story"),
            domain=story.text("source"),
            sources=(story.text("id"),),
            turn=record.integer("turn_id"),
        )
        history = (*history, (question, answers[0].text("input_text")))


def _answer(story: Record, answers: list[Record], number: int) -> Record:
    if number >= len(answers):
        raise story.fault(f"questions[{number}] has no answer (an annotator gave {len(answers)})")
    return answers[number]


def _gold(answers: list[Record]) -> Gold:
    texts = tuple(answer.text("input_text") for answer in answers)
    return Gold(
        answers=texts,
        answerable=texts[0].strip().lower() != UNKNOWN,
        spans=tuple(
            (answer.integer("span_start"), answer.integer("span_end")) for answer in answers
        ),
        evidence=tuple(Evidence(answer.text("span_text")) for answer in answers),
    )


SPLITS = {
    "train": Split(("coqa-train-v1.0.json",), read),
    "dev": Split(("coqa-dev-v1.0.json",), read),
}
