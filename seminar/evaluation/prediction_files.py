"""Prediction files: written in official formats for leaderboards, read back as a system."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from seminar.datasets.records import Record
from seminar.errors import ConfigurationError
from seminar.evaluation.files import Json, Parsed, read_any
from seminar.evaluation.formats import PredictionFormat, is_text, keyed_entries
from seminar.evaluation.predictions import Prediction, from_record
from seminar.evaluation.score_files import check_predictions
from seminar.evaluation.setup import Setup, System
from seminar.evaluation.suites.catalog import FORMATS, find_suite
from seminar.examples import Example

# A line of a run's predictions.jsonl.
RUN = PredictionFormat("Seminar", keyed_entries(("id",), "answer", ""), is_text, "a text")


def official_text(
    scorer: str, examples: Sequence[Example], predictions: Sequence[Prediction]
) -> str:
    """The content of a prediction file that the official program of this scorer reads."""
    conversion = FORMATS[scorer].conversion
    if conversion is None:
        raise ConfigurationError(f"predictions can't be written for {scorer}")
    return conversion.write(list(zip(examples, predictions, strict=True))) + "\n"


def file_system(path: Path, setup: Setup) -> System:
    """A file of predictions as a system: an official format, or predictions.jsonl of a run."""
    parsed = read_any(path)
    if _is_run(parsed.value):
        return _run_system(parsed, path, setup)
    formats = [
        (form.predictions, form.conversion)
        for form in find_suite(setup.name).formats.values()
        if form.conversion
    ]
    if not formats:
        raise ConfigurationError(
            f"{path.name}: {setup.dataset} has no official format; "
            'give JSON lines {"id": ..., "answer": ...}'
        )
    matching = (pair for pair in formats if pair[0].matches(parsed.value))
    form, conversion = next(matching, formats[0])
    keys = [conversion.key(example) for example in setup.examples]
    check_predictions(form, parsed, keys, path.name)
    entries = dict(form.entries(parsed.value))
    predictions = {
        example.id: conversion.read(example.id, entries[key])
        for example, key in zip(setup.examples, keys, strict=True)
    }
    return System(_look_up(predictions), conversion.kind, note=f"from {path.name}")


def _is_run(value: Json) -> bool:
    """Whether these are the lines of a run's predictions.jsonl; CoQA's form has turns besides."""
    lines = value if isinstance(value, list) else [value]
    return bool(lines) and all(
        isinstance(line, dict) and {"id", "answer"} <= line.keys() and "turn_id" not in line
        for line in lines
    )


def _run_system(parsed: Parsed, path: Path, setup: Setup) -> System:
    lines = parsed.value if isinstance(parsed.value, list) else [parsed.value]
    ids = [example.id for example in setup.examples]
    check_predictions(RUN, Parsed(lines, True, parsed.repeated), ids, path.name)
    predictions = [
        from_record(Record(line, f"{path.name}:{number}")).prediction
        for number, line in enumerate(lines, start=1)
    ]
    kind = "retrieval" if any(prediction.ranking for prediction in predictions) else "answers"
    by_id = {prediction.id: prediction for prediction in predictions}
    return System(_look_up(by_id), kind, note=f"from {path.name}")


def _look_up(
    predictions: dict[str, Prediction],
) -> Callable[[Sequence[Example]], list[Prediction]]:
    return lambda examples: [predictions[example.id] for example in examples]
