"""Subtitles: WebVTT with its voice tags, and SubRip (SRT)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path, PurePosixPath

from seminar.errors import IngestionError
from seminar.ingestion.conversations.messages import compose
from seminar.ingestion.conversations.transcripts import Turn, to_messages
from seminar.ingestion.source_lines import Marks, shift
from seminar.ingestion.streams.decoding import Notify, read_text
from seminar.types import LineMark, Thread

_CLOCK = r"(?:\d{1,3}:)?\d\d:\d\d[.,]\d{3}"
_TIMING = re.compile(rf"\s*({_CLOCK})\s*-->\s*({_CLOCK})")
_VOICE = re.compile(r"<v(?:\.[^\s>]*)?\s+([^>]{1,200})>")
_TAG = re.compile(r"</?[a-z][^<>]{0,200}>|<[\d:.]+>|\{\\[^{}]{1,50}\}", re.IGNORECASE)
_LABEL = re.compile(
    r"(?:[-–]\s*|>>\s*)?([A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*){0,4}):\s+(\S.*)", re.DOTALL
)
_SENTENCE = 300  # characters after which a sentence's end ends words without a speaker


def read(path: Path, source: str, notify: Notify) -> Iterator[Thread]:
    """The conversation of a file; consecutive cues of one speaker are one message.

    Messages are cited as file#clock, the clock of their first cue.
    """
    text = read_text(path, notify)
    messages = list(to_messages(_joined(_cues(text.content)), source, text))
    if not messages:
        raise IngestionError("empty: it holds no cues")
    yield compose(messages, title=PurePosixPath(source).stem, channel=source)


def _cues(text: str) -> Iterator[Turn]:
    """A turn for each cue, or for each voice within one."""
    clock = ""
    first = 0
    held: list[str] = []
    for number, line in enumerate([*text.split("\n"), ""], start=1):
        if timing := _TIMING.match(line):
            clock, held = timing.group(1).replace(",", "."), []
            first = number + 1
        elif line.strip():
            held.append(line.strip())
        elif clock:
            yield from _voices(clock, "\n".join(held), first)
            clock = ""


def _voices(clock: str, content: str, line: int) -> Iterator[Turn]:
    """The turns of a cue whose text begins on this line."""
    parts = _VOICE.split(content)  # words before any voice, then each name and its words
    for speaker, spoken in zip(["", *parts[1::2]], parts[::2], strict=True):
        line += speaker.count("\n")
        marks = _marks(spoken, line)
        line += spoken.count("\n")
        words = _words(spoken).strip()
        label = _LABEL.fullmatch(words) if not speaker else None
        if label:
            yield Turn(clock, label.group(1), label.group(2), shift(marks, -label.start(2)))
        elif words:
            yield Turn(clock, unescape(speaker.replace("\n", " ")), words, marks)


def _marks(spoken: str, line: int) -> Marks:
    """The marks of a voice's words, whose first line has this number."""
    ends = [end.end() for end in re.finditer("\n", spoken)]
    return tuple(
        LineMark(len(_words(spoken[:end])), number) for number, end in enumerate([0, *ends], line)
    )


def _words(spoken: str) -> str:
    """A voice's text without tags and the space before it."""
    return unescape(_TAG.sub("", spoken.replace("\n", " "))).lstrip()


def _joined(cues: Iterator[Turn]) -> Iterator[Turn]:
    """Consecutive cues of one speaker, joined; a cue without a name continues the last one."""
    last = Turn("", "", "")
    for cue in cues:
        is_over = len(last.text) > _SENTENCE and last.text[-1] in ".!?"
        is_same = cue.speaker in (last.speaker, "")
        if last.text and is_same and (last.speaker or not is_over):
            lines = (*last.lines, *shift(cue.lines, len(last.text) + 1))
            last = last._replace(text=f"{last.text} {cue.text}", lines=lines)
            continue
        yield last
        last = cue
    yield last
