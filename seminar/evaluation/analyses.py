"""Analyse datasets, predictions, conversations and training logs into one report."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import pandas as pd

from seminar.analysis.arms import by_arm
from seminar.analysis.chats import chat_turns
from seminar.analysis.exhibits import Section
from seminar.analysis.frames import turns
from seminar.analysis.inputs import Inputs, dataset_of_run, find_inputs, form_of
from seminar.analysis.outcomes import Outcome
from seminar.analysis.report.writing import INDEX, check_folder, write_report
from seminar.analysis.sections import (
    chats_section,
    dataset_section,
    systems_section,
    training_section,
)
from seminar.analysis.service_files import database_chats, file_chats
from seminar.analysis.training_logs import read_log
from seminar.datasets.catalog import load, load_file, locate, threads
from seminar.datasets.files import read_records
from seminar.errors import ConfigurationError, DatasetError
from seminar.evaluation.outcomes import read_outcomes
from seminar.evaluation.suites.catalog import find_suite
from seminar.examples import Example
from seminar.types import Thread

Watch = Callable[[str, int, int | None], None]  # the step, how much is done, of how much

TITLE = "Analysis"


@dataclass(frozen=True)
class Analysis:
    """A written report: its folder, its sections, its files, and files that were no input."""

    folder: Path
    sections: tuple[Section, ...]
    files: tuple[Path, ...]
    skipped: tuple[Path, ...] = ()

    def as_record(self) -> dict[str, object]:
        """The report as plain data: every exhibit with its rows, or with what it lacks."""
        return {
            "report": str(self.folder / INDEX),
            "files": [path.name for path in self.files],
            "skipped": [str(path) for path in self.skipped],
            "sections": [
                {
                    "title": section.title,
                    "exhibits": [
                        {"name": one.name, "title": one.title, "lacks": one.lacks or None,
                         "rows": json.loads(one.frame.to_json(orient="records"))}
                        for one in section.exhibits
                    ],
                }
                for section in self.sections
            ],
        }  # fmt: skip


def analyse(
    names: Sequence[str],
    to: Path,
    *,
    root: Path | None = None,
    watch: Watch = lambda step, done, total: None,
) -> Analysis:
    """Analyse datasets, files and folders, and write the report to a folder."""
    check_folder(to)
    inputs = find_inputs(names)
    sections = tuple(_sections(inputs, root, watch))
    if not sections:
        raise ConfigurationError(
            f"nothing to analyse in {', '.join(names)}: no file there is a dataset, predictions, "
            "a saved conversation or a training log"
        )
    title = f"{TITLE}: {', '.join(_shown(name) for name in names)}"
    files = write_report(
        title, sections, to, watch=lambda done, total: watch("writing", done, total)
    )
    return Analysis(to, sections, tuple(files), inputs.skipped)


def _shown(name: str) -> str:
    """A dataset by its name, a file or folder without the path to it."""
    return Path(name).resolve().name if Path(name).exists() else name


def _sections(inputs: Inputs, root: Path | None, watch: Watch) -> Iterator[Section]:
    systems = _systems(inputs)
    wanted = tuple(dict.fromkeys((*inputs.splits, *systems)))
    frames: dict[str, pd.DataFrame] = {}
    for dataset, names in groupby(sorted(wanted, key=_dataset), key=_dataset):
        splits = list(names)
        for name in splits:
            frames[name] = _read(name.partition("/")[2], name, load(name, root), watch)
        together = pd.concat([frames[name] for name in splits], ignore_index=True)
        files = [locate(name, root) for name in splits]
        watch(f"drawing {dataset}", 0, None)
        yield dataset_section(dataset, together, files=files, threads=_threads(dataset, root))
    yield from _file_sections(inputs.of("dataset"), watch)
    for name, paths in systems.items():
        yield from _systems_sections(name, paths, frames[name], root, watch)
    chats = [*map(file_chats, inputs.of("chat")), *map(database_chats, inputs.of("database"))]
    if chats:
        watch("conversations", 0, None)
        yield chats_section(chat_turns(chat for chats_of_file in chats for chat in chats_of_file))
    for file in inputs.of("arms"):
        dialogs = (_object(record.value, record.where) for record in read_records(file))
        yield Section(f"Collection: {file.name}", (by_arm(dialogs, file.name),))
    if inputs.of("log"):
        yield training_section(_runs(inputs.of("log")))


def _file_sections(files: Sequence[Path], watch: Watch) -> Iterator[Section]:
    """A section for each dataset whose splits are named by folder and file, else for each file."""
    groups: dict[str, dict[str, Path]] = {}
    for file in files:
        form = form_of(file)
        dataset, _, split = form.partition("/")
        title = dataset if split else f"{dataset} ({file.name})"
        own = groups.setdefault(title, {})
        own[_free(split or file.name, own)] = file
    for title, parts in groups.items():
        frames = [
            _read(split, file.name, load_file(form_of(file), file), watch)
            for split, file in parts.items()
        ]
        watch(f"drawing {title}", 0, None)
        together = pd.concat(frames, ignore_index=True)
        yield dataset_section(title, together, files=list(parts.values()))


def _dataset(name: str) -> str:
    return name.partition("/")[0]


def _read(split: str, name: str, examples: Iterator[Example], watch: Watch) -> pd.DataFrame:
    return turns(examples, split=split, watch=lambda done: watch(f"reading {name}", done, None))


def _threads(dataset: str, root: Path | None) -> Sequence[Thread]:
    """QAConv's conversations, if their file is there."""
    if dataset != "qaconv":
        return ()
    try:
        return list(threads(dataset, root))
    except DatasetError:
        return ()


def _systems(inputs: Inputs) -> dict[str, list[Path]]:
    """Runs and prediction files by the split that they answer."""
    found: dict[str, list[Path]] = {}
    for folder in inputs.of("run"):
        found.setdefault(dataset_of_run(folder), []).append(folder)
    files = inputs.of("predictions")
    if not files:
        return found
    splits = set(inputs.splits) | set(found)
    if len(splits) != 1:
        named = ", ".join(sorted(splits)) or "none"
        raise ConfigurationError(
            f"{files[0]}: name the one split that it answers, as in quac/val (named: {named})"
        )
    found.setdefault(splits.pop(), []).extend(files)
    return found


def _systems_sections(
    name: str, paths: Sequence[Path], frame: pd.DataFrame, root: Path | None, watch: Watch
) -> Iterator[Section]:
    """A section for each measure: systems are compared only by the same one."""
    examples = list(find_suite(name).load(name, root))
    measured: dict[str, dict[str, Sequence[Outcome]]] = {}
    for number, path in enumerate(paths):
        watch(f"scoring {name}", number, len(paths))
        label = path.name if path.is_dir() else path.name.partition(".json")[0]
        scored = read_outcomes(path, name, examples)
        answered = measured.setdefault(scored.measure, {})
        answered[_free(label, answered)] = scored.outcomes
    watch(f"scoring {name}", len(paths), len(paths))
    for measure, answered in measured.items():
        watch(f"comparing systems on {name}", 0, None)
        yield systems_section(f"{name}: {measure}", frame, examples, answered)


def _free(label: str, taken: Mapping[str, object]) -> str:
    """The label, with a number if another system has it."""
    numbered = (f"{label} ({number})" for number in range(2, len(taken) + 3))
    return label if label not in taken else next(one for one in numbered if one not in taken)


def _runs(logs: Sequence[Path]) -> dict[str, pd.DataFrame]:
    runs: dict[str, pd.DataFrame] = {}
    for log in logs:
        runs[_free(log.parent.name if log.name == "log.jsonl" else log.stem, runs)] = read_log(log)
    return runs


def _object(value: object, where: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise DatasetError(f"{where}: expected an object, found {type(value).__name__}")
    return value
