"""The encoders that Seminar ships, chosen by one word, and those that a user brings in a folder."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

from seminar.errors import unknown
from seminar.protocols import Encoder
from seminar.weights import verified_folder


# Each loader imports its own kind: the runtime behind it is slow to import and often not needed.
def _load_static() -> Encoder:
    from seminar.models.encoders.static import StaticEncoder

    tokenizer = verified_folder("minilm")  # the two share a vocabulary
    return StaticEncoder(verified_folder("static") / "tokens.npz", tokenizer, name="static")


def _load_minilm() -> Encoder:
    return _load_folder(verified_folder("minilm"), "minilm")


def _load_folder(folder: Path, name: str) -> Encoder:
    from seminar.models.encoders.transformer import TransformerEncoder

    return TransformerEncoder(folder, name=name)


AUTO = "auto"  # chosen by the size of the collection (seminar.assembly)
ENCODERS: dict[str, Callable[[], Encoder]] = {"static": _load_static, "minilm": _load_minilm}


@cache
def load_encoder(name: str) -> Encoder:
    """The encoder of that name, or the one in that folder (model.onnx and tokenizer.json).

    Loaded once per process; `load_encoder(encoder.name)` gives the same encoder again.
    """
    if name in ENCODERS:
        return ENCODERS[name]()
    folder = Path(name)
    if folder.is_dir():
        return _load_folder(folder, str(folder.resolve()))
    raise unknown("encoder", name, ENCODERS)
