"""Bounds of reading one file: the time, messages and bytes that it may take in all."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from seminar.errors import IngestionError
from seminar.regular_files import is_regular
from seminar.types import Document, Thread

SURVEY_RATE = 1_000_000  # bytes a second that a look at a whole file may take
ITEMS = 10  # times the seconds of one document that a file may take, whatever its size
RATE = 50_000  # bytes a second that the slowest reader takes in
OCR_RATE = 5_000
MESSAGES = 200_000  # of a file of no size; dumps have some 100 bytes a message
MESSAGE_RATE = 10  # bytes of a file for each further message
TEXT = 1_000_000_000  # characters of a file of no size
TEXT_RATE = 200  # characters for each further byte: what a compressed dump may expand to, twice


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a file may take and give in all."""

    seconds: float
    messages: int
    characters: int

    @classmethod
    def of(cls, size: int, seconds: float, *, ocr: bool = False) -> Bounds:
        """The bounds of a file of so many bytes; `seconds` are those of one document."""
        return cls(
            seconds * ITEMS + size / (OCR_RATE if ocr else RATE),
            MESSAGES + size // MESSAGE_RATE,
            TEXT + size * TEXT_RATE,
        )


@dataclass(slots=True)
class Spent:
    """What a file has taken so far."""

    bounds: Bounds
    seconds: float = 0.0
    messages: int = 0
    characters: int = 0

    def count(self, item: Document | Thread) -> None:
        """Count an item; raises IngestionError where a file has given too much."""
        self.messages += len(item.utterances) if isinstance(item, Thread) else 1
        self.characters += len(item.text)
        for what, spent, limit in (
            ("messages", self.messages, self.bounds.messages),
            ("characters", self.characters, self.bounds.characters),
            ("seconds to read", self.seconds, self.bounds.seconds),
        ):
            if spent > limit:
                raise IngestionError(
                    f"more than {limit:,.0f} {what}, which a file of this size should not have; "
                    "the rest is left out"
                )


def size_of(path: Path) -> int:
    """How many bytes a file has, or all files below a folder."""
    try:
        files = path.rglob("*") if path.is_dir() else [path]
        return sum(file.lstat().st_size for file in files if is_regular(file))
    except OSError:
        return 0  # reading it says why
