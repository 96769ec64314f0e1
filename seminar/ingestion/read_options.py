"""Options of reading files that a user chooses, and that the readers of some formats know."""

from __future__ import annotations

import re
from dataclasses import dataclass

LANGUAGES = re.compile(r"[A-Za-z_]{2,20}(?:\+[A-Za-z_]{2,20}){0,9}")  # as Tesseract names them


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How files are read.

    With `threads`, messages outside of threads are split into conversations, else by day. `ocr`
    names the languages, as in "eng" or "deu+fra", in which the text of page images is recognised;
    without it no image is read.
    """

    threads: bool = True
    ocr: str = ""

    @property
    def key(self) -> str:
        """The options that are not the default, which an index records with each file."""
        parts = [] if self.threads else ["by day"]
        return " ".join([*parts, *([f"ocr {self.ocr}"] if self.ocr else [])])


DEFAULT_READING = ReadOptions()
