"""CANARD: QuAC questions rewritten to stand alone (Elgohary et al., 2019)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

from seminar.datasets.files import Split, find, read_json, read_rows
from seminar.errors import DatasetError
from seminar.examples import Example, Gold

TITLE = "CANARD"
SIGNATURE = ("QuAC_dialog_id",)


def read(path: Path) -> Iterator[Example]:
    """Every question of an official file; its history begins with the title and the section."""
    for record in read_json(path).items():
        history = record.texts("History")
        if len(history) < 2 or len(history) % 2:
            raise record["History"].expected("title, section, then questions and answers in turn")
        dialogue, turn = record.text("QuAC_dialog_id"), record.integer("Question_no")
        yield Example(
            id=f"{dialogue}_q#{turn - 1}",
            dialogue_id=dialogue,
            question=record.text("Question"),
            gold=Gold(rewrites=(record.text("Rewrite"),)),
            history=tuple(zip(history[2::2], history[3::2], strict=True)),
            title=history[0],
            section=history[1],
            turn=turn,
        )


def read_pairs(path: Path) -> Iterator[Example]:
    """The questions of `train.question.tsv` with the rewrites beside it.

    The answers given before aren't in these files: they are empty in the history.
    """
    beside = find(path.parent, (path.name.replace("question", "rewrite"),))
    history: tuple[tuple[str, str], ...] = ()
    before = ""
    for questions, rewrites in zip_longest(read_rows(path, 2), read_rows(beside, 2)):
        if questions is None or rewrites is None:
            raise DatasetError(f"{path.name}: has not as many lines as {beside.name}")
        (where, (name, question)), (_, (same, rewrite)) = questions, rewrites
        dialogue, mark, number = name.partition("_q#")
        if name != same or not mark or not number.isdecimal():
            raise DatasetError(f"{where}: expected 'C_..._q#n' as in the rewrites, found '{name}'")
        history = history if dialogue == before else ()
        yield Example(
            id=name,
            dialogue_id=dialogue,
            question=question,
            gold=Gold(rewrites=(rewrite,)),
            history=history,
            turn=int(number) + 1,
        )
        history, before = (*history, (question, "")), dialogue


SPLITS = {
    "train": Split(("train.json",), read),
    "dev": Split(("dev.json",), read),
    "test": Split(("test.json",), read),
    "train-pairs": Split(("train.question.tsv",), read_pairs),
}
