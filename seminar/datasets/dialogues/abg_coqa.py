"""Abg-CoQA: ambiguous turns of CoQA with clarifying questions (Guo et al., 2021)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from seminar.datasets.files import Split, read_json
from seminar.datasets.records import Record
from seminar.examples import Evidence, Example, Gold, Reading

TITLE = "Abg-CoQA"
SIGNATURE = ("clarification_turn",)
ANSWERS = ("org_ans", "org_ans_2", "org_ans_3")
CLARIFICATIONS = ("clarification_turn", "clarification_turn_2")


def read(path: Path) -> Iterator[Example]:
    """Every turn of an official file; an ambiguous one has annotations and clarifications."""
    for record in read_json(path).items("data"):
        target = record["target_turn"]
        yield Example(
            id=record.text("id"),
            dialogue_id=record.text("id").split("|")[0],
            question=target.text("question"),
            gold=_gold(record),
            history=tuple(
                (turn.text("question"), turn.text("answer"))
                for turn in record.items("history_turns")
            ),
            context=record.text("story"),
            domain=record.text("source"),
            sources=(record.text("id").split("|")[0],),
            turn=target.integer("turn_id"),
        )


def _gold(record: Record) -> Gold:
    target = record["target_turn"]
    turns = [record[key] for key in CLARIFICATIONS if record.has(key) and record[key].value]
    return Gold(
        answers=(target.text("answer"),),
        answerable=target.text("answer").strip().lower() != "unknown",
        spans=((target.integer("span_start"), target.integer("span_end")),),
        evidence=(Evidence(target.text("rationale")),),
        annotations=tuple(tuple(map(_reading, turn.items("answers"))) for turn in turns),
        clarifications=tuple(turn.text("question") for turn in turns),
    )


def _reading(answer: Record) -> Reading:
    aliases = tuple(answer.text(key) for key in ANSWERS if answer.has(key))
    return Reading(aliases, question=answer.text("clr_ans"))


SPLITS = {
    "train": Split(("coqa_abg_train.json",), read),
    "val": Split(("coqa_abg_val.json",), read),
    "test": Split(("coqa_abg_test.json",), read),
}
