"""Registry of readers: by name, or a trained reader in a folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from seminar.errors import ConfigurationError, unknown
from seminar.models.encoders.registry import load_encoder
from seminar.protocols import Reader
from seminar.weights import verified_folder

if TYPE_CHECKING:
    from seminar.models.reader.model import ReaderModel


# Each loader imports its own reader: onnxruntime is slow to import and often not needed.
def _load_sentence() -> Reader:
    from seminar.reading.sentence_reader import SentenceReader

    return SentenceReader(load_encoder("minilm"))


def _load_span() -> Reader:
    return _load_folder(verified_folder("reader"))


def _load_folder(folder: Path) -> Reader:
    from seminar.models.reader.model import ReaderModel
    from seminar.reading.span_reader import (
        AFFIRMATION_FEATURES,
        FEATURES,
        Calibration,
        SpanReader,
    )

    path = folder / "calibration.json"
    if not path.is_file():
        raise ConfigurationError(
            f"{folder}: a reader's folder needs a calibration.json; create it with "
            f"python -m seminar.training.fitting.calibration --model {folder}"
        )
    saved = json.loads(path.read_text(encoding="utf-8"))
    for part, names in (("answer", FEATURES), ("affirmation", AFFIRMATION_FEATURES)):
        missing = [name for name in names if name not in saved.get(part, {})]
        if missing:
            raise ConfigurationError(
                f"{path}: no weight for {', '.join(missing)} under '{part}'; calibrate it again "
                f"with python -m seminar.training.fitting.calibration --model {folder}"
            )
    calibration = Calibration(saved["answer"], saved["affirmation"])
    return SpanReader(ReaderModel(folder), load_encoder("minilm"), calibration=calibration)


@cache
def load_span_model(name: str = "span") -> ReaderModel:
    """The network of a span reader; the shipped one where a reader has none."""
    from seminar.reading.span_reader import SpanReader

    reader = load_reader(name)
    return reader.model if isinstance(reader, SpanReader) else load_span_model()


READERS: dict[str, Callable[[], Reader]] = {"sentence": _load_sentence, "span": _load_span}


@cache
def load_reader(name: str) -> Reader:
    """Load the reader of that name, or the trained reader in that folder, once per process."""
    if name in READERS:
        return READERS[name]()
    if Path(name).is_dir():
        return _load_folder(Path(name))
    raise unknown("reader", name, READERS)
