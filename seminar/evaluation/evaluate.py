"""The straight line: dataset x system -> predictions -> scores -> table."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path

from seminar.analysis.split_statistics import summarise
from seminar.errors import DatasetError
from seminar.evaluation import runs
from seminar.evaluation.memory import reset_peak
from seminar.evaluation.prediction_files import file_system, official_text
from seminar.evaluation.predictions import Timed
from seminar.evaluation.scoring import score
from seminar.evaluation.setup import Setup, System
from seminar.evaluation.suites.catalog import find_suite, find_task, scorers_of
from seminar.evaluation.systems import build, systems_of
from seminar.evaluation.tables import Report, Row, table
from seminar.examples import Example
from seminar.io import content_hash, write_atomic
from seminar.metrics.statistics import Interval
from seminar.settings import Settings

Said = tuple[Example, Timed]
Watch = Callable[[str, int, int], None]  # the system, questions done, questions in all


@dataclass(frozen=True, slots=True)
class Plan:
    """What to evaluate: a split, systems by name or by their file, and where the runs are kept."""

    name: str
    systems: tuple[str, ...]
    out: Path
    root: Path | None = None
    settings: Settings = field(default_factory=Settings)
    limit: int | None = None
    seed: int = 0


def evaluate(plan: Plan, *, watch: Watch = lambda system, done, total: None) -> Report:
    """Run every system of the plan on its split, or go on with the runs that were stopped."""
    split = list(find_suite(plan.name).load(plan.name, plan.root))
    examples = split[: plan.limit]
    if not examples:
        raise DatasetError(f"{plan.name}: no questions to evaluate")
    done = [_run(plan, system, split, watch) for system in plan.systems]
    tables = []
    for kind, task in find_suite(plan.name).tasks.items():
        rows = [one.row for one in done if one.system.kind == kind]
        if rows:
            tables.append(table(plan.name, kind, task, rows))
    return Report(plan.name, summarise(examples), tuple(tables))


@dataclass(frozen=True, slots=True)
class Outcome:
    """A finished run: what predicted, what it predicted of which examples, and the row it makes."""

    system: System
    said: Sequence[Said]
    row: Row


def _run(plan: Plan, name: str, split: Sequence[Example], watch: Watch) -> Outcome:
    """One system's run in its folder: configuration, predictions, scores."""
    examples, told = split[: plan.limit], called(plan, name)
    folder = plan.out / told
    configuration = _configuration(plan, name, examples)
    runs.check(folder, configuration)
    reset_peak()
    with tempfile.TemporaryDirectory() as scratch:
        setup = Setup(plan.name, split, Path(scratch), plan.root, plan.settings, plan.seed)
        system = file_system(Path(name), setup) if _is_file(plan, name) else build(name, setup)
        runs.begin(folder, configuration, system)
        timed = runs.predict(
            system, examples, folder, watch=lambda done, total: watch(told, done, total)
        )
    if _is_file(plan, name):
        timed = [Timed(one.prediction) for one in timed]
    said = list(zip(examples, timed, strict=True))
    outcome = Outcome(system, said, _row(plan, system, told, said))
    _write(plan, folder, outcome)
    return outcome


def called(plan: Plan, name: str) -> str:
    """What a system is called in tables and folders: its name, or its file's."""
    return Path(name).name if _is_file(plan, name) else name


def _is_file(plan: Plan, name: str) -> bool:
    return name not in systems_of(plan.name) and Path(name).is_file()


def _configuration(plan: Plan, name: str, examples: Sequence[Example]) -> runs.Configuration:
    """What the predictions depend on, but for the system's own material."""
    return {
        "dataset": plan.name,
        "data": runs.digest(examples),
        "questions": len(examples),
        "system": called(plan, name),
        "file": content_hash(Path(name)) if _is_file(plan, name) else None,
        "settings": asdict(plan.settings),
        "weights": runs.weights(plan.settings),
        "limit": plan.limit,
        "seed": plan.seed,
        "version": version("seminar"),
    }


def _row(plan: Plan, system: System, name: str, said: Sequence[Said]) -> Row:
    seconds = [one.seconds for _, one in said if one.seconds is not None]
    peaks = [one.megabytes for _, one in said if one.megabytes is not None]
    domains = sorted({example.domain for example, _ in said})
    parts = [(part, [one for one in said if one[0].domain == part]) for part in domains]
    return Row(
        system=name,
        scores=_scores(plan, system, said),
        questions=len(said),
        milliseconds=1000 * sum(seconds) / len(seconds) if seconds else None,
        megabytes=max(peaks, default=None),
        note=_note(system, said),
        domains=tuple(
            Row(f"{name}: {part}", _scores(plan, system, within), len(within))
            for part, within in parts
            if len(parts) > 1
        ),
    )


def _note(system: System, said: Sequence[Said]) -> str:
    """What must be said beside the scores, with how many replies came otherwise than was chosen."""
    noted = sum(bool(one.prediction.notes) for _, one in said)
    told = f"{noted:,} of {len(said):,} replies carry notes" if noted else ""
    return "; ".join(part for part in (system.note, told) if part)


def _scores(plan: Plan, system: System, said: Sequence[Said]) -> dict[str, Interval]:
    examples = [example for example, _ in said]
    predictions = [one.prediction for _, one in said]
    return score(find_task(plan.name, system.kind), examples, predictions, seed=plan.seed)


def _write(plan: Plan, folder: Path, outcome: Outcome) -> None:
    """The scores, and the predictions in the official format where the dataset has one."""
    runs.write_json(folder / runs.SCORES, asdict(outcome.row))
    scorer = scorers_of(plan.name).get(outcome.system.kind)
    examples = [example for example, _ in outcome.said]
    predictions = [one.prediction for _, one in outcome.said]
    if scorer and not any(one.measures for one in predictions):
        text = official_text(scorer, examples, predictions)
        write_atomic(folder / f"official-{scorer}.json", text.encode())
