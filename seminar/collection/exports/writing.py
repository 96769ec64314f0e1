"""Writing a study's dialogs in an official form, so that `seminar.load_dataset` reads them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from seminar.collection.exports import pragmaticqa, qaconv, quac, topiocqa
from seminar.collection.exports.conversations import Conversation, conversations
from seminar.collection.exports.datasheet import datasheet
from seminar.collection.exports.splits import SHARES, SPLITS, disjoint_splits, in_split
from seminar.collection.records import StudyRecords
from seminar.errors import ConfigurationError, unknown
from seminar.io import write_atomic

DATASHEET = "README.md"

SplitFiles = Callable[[StudyRecords, Mapping[str, Sequence[Conversation]]], dict[str, object]]
FORMATS: dict[str, SplitFiles] = {
    "quac": quac.split_files,
    "topiocqa": topiocqa.split_files,
    "pragmaticqa": pragmaticqa.split_files,
    "qaconv": qaconv.split_files,
}


@dataclass(frozen=True, slots=True)
class Export:
    """The files of an export, and how many dialogs each split has."""

    files: tuple[Path, ...]
    dialogs: Mapping[str, int]


def export(
    name: str,
    records: StudyRecords,
    folder: Path,
    *,
    shares: tuple[int, int, int] = SHARES,
    seed: int = 0,
) -> Export:
    """Write the dialogs in the form `name` below `folder`, with a datasheet.

    `seminar.load_dataset("quac/val", folder)` reads what `export("quac", records, folder)` wrote.
    """
    if name not in FORMATS:
        raise unknown("form", name, FORMATS)
    if name != records.protocol:
        raise ConfigurationError(
            f"study '{records.name}' collects {records.protocol}; its dialogs can't be {name}"
        )
    whole = conversations(records)
    split_of = disjoint_splits(records, whole, shares=shares, seed=seed)
    splits: dict[str, list[Conversation]] = {
        split: in_split(whole, split_of, split) for split in SPLITS
    }
    files = FORMATS[name](records, splits)
    texts = {file: _text(file, content) for file, content in files.items()}
    counts = {split: len(dialogs) for split, dialogs in splits.items()}
    texts[DATASHEET] = datasheet(records, counts)
    for file, text in texts.items():
        write_atomic(folder / name / file, text.encode())
    return Export(tuple(folder / name / file for file in texts), counts)


def _text(file: str, content: object) -> str:
    if file.endswith(".jsonl") and isinstance(content, list):
        return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in content)
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"
