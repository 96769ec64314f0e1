"""QReCC: conversations over the web with rewrites, answers and passages (Anantha et al., 2021)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from seminar.datasets.files import Split, read_json, read_json_lines
from seminar.datasets.records import Record
from seminar.examples import Evidence, Example, Gold

# The shared task's files (SCAI-QReCC) call the same things otherwise.
CONTEXT = ("Context", "NewContext")
REWRITE = ("Rewrite", "Truth_rewrite")
ANSWER = ("Answer", "Truth_answer")


def read(path: Path) -> Iterator[Example]:
    """Every turn of an official file or of the shared task's."""
    for record in read_json(path).items():
        context = record.texts(_present(record, CONTEXT))
        if len(context) % 2:
            raise record.fault("expected questions and answers in turn before the question")
        conversation, turn = record.name("Conversation_no"), record.integer("Turn_no")
        yield Example(
            id=f"{conversation}_{turn}",
            dialogue_id=conversation,
            question=record.text("Question"),
            gold=_gold(record),
            history=tuple(zip(context[::2], context[1::2], strict=True)),
            domain=record.text("Conversation_source"),
            turn=turn,
        )


def _gold(record: Record) -> Gold:
    answer = record.text(_present(record, ANSWER))
    if record.has("Truth_passages"):
        sources = record.texts("Truth_passages")
    else:
        sources = (record.text("Answer_URL"),) if record.text_or_empty("Answer_URL") else ()
    return Gold(
        answers=(answer,) if answer else (),
        answerable=bool(answer),
        rewrites=(record.text(_present(record, REWRITE)),),
        evidence=tuple(Evidence(source=source) for source in sources),
    )


def _present(record: Record, keys: tuple[str, ...]) -> str:
    return next((key for key in keys if record.has(key)), keys[0])


def read_rewrites(path: Path) -> Iterator[Example]:
    """Turns with a rewrite alone, each with its conversation as lines 'Q: ... A: ...'."""
    for number, record in enumerate(read_json_lines(path), start=1):
        history = tuple(_exchanges(record["conversation"]))
        yield Example(
            id=f"{path.stem}-{number}",
            dialogue_id=f"{path.stem}-{number}",
            question=record.text("question"),
            gold=Gold(rewrites=(record.text("label"),)),
            history=history,
            turn=len(history) + 1,
        )


def _exchanges(conversation: Record) -> Iterator[tuple[str, str]]:
    for part in f"\n{conversation.as_text()}".split("\nQ: ")[1:]:
        question, mark, answer = part.partition(" A: ")
        if not mark:
            raise conversation.expected("lines 'Q: ... A: ...'")
        yield question, answer


SPLITS = {
    "train": Split(("qrecc_train.json", "scai-qrecc21-training-turns.json"), read),
    "test": Split(("qrecc_test.json", "scai-qrecc21-test-turns.json"), read),
    "train-part": Split(("4k_sft_data_with_human_rewrite.json",), read_rewrites),
    "dev-part": Split(("dev-sampled2k-modified.json",), read),
}
