"""QReCC: conversations over the web with rewrites, answers and passages (Anantha et al., 2021)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from seminar.datasets.dialogues.turn_records import example_of
from seminar.datasets.files import Split, read_json, read_json_lines
from seminar.datasets.records import Record
from seminar.examples import Evidence, Example, Gold

TITLE = "QReCC"
SIGNATURE = ("Conversation_no", "Conversation_source")
# The official key, then that of the shared task's files (SCAI-QReCC).
CONTEXT = ("Context", "NewContext")
REWRITE = ("Rewrite", "Truth_rewrite")
ANSWER = ("Answer", "Truth_answer")


def read(path: Path) -> Iterator[Example]:
    """The turns of an official file or of the shared task's."""
    for record in read_json(path).items():
        yield example_of(
            record,
            _gold(record),
            context=_present(record, CONTEXT),
            domain=record.text("Conversation_source"),
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
