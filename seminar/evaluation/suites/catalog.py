"""Suites by dataset, tasks by split, and official formats by scorer."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from seminar.datasets.catalog import DATASETS
from seminar.errors import ConfigurationError, unknown
from seminar.evaluation.files import Json
from seminar.evaluation.formats import mapping_entries
from seminar.evaluation.suites.suite import OfficialFormat, Scorer, Suite
from seminar.evaluation.tasks import Task


def _suites() -> dict[str, Suite]:
    """The suite of each dataset that has one: `SUITE` of the module of the dataset's name."""
    modules = {name: f"{__package__}.{name}" for name in DATASETS}
    return {name: import_module(path).SUITE for name, path in modules.items() if find_spec(path)}


SUITES = _suites()
FORMATS: dict[str, OfficialFormat] = {
    scorer: form
    for whole in SUITES.values()
    for suite in (whole, *whole.splits.values())
    for scorer, form in suite.formats.items()
}
SCORERS: dict[str, Scorer] = {name: FORMATS[name].score for name in sorted(FORMATS)}


def find_suite(name: str) -> Suite:
    """The suite of a split, as in find_suite("squad/dev-v2"); an empty one if there is none."""
    dataset, _, split = name.partition("/")
    suite = SUITES.get(dataset, Suite())
    return suite.splits.get(split, suite)


def find_task(name: str, kind: str = "answers") -> Task:
    """The task of a split for a kind of measure, as in find_task("squad/dev-v2")."""
    task = find_suite(name).tasks.get(kind)
    if task is None:
        known = ", ".join(sorted(name for name, suite in SUITES.items() if kind in suite.tasks))
        raise ConfigurationError(f"{name} has no measure of {kind}. Those that have: {known}")
    return task


def find_scorer(name: str) -> Scorer:
    """The scorer of a name, or the error that suggests the nearest one."""
    if name not in SCORERS:
        raise unknown("scorer", name, SCORERS)
    return SCORERS[name]


def scorers_of(name: str) -> dict[str, str]:
    """The scorers whose formats a split's predictions convert to, by kind of measure."""
    formats = find_suite(name).formats.items()
    return {form.conversion.kind: scorer for scorer, form in formats if form.conversion}


def looks_like(parsed: Json) -> str:
    """The title of the first format that the first entry of a file fits, or nothing.

    >>> looks_like([{"id": "story", "turn_id": 1, "answer": "yes"}])
    'CoQA'
    """
    forms = [form.predictions for form in FORMATS.values()]
    # One line of a keyed format is a mapping as well: mappings are compared last.
    forms.sort(key=lambda form: form.entries is mapping_entries)
    return next((form.title for form in forms if form.matches(parsed)), "")
