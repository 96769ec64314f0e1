"""Official files for an official scorer: read, recognised, compared id by id, then scored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from seminar.errors import ScoringError
from seminar.evaluation.files import Json, Parsed, read_any
from seminar.evaluation.formats import MisshapenError, PredictionFormat
from seminar.evaluation.references import References
from seminar.evaluation.suites.catalog import FORMATS, find_scorer, looks_like
from seminar.evaluation.suites.suite import Table
from seminar.metrics.strictness import name_some

# What an official program may stop with, where a strict scorer stops in the same place.
OFFICIAL_STOPS = (Exception, SystemExit)


def score_files(scorer: str, references: Path, predictions: Path, *, strict: bool = False) -> Table:
    """The scores of a file of predictions by the official scorer of that name.

    Files that don't fit together are refused. Strict, the ids aren't compared: the scorer does
    what the official program does, and where that stops the error says with what.
    """
    score = find_scorer(scorer)
    gold = read_references(scorer, references)
    predicted = read_predictions(scorer, predictions, gold.ids, lenient=strict)
    if not strict:
        return score(gold.value, predicted)
    try:
        return score(gold.value, predicted, strict=True)
    except OFFICIAL_STOPS as error:
        reason = f"{type(error).__name__}: {error}"
        raise ScoringError(f"the official program stops here with {reason}") from error


def read_references(scorer: str, path: Path) -> References:
    """The references of an official file; one of another dataset is named as such."""
    form = FORMATS[scorer]
    try:
        return form.references(path)
    except MisshapenError as error:
        raise _with_likeness(error, form.predictions, path) from None


def read_predictions(scorer: str, path: Path, ids: Sequence[str], *, lenient: bool = False) -> Json:
    """The predictions of an official file, once they fit the ids of the references."""
    form = FORMATS[scorer].predictions
    try:
        parsed = form.read(path)
    except MisshapenError as error:
        raise _with_likeness(error, form, path) from None
    check_predictions(form, parsed, ids, path.name, lenient=lenient)
    if form.lines and isinstance(parsed.value, dict):
        return [parsed.value]
    return parsed.value


def check_predictions(
    form: PredictionFormat,
    parsed: Parsed,
    ids: Sequence[str],
    where: str,
    *,
    lenient: bool = False,
) -> None:
    """Stop at predictions that aren't of the form, or don't answer each question once."""
    if parsed.value in ({}, []):
        raise ScoringError(f"{where}: no predictions")
    try:
        entries = list(form.entries(parsed.value))
    except MisshapenError as error:
        raise ScoringError(f"{where}: {error}{_likeness(form, parsed)}") from None
    if not entries:
        raise ScoringError(f"{where}: no predictions")
    wrong = [key for key, value in entries if not form.fits(value)]
    if wrong:
        problem = f"{len(wrong)} of the wrong type (expected {form.expected}): {name_some(wrong)}"
        raise ScoringError(f"{where}: {problem}{_likeness(form, parsed)}")
    if lenient:
        return
    problems = _compare_ids(form, [key for key, _ in entries], ids, parsed.repeated)
    if problems:
        raise ScoringError(f"{where}: {'; '.join(problems)}")


def _compare_ids(
    form: PredictionFormat, predicted: list[str], ids: Sequence[str], repeated: Sequence[str]
) -> list[str]:
    """What is wrong between the ids of predictions and references, a sentence each."""
    expected, given = set(ids), set(predicted)
    if not form.complete:
        shared = expected & given
        return [] if shared else [f"no prediction for any of the {len(expected)} questions"]
    twice = [key for key, count in Counter(predicted).items() if count > 1] + list(repeated)
    problems = {
        "duplicate": twice if len(expected) == len(ids) else list(repeated),
        "missing": [key for key in dict.fromkeys(ids) if key not in given],
        "extra": [key for key in dict.fromkeys(predicted) if key not in expected],
    }
    return [f"{len(keys)} {kind}: {name_some(keys)}" for kind, keys in problems.items() if keys]


def _with_likeness(error: MisshapenError, form: PredictionFormat, path: Path) -> ScoringError:
    return ScoringError(f"{error}{_likeness(form, read_any(path))}")


def _likeness(form: PredictionFormat, parsed: Parsed) -> str:
    """The clause that names another format, if the file is one."""
    other = looks_like(parsed.value)
    return f"; this looks like {other}, not {form.title}" if other not in ("", form.title) else ""
