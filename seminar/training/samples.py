"""Fixed samples: the same examples are held out on every machine and in every run."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from seminar.datasets.catalog import load, locate
from seminar.datasets.conversations.qaconv_chunks import load_split
from seminar.datasets.dialogues.written import WrittenSet, read_sets
from seminar.examples import Example

DEVELOPMENT_DIALOGS = 100
HELD_OUT_BOOLQ = 2000
CALIBRATION_SETS = 24
LONGEST_TITLE = 100


def rank(key: str) -> str:
    """A fixed random order, the same on every machine: sort by it and cut."""
    return hashlib.sha256(key.encode()).hexdigest()


def split_off(examples: Iterable[Example], count: int) -> tuple[list[Example], list[Example]]:
    """The rest, and the examples of `count` whole dialogues held out, always the same ones."""
    everything = list(examples)
    dialogues = sorted({example.dialogue_id for example in everything}, key=rank)
    held_out = set(dialogues[:count])
    return (
        [example for example in everything if example.dialogue_id not in held_out],
        [example for example in everything if example.dialogue_id in held_out],
    )


def sample(examples: Iterable[Example], count: int) -> list[Example]:
    """A fixed sample of examples."""
    return sorted(examples, key=lambda example: rank(example.id))[:count]


def quac_parts() -> tuple[list[Example], list[Example]]:
    """The QuAC part: what readers train on, and 100 dialogs that none has seen."""
    return split_off(load("quac/val-part"), DEVELOPMENT_DIALOGS)


def boolq_parts() -> tuple[list[Example], list[Example]]:
    """The labelled questions of BoolQ: what readers train on, and 2,000 that none has seen."""
    labelled = (example for example in load("boolq/combined") if example.gold.affirmation)
    return split_off(map(titled, labelled), HELD_OUT_BOOLQ)


def titled(example: Example) -> Example:
    """The title that BoolQ's passages begin with as a title: it would give away a yes or no."""
    title, mark, passage = example.context.partition(" -- ")
    if example.title or not mark or len(title) > LONGEST_TITLE:
        return example
    return replace(example, title=title, context=passage)


def written_parts(root: Path | None = None) -> tuple[list[WrittenSet], list[WrittenSet]]:
    """The written training sets: those that readers train on, and 24 for their calibration."""
    groups = sorted(read_sets(locate("written/train", root)), key=lambda group: rank(group.id))
    return groups[CALIBRATION_SETS:], groups[:CALIBRATION_SETS]


def qaconv_chunks(root: Path | None = None) -> list[Example]:
    """QAConv's training questions, each about its chunk, with the answer's span in it."""
    return [_marked(example) for example in load_split("qaconv/trn-chunk", root)]


def _marked(example: Example) -> Example:
    wanted = (re.escape(answer) for answer in example.gold.answers if answer)
    found = (re.search(answer, example.context, re.IGNORECASE) for answer in wanted)
    spans = tuple(place.span() for place in found if place)
    return replace(example, gold=replace(example.gold, spans=spans[:1]))
