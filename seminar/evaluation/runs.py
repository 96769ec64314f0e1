"""A run in its folder: predictions are appended as they are made, so that it can be resumed."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path

from seminar.datasets.files import read_json, read_json_lines
from seminar.errors import ConfigurationError
from seminar.evaluation.memory import peak_megabytes
from seminar.evaluation.predictions import Timed, from_record, to_record
from seminar.evaluation.setup import System
from seminar.examples import Example
from seminar.io import content_hash, write_atomic
from seminar.models.encoders.registry import ENCODERS
from seminar.reading.readers import READERS
from seminar.settings import Settings
from seminar.types import Passage
from seminar.weights import shipped_models, weights_folder

CONFIGURATION = "configuration.json"
PREDICTIONS = "predictions.jsonl"
SCORES = "scores.json"

Configuration = dict[str, object]
Watch = Callable[[int, int], None]  # questions done, questions in all
Dialog = Sequence[Example]
# Predicts dialogs, in order: here, or on many machines.
Predicting = Callable[[Iterable[Dialog]], Iterator[list[Timed]]]


def check(folder: Path, configuration: Configuration) -> None:
    """Stop where a folder holds a run of another configuration."""
    file = folder / CONFIGURATION
    if not file.exists():
        if (folder / PREDICTIONS).exists():
            raise ConfigurationError(
                f"{folder} holds predictions but no {CONFIGURATION}: name another --out"
            )
        return
    held = read_json(file).value
    before = held if isinstance(held, dict) else {}
    differing = [key for key in configuration if before.get(key) != configuration[key]]
    if differing:
        differences = "; ".join(
            f"{key} {before.get(key)!r}, now {configuration[key]!r}" for key in differing
        )
        raise ConfigurationError(
            f"{folder} holds a run of another configuration ({differences}). "
            "Name another --out, or delete that folder"
        )


def begin(folder: Path, configuration: Configuration, system: System) -> None:
    """Make the run's folder and write its configuration, with the system's note and material.

    The material is known only once the system is built: the folder is checked again.
    """
    whole = configuration | {"note": system.note, "material": system.material}
    check(folder, whole)
    write_json(folder / CONFIGURATION, whole)


def predict(
    system: System,
    examples: Sequence[Example],
    folder: Path,
    *,
    watch: Watch = lambda done, total: None,
    predicting: Predicting | None = None,
) -> list[Timed]:
    """Predict the examples that the folder lacks, a dialog at a time, each written when done.

    The system predicts here, or where `predicting` does it.
    """
    predicting = predicting or partial(map, partial(predict_dialog, system))
    file = folder / PREDICTIONS
    done = _read_done(file, examples)
    watch(len(done), len(examples))
    with file.open("a", encoding="utf-8") as stream:
        for timed in predicting(_dialogs(examples[len(done) :])):
            for run in timed:
                stream.write(json.dumps(to_record(run), ensure_ascii=False) + "\n")
            stream.flush()
            done += timed
            watch(len(done), len(examples))
    return done


def predict_dialog(system: System, dialog: Dialog) -> list[Timed]:
    """The predictions for a dialog, with the time and the memory that they took."""
    begun = time.perf_counter()
    predictions = system.predict(dialog)
    seconds = (time.perf_counter() - begun) / len(dialog)
    peak = peak_megabytes()
    return [Timed(prediction, seconds, peak) for prediction in predictions]


def _dialogs(examples: Sequence[Example]) -> Iterator[list[Example]]:
    for _, dialog in groupby(examples, key=lambda example: example.dialogue_id):
        yield list(dialog)


def _read_done(file: Path, examples: Sequence[Example]) -> list[Timed]:
    """The predictions of a stopped run; a last line that was cut short is dropped."""
    if not file.exists():
        return []
    content = file.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if whole != content:
        write_atomic(file, whole)
    done = [from_record(record) for record in read_json_lines(file)]
    for number, (timed, example) in enumerate(zip(done, examples, strict=False), start=1):
        if timed.prediction.id != example.id:
            raise ConfigurationError(
                f"{file}:{number}: predicts '{timed.prediction.id}' where '{example.id}' should be."
                " Name another --out, or delete that folder"
            )
    if len(done) > len(examples):
        raise ConfigurationError(
            f"{file}: {len(done)} predictions for {len(examples)} questions. Name another --out"
        )
    return done


def digest(records: Iterable[Example | Passage]) -> str:
    """A fingerprint of examples or passages: a run is never resumed on other data."""
    fingerprint = hashlib.blake2b(digest_size=8)
    for record in records:
        fingerprint.update(repr(record).encode())
    return fingerprint.hexdigest()


def weights(settings: Settings) -> dict[str, str]:
    """Fingerprints of the weights that ship and of those in folders that the settings name."""
    folders = {"shipped": [weights_folder(name) for name in shipped_models()]}
    if settings.encoder not in ENCODERS:
        folders["encoder"] = [Path(settings.encoder)]
    if settings.reader not in READERS:
        folders["reader"] = [Path(settings.reader)]
    return {name: _fingerprint(paths) for name, paths in folders.items()}


def _fingerprint(folders: Sequence[Path]) -> str:
    files = [file for folder in folders for file in folder.glob("*") if file.is_file()]
    return content_hash(*sorted(file for file in files if file.suffix != ".md"))[:16]


def write_json(file: Path, value: object) -> None:
    """Write an indented JSON file, whole or not at all."""
    text = json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False)
    write_atomic(file, f"{text}\n".encode())
