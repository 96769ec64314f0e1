"""What is analysed: datasets by name, and files and folders, recognised by their content."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from seminar.analysis.published import SPLITS
from seminar.analysis.service_files import is_database
from seminar.datasets.catalog import DATASETS, load_file, recognise
from seminar.datasets.recognition import opening_keys
from seminar.errors import ConfigurationError, DatasetError, unknown

Kind = Literal["dataset", "predictions", "run", "chat", "database", "log", "arms", ""]

LOG, CONFIGURATION, PREDICTIONS = "log.jsonl", "configuration.json", "predictions.jsonl"
ENDINGS = (".json", ".jsonl", ".json.gz", ".jsonl.gz", ".db", ".sqlite", ".sqlite3")
MOST_FILES = 5_000  # of a folder
DEPTH = 4  # folders below one that is named
# A file is of the first kind all of whose keys it begins with; datasets come after these.
SIGNATURES: tuple[tuple[Kind, frozenset[str]], ...] = (
    ("arms", frozenset({"arms", "questions"})),
    ("log", frozenset({"step", "examples", "seconds"})),
    ("chat", frozenset({"question", "text", "answerable", "literal", "followups"})),
    ("chat", frozenset({"turns", "question", "reply"})),
    ("chat", frozenset({"question", "reply", "number"})),
    ("predictions", frozenset({"id", "answer", "seconds", "megabytes"})),
    ("predictions", frozenset({"qid", "best_span_str"})),
)


@dataclass(frozen=True)
class Inputs:
    """What was named, by kind; `skipped` are files of folders that are none of them."""

    splits: tuple[str, ...] = ()
    files: dict[Kind, tuple[Path, ...]] = field(default_factory=dict)
    skipped: tuple[Path, ...] = ()

    def of(self, kind: Kind) -> tuple[Path, ...]:
        return self.files.get(kind, ())


def find_inputs(names: Sequence[str]) -> Inputs:
    """Sort datasets, files and folders by kind; a name that is none of them is an error."""
    splits: list[str] = []
    found: dict[Kind, list[Path]] = {}
    skipped: list[Path] = []
    for name in names:
        path = Path(name)
        if not path.exists():
            splits += _splits(name)
            continue
        for file, kind in _recognised(path):
            if kind:
                found.setdefault(kind, []).append(file)
            elif path.is_file():
                found.setdefault("predictions", []).append(file)  # an official form of its dataset
            else:
                skipped.append(file)
    files = {kind: tuple(dict.fromkeys(paths)) for kind, paths in found.items()}
    return Inputs(tuple(dict.fromkeys(splits)), files, tuple(skipped))


def _splits(name: str) -> list[str]:
    """The split of a name, or those of the paper if it names a dataset alone."""
    dataset, slash, split = name.partition("/")
    if dataset not in DATASETS:
        if slash or "." in name:
            raise ConfigurationError(
                f"{name}: no such file, and no dataset. Known: {', '.join(sorted(DATASETS))}"
            )
        raise unknown("dataset or file", name, DATASETS)
    known = DATASETS[dataset].SPLITS
    if slash:
        if split not in known:
            raise unknown(f"split of {dataset}", split, known)
        return [name]
    if dataset not in SPLITS:
        raise ConfigurationError(
            f"{dataset}: name a split, as in {dataset}/{next(iter(known))}. "
            f"Known: {', '.join(known)}"
        )
    return [f"{dataset}/{split}" for split in SPLITS[dataset]]


def _recognised(path: Path) -> Iterator[tuple[Path, Kind]]:
    if path.is_file():
        yield path, kind_of(path)
        return
    for number, (file, kind) in enumerate(_within(path, DEPTH)):
        if number == MOST_FILES:
            raise ConfigurationError(
                f"{path} holds more than {MOST_FILES:,} files: name a folder below it"
            )
        yield file, kind


def _within(folder: Path, depth: int) -> Iterator[tuple[Path, Kind]]:
    """The runs, logs and files of a folder; links to folders are not followed."""
    if (folder / CONFIGURATION).is_file() and (folder / PREDICTIONS).is_file():
        yield folder, "run"
        return
    for path in sorted(folder.iterdir()):
        if path.name.startswith("."):
            continue
        if path.is_dir() and not path.is_symlink() and depth:
            yield from _within(path, depth - 1)
        elif path.is_file() and path.name.endswith(ENDINGS):
            kind = kind_of(path)
            yield path, kind if kind != "dataset" or _readable(path) else ""


def _readable(path: Path) -> bool:
    """Whether the first record of a file has the form of the dataset whose keys it has."""
    try:
        next(load_file(form_of(path), path), None)
    except DatasetError:
        return False
    return True


def form_of(path: Path) -> str:
    """The dataset, or the split with a form of its own, in which a file is to be read.

    A file with an official name in a folder with the dataset's name is that split.
    """
    dataset = DATASETS.get(path.parent.name)
    name = path.name.removesuffix(".gz")
    if dataset:
        for split, official in dataset.SPLITS.items():
            if name in official.names:
                return f"{path.parent.name}/{split}"
    return recognise(path)


def kind_of(path: Path) -> Kind:
    """The kind of a file by its beginning; "" if it is none of those that are known."""
    if is_database(path):
        return "database"
    keys = opening_keys(path)
    for kind, signature in SIGNATURES:
        if signature <= keys:
            return kind
    if form_of(path):
        return "dataset"
    return "predictions" if {"id", "answer"} <= keys and "question" not in keys else ""


def dataset_of_run(folder: Path) -> str:
    """The split that the configuration of a run names."""
    file = folder / CONFIGURATION
    try:
        held = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigurationError(f"{file}: can't be read: {error}") from error
    dataset = held.get("dataset") if isinstance(held, dict) else None
    if not isinstance(dataset, str):
        raise ConfigurationError(f"{file}: names no dataset")
    return dataset
