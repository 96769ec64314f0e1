"""Transcripts with times: WebVTT with its voices, and SubRip (SRT)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path, PurePosixPath

from seminar.errors import IngestionError
from seminar.ingestion.conversations.messages import compose
from seminar.ingestion.conversations.transcripts import Turn, numbered
from seminar.ingestion.streams.decoding import Notify, check_lines, read_text
from seminar.types import Thread

_CLOCK = r"(?:\d{1,3}:)?\d\d:\d\d[.,]\d{3}"
_TIMING = re.compile(rf"\s*({_CLOCK})\s*-->\s*({_CLOCK})")
_VOICE = re.compile(r"<v(?:\.[^\s>]*)?\s+([^>]{1,200})>")
_TAG = re.compile(r"</?[a-z][^<>]{0,200}>|<[\d:.]+>|\{\\[^{}]{1,50}\}", re.IGNORECASE)
_LABEL = re.compile(
    r"(?:[-–]\s*|>>\s*)?([A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*){0,4}):\s+(\S.*)", re.DOTALL
)
_SENTENCE = 300  # characters after which words without a speaker part at a sentence's end


def read(path: Path, source: str, notify: Notify) -> Iterator[Thread]:
    """The one conversation of a file; cues that one speaker says in turn are one message.

    Messages are cited as file#clock, the clock of their first cue.
    """
    text = read_text(path, notify)
    check_lines(text)
    said = list(numbered(_joined(_voices(text)), source))
    if not said:
        raise IngestionError("empty: it holds no cues")
    yield compose(said, title=PurePosixPath(source).stem, channel=source)


def _voices(text: str) -> Iterator[Turn]:
    """Clock, speaker and words of each cue, or of each voice within one."""
    clock = ""
    held: list[str] = []
    for line in [*text.split("\n"), ""]:
        if timing := _TIMING.match(line):
            clock, held = timing.group(1).replace(",", "."), []
        elif line.strip():
            held.append(line.strip())
        elif clock:
            yield from _cue(clock, " ".join(held))
            clock = ""


def _cue(clock: str, content: str) -> Iterator[Turn]:
    parts = _VOICE.split(content)  # words before any voice, then a name and its words in turn
    for speaker, spoken in zip(["", *parts[1::2]], parts[::2], strict=True):
        own = unescape(_TAG.sub("", spoken)).strip()
        label = _LABEL.fullmatch(own) if not speaker else None
        if label:
            yield clock, label.group(1), label.group(2)
        elif own:
            yield clock, unescape(speaker), own


def _joined(cues: Iterator[Turn]) -> Iterator[Turn]:
    """Cues in turn that one speaker says, joined; one without a name goes on with the last."""
    clock = speaker = text = ""
    for begins, voice, own in cues:
        is_over = len(text) > _SENTENCE and text[-1] in ".!?"
        if text and (voice == speaker or not voice) and (speaker or not is_over):
            text = f"{text} {own}"
            continue
        yield clock, speaker, text
        clock, speaker, text = begins, voice, own
    yield clock, speaker, text
