"""Molweni: questions about Ubuntu chat among several people (Li et al., 2020)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from seminar.datasets.files import Split, read_json
from seminar.datasets.questions.squad import gold
from seminar.examples import Example

TITLE = "Molweni"
SIGNATURE = ("edus",)


def read(path: Path) -> Iterator[Example]:
    """Every question of an official reading file; the context is the chat in lower case."""
    stem = path.name.partition(".")[0]
    for number, dialogue in enumerate(read_json(path)["data"].items("dialogues")):
        context = dialogue.text("context")
        for qa in dialogue.items("qas"):
            yield Example(
                id=qa.text("id"),
                dialogue_id=qa.text("id"),
                question=qa.text("question"),
                gold=gold(qa),
                context=context,
                sources=(f"{stem}-{number}",),
            )


SPLITS = {
    part: Split((f"{part}.json", f"MRC(withDiscourse)/{part}.json", f"MRC/{part}.json"), read)
    for part in ("train", "dev", "test")
}
