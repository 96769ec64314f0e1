"""Tokenizers as the models load them, and how much of a text they are given."""

from __future__ import annotations

from pathlib import Path

from tokenizers import Tokenizer

from seminar.errors import ConfigurationError
from seminar.text import whole

TOKENIZER = "tokenizer.json"
# The first 256 tokens never reach further, and a megabyte then costs no more than some pages.
MAX_CHARACTERS = 10_000


def load_tokenizer(folder: Path, *, max_tokens: int | None = None) -> Tokenizer:
    """The tokenizer of a model's folder, without padding, truncating at `max_tokens` if given."""
    path = folder / TOKENIZER
    if not path.is_file():
        raise ConfigurationError(f"{folder}: a model's folder needs a {TOKENIZER}")
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    if max_tokens is None:
        tokenizer.no_truncation()
    else:
        tokenizer.enable_truncation(max_tokens)
    return tokenizer


def truncated(text: str) -> str:
    """The first 10,000 characters; half a surrogate pair, which no tokenizer takes, becomes '?'."""
    return whole(text[:MAX_CHARACTERS])
