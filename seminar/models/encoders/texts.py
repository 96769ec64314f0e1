"""What an encoder reads of a text."""

from __future__ import annotations

from seminar.text import whole

# The first 256 tokens never reach further, and a megabyte then costs no more than some pages.
MAX_CHARACTERS = 10_000


def opening(text: str) -> str:
    """The first 10,000 characters; half a surrogate pair, which no tokenizer takes, becomes '?'."""
    return whole(text[:MAX_CHARACTERS])
