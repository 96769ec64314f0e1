"""ONNX Runtime as Seminar uses it: silent, and one thread a session."""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from seminar.errors import ConfigurationError

# It would otherwise keep a device id and a database in the user's home and report to its makers;
# it looks at this only while it is imported.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

import numpy as np
import onnxruntime
from numpy.typing import NDArray

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

MODEL_FILES = ("model.onnx", "model.onnx.gz", "onnx/model.onnx")


def model_file(folder: Path, names: Sequence[str] = MODEL_FILES) -> Path:
    """The first of the named models that the folder holds."""
    path = next((folder / name for name in names if (folder / name).is_file()), None)
    if path is None:
        raise ConfigurationError(f"{folder}: a model's folder needs a {names[0]}")
    return path


def load_session(folder: Path, names: Sequence[str] = MODEL_FILES) -> InferenceSession:
    """A session of the folder's model, which may be packed; callers spread runs over threads."""
    path = model_file(folder, names)
    model = unpacked(path) if path.suffix == ".gz" else str(path)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def unpacked(path: Path) -> bytes:
    """What a packed model holds."""
    try:
        return gzip.decompress(path.read_bytes())
    except (OSError, EOFError, zlib.error) as error:
        raise ConfigurationError(f"{path} can't be unpacked: {error}") from error


def marked_sequence(
    ids: Sequence[int], segments: Sequence[int], marks: Sequence[int]
) -> dict[str, NDArray[np.int64]]:
    """One sequence as the reader and the rewriter are fed it, each array (1, tokens)."""
    rows = {"ids": ids, "attended": [1] * len(ids), "segments": segments, "marks": marks}
    return {name: np.array([row], dtype=np.int64) for name, row in rows.items()}
