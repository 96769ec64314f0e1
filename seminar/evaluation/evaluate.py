"""Evaluate systems on a dataset: predictions, scores, and a table beside the paper's."""

from __future__ import annotations

import atexit
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path

from seminar.analysis.split_statistics import summarise
from seminar.cluster import Cluster
from seminar.datasets.catalog import data_root
from seminar.errors import DatasetError
from seminar.evaluation import runs
from seminar.evaluation.memory import reset_peak
from seminar.evaluation.prediction_files import file_system, official_text
from seminar.evaluation.predictions import Timed
from seminar.evaluation.scoring import score
from seminar.evaluation.setup import Setup, System
from seminar.evaluation.suites.catalog import find_suite, find_task, scorers_of
from seminar.evaluation.systems import build, systems_of
from seminar.evaluation.tables import Report, Row, make_table
from seminar.examples import Example
from seminar.io import content_hash, write_atomic
from seminar.metrics.statistics import Interval
from seminar.settings import Settings

Predicted = tuple[Example, Timed]
Watch = Callable[[str, int, int], None]  # the system, questions done, total


@dataclass(frozen=True, slots=True)
class Plan:
    """A split, the systems to evaluate by name or file, and the folder of their runs."""

    name: str
    systems: tuple[str, ...]
    out: Path
    root: Path | None = None
    settings: Settings = field(default_factory=Settings)
    limit: int | None = None
    seed: int = 0


def evaluate(
    plan: Plan,
    *,
    watch: Watch = lambda system, done, total: None,
    cluster: Cluster | None = None,
) -> Report:
    """Run every system of the plan on its split, resuming runs that were stopped.

    With a cluster, its machines predict the dialogs.
    """
    split = list(find_suite(plan.name).load(plan.name, plan.root))
    examples = split[: plan.limit]
    if not examples:
        raise DatasetError(f"{plan.name}: no questions to evaluate")
    done = [_run(plan, system, split, watch, cluster) for system in plan.systems]
    tables = []
    for kind, task in find_suite(plan.name).tasks.items():
        rows = [outcome.row for outcome in done if outcome.system.kind == kind]
        if rows:
            tables.append(make_table(plan.name, kind, task, rows))
    return Report(plan.name, summarise(examples), tuple(tables))


@dataclass(frozen=True, slots=True)
class Outcome:
    """A finished run: the system, its predictions with their examples, and its row."""

    system: System
    predicted: Sequence[Predicted]
    row: Row


def _run(
    plan: Plan, name: str, split: Sequence[Example], watch: Watch, cluster: Cluster | None
) -> Outcome:
    """One system's run in its folder: configuration, predictions, scores."""
    examples, label = split[: plan.limit], label_of(plan, name)
    folder = plan.out / label
    configuration = _configuration(plan, name, examples)
    runs.check(folder, configuration)
    reset_peak()
    with tempfile.TemporaryDirectory() as scratch:
        system = _build(plan, name, split, Path(scratch))
        runs.begin(folder, configuration, system)
        timed = runs.predict(
            system,
            examples,
            folder,
            watch=lambda done, total: watch(label, done, total),
            predicting=_predicting_on(cluster, plan, name) if cluster else None,
        )
    if _is_file(plan, name):
        timed = [Timed(run.prediction) for run in timed]
    predicted = list(zip(examples, timed, strict=True))
    outcome = Outcome(system, predicted, _row(plan, system, label, predicted))
    _write(plan, folder, outcome)
    return outcome


def _build(plan: Plan, name: str, split: Sequence[Example], scratch: Path) -> System:
    setup = Setup(plan.name, split, scratch, plan.root, plan.settings, plan.seed)
    return file_system(Path(name), setup) if _is_file(plan, name) else build(name, setup)


def _predicting_on(cluster: Cluster, plan: Plan, name: str) -> runs.Predicting | None:
    """Predict on the machines of a cluster; a file of predictions is only read, here."""
    if _is_file(plan, name):
        return None
    placed = replace(plan, root=data_root(plan.root).resolve())
    order = partial(DialogOrder, placed, name)
    return lambda dialogs: cluster.map(predict_order, (order(tuple(one)) for one in dialogs))


@dataclass(frozen=True, slots=True)
class DialogOrder:
    """A dialog that a machine of a cluster is to predict."""

    plan: Plan
    system: str
    dialog: tuple[Example, ...]


def predict_order(order: DialogOrder) -> list[Timed]:
    """Predict a dialog, on a machine that sees the datasets under the same path."""
    return runs.predict_dialog(_built(order.plan, order.system), order.dialog)


@cache
def _built(plan: Plan, name: str) -> System:
    """The system of a plan, built once in each process of a cluster."""
    scratch = tempfile.TemporaryDirectory()
    atexit.register(scratch.cleanup)
    split = list(find_suite(plan.name).load(plan.name, plan.root))
    return _build(plan, name, split, Path(scratch.name))


def label_of(plan: Plan, name: str) -> str:
    """The name of a system in tables and folders: its own, or its file's."""
    return Path(name).name if _is_file(plan, name) else name


def _is_file(plan: Plan, name: str) -> bool:
    return name not in systems_of(plan.name) and Path(name).is_file()


def _configuration(plan: Plan, name: str, examples: Sequence[Example]) -> runs.Configuration:
    """Everything that the predictions depend on except the system's own material."""
    return {
        "dataset": plan.name,
        "data": runs.digest(examples),
        "questions": len(examples),
        "system": label_of(plan, name),
        "file": content_hash(Path(name)) if _is_file(plan, name) else None,
        "settings": asdict(plan.settings),
        "weights": runs.weights(plan.settings),
        "limit": plan.limit,
        "seed": plan.seed,
        "version": version("seminar"),
    }


def _row(plan: Plan, system: System, name: str, predicted: Sequence[Predicted]) -> Row:
    seconds = [timed.seconds for _, timed in predicted if timed.seconds is not None]
    peaks = [timed.megabytes for _, timed in predicted if timed.megabytes is not None]
    domains = sorted({example.domain for example, _ in predicted})
    parts = [(part, [pair for pair in predicted if pair[0].domain == part]) for part in domains]
    return Row(
        system=name,
        scores=_scores(plan, system, predicted),
        questions=len(predicted),
        milliseconds=1000 * sum(seconds) / len(seconds) if seconds else None,
        megabytes=max(peaks, default=None),
        note=_note(system, predicted),
        domains=tuple(
            Row(f"{name}: {part}", _scores(plan, system, within), len(within))
            for part, within in parts
            if len(parts) > 1
        ),
    )


def _note(system: System, predicted: Sequence[Predicted]) -> str:
    """The note beside the scores, with the number of replies that carry notes."""
    count = sum(bool(timed.prediction.notes) for _, timed in predicted)
    noted = f"{count:,} of {len(predicted):,} replies carry notes" if count else ""
    return "; ".join(part for part in (system.note, noted) if part)


def _scores(plan: Plan, system: System, predicted: Sequence[Predicted]) -> dict[str, Interval]:
    examples = [example for example, _ in predicted]
    predictions = [timed.prediction for _, timed in predicted]
    return score(find_task(plan.name, system.kind), examples, predictions, seed=plan.seed)


def _write(plan: Plan, folder: Path, outcome: Outcome) -> None:
    """The scores, and the predictions in the official format where the dataset has one."""
    runs.write_json(folder / runs.SCORES, asdict(outcome.row))
    scorer = scorers_of(plan.name).get(outcome.system.kind)
    examples = [example for example, _ in outcome.predicted]
    predictions = [timed.prediction for _, timed in outcome.predicted]
    if scorer and not any(prediction.measures for prediction in predictions):
        text = official_text(scorer, examples, predictions)
        write_atomic(folder / f"official-{scorer}.json", text.encode())
