"""Transcripts as text: `SPEAKER: words` of courts and broadcasters, IRC logs, oral arguments.

A file is a transcript where most of its paragraphs begin with a few names that recur.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from seminar.errors import IngestionError
from seminar.ingestion.conversations.messages import compose, name, words
from seminar.ingestion.conversations.thread_builder import Place, ThreadBuilder
from seminar.ingestion.paragraphs import unwrap
from seminar.ingestion.source_lines import Marks, shift
from seminar.ingestion.streams.compressed import open_stream
from seminar.ingestion.streams.decoding import Notify, SourceText, read_text
from seminar.types import LineMark, Thread, Utterance

_CLOCK = r"\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d{1,3})?"
_PERSON = r"(?:[A-Z][\w.'’-]*|of|the|de|van|von|and|for|la|al|bin|\([\w .]{1,30}\))"
_LABEL = re.compile(
    rf"\s*(?:\[?({_CLOCK})\]?\s+[-–]?\s*)?({_PERSON}(?:,? {_PERSON}){{0,7}})"
    rf"(?:\s*[\[(]({_CLOCK})[\])])?\s?:(?:\s+(\S.*)|\s*$)"
)
_IRC = re.compile(rf"\[?({_CLOCK})\]?\s*<[ @+%~&]?([^<>\s]{{1,40}})>\s?(.*)")
_IRC_NOTICE = re.compile(rf"(?:\[?{_CLOCK}\]?\s*)?(?:===|\*\*\*|-!-|-->|<--|\* )")
_NO_NAMES = frozenset(
    """
    note notes warning caution example examples tip hint important input output todo step chapter
    section figure table from to cc bcc subject date sent time place see http https q a url
    """.split()
)
_NUMBERED = re.compile(r"\d{1,2}(?:\s|$)")
_ENDED = re.compile(r"[.?!…—-][\"”’')\]]*$")
_FIELDS = " +++$+++ "  # between the fields of the corpus of oral arguments


def recognises(head: bytes) -> bool:
    """Whether a text begins like a transcript: recurring names open its paragraphs."""
    lines = _lines(head.decode("utf-8", "replace").replace("\r\n", "\n"))
    if _is_irc(lines):
        return True
    shouted = _are_shouted(lines)
    named = [bool(_label(line, shouted)) for line in lines]
    turns = [turn for turn in _turns(lines) if turn.speaker]
    speakers = Counter(turn.speaker for turn in turns)
    if len(turns) < 4 or len(speakers) < 2 or len(turns) < 2 * len(speakers):
        return False
    if sum(1 for turn in turns if _ENDED.search(turn.text)) < 0.6 * len(turns):
        return False  # records of fields, which hold no sentences
    opening = [
        is_named
        for line, before, is_named in zip(lines, ["", *lines], named, strict=False)
        if line and not before
    ]
    if 2 * len(opening) >= len(turns):
        return sum(opening) >= len(opening) / 2
    return len(turns) >= sum(1 for line in lines if line) / 5


def _is_irc(lines: list[str]) -> bool:
    messages = sum(1 for line in lines if _IRC.match(line))
    notices = sum(1 for line in lines if _IRC_NOTICE.match(line))
    full = sum(1 for line in lines if line.strip())
    return messages >= 3 and messages + notices >= 0.8 * full


def _lines(text: str) -> list[str]:
    """Lines without the space around them, and without the line numbers of court transcripts."""
    lines = [line.strip() for line in text.split("\n")]
    full = [line for line in lines if line]
    if full and sum(1 for line in full if _NUMBERED.match(line)) >= 0.7 * len(full):
        return [_NUMBERED.sub("", line, count=1).strip() for line in lines]
    return lines


def _label(line: str, shouted: bool) -> tuple[str, str, int] | None:
    """Clock, name and start of the words of a stripped line that begins with a speaker's name.

    With `shouted`, only names in capitals count.
    """
    match = _LABEL.fullmatch(line)
    if match is None:
        return None
    speaker = match.group(2)
    if speaker.lower() in _NO_NAMES or not speaker[0].isupper():
        return None
    if shouted and not speaker.isupper():  # "may it please the / Court: ..."
        return None
    return match.group(1) or match.group(3) or "", speaker, match.end() - len(match.group(4) or "")


def _are_shouted(lines: list[str]) -> bool:
    """Whether most speakers' names are in capitals."""
    names = [label[1] for line in lines if (label := _label(line, shouted=False))]
    return sum(1 for speaker in names if speaker.isupper()) > len(names) / 2


def read(path: Path, source: str, notify: Notify) -> Iterator[Thread]:
    """The conversation of a transcript; messages are cited as file#clock, or by number."""
    text = read_text(path, notify)
    lines = _lines(text.content)
    turns = _irc_turns(lines) if _is_irc(lines[:1_000]) else _turns(lines)
    messages = list(to_messages(turns, source, text))
    if not messages:
        raise IngestionError("empty: nobody says anything in it")
    first = messages[0]
    title = first.text.partition("\n")[0][:100] if not first.speaker else ""
    yield compose(messages, title=title or PurePosixPath(source).stem, channel=source)


class Turn(NamedTuple):
    """A speaker's words, with the clock that stands beside them and the marks of their lines."""

    clock: str
    speaker: str
    text: str
    lines: Marks = ()


def _turns(lines: list[str]) -> Iterator[Turn]:
    label = "", "", 0
    first = 0
    shouted = _are_shouted(lines)
    for place, line in enumerate(lines):
        if opening := _label(line, shouted):
            yield _turn(label, lines[first:place], first)
            label, first = opening, place
    yield _turn(label, lines[first:], first)


def _turn(label: tuple[str, str, int], lines: list[str], before: int) -> Turn:
    """The turn of a label and its lines, of which `before` come earlier in the file."""
    clock, speaker, begin = label
    text, marks = unwrap("\n".join(lines))
    in_turn = tuple(LineMark(max(start - begin, 0), line + before) for start, line in marks)
    return Turn(clock, speaker, text[begin:], in_turn)


def _irc_turns(lines: list[str]) -> Iterator[Turn]:
    for number, line in enumerate(lines, start=1):
        if match := _IRC.match(line):
            yield Turn(match.group(1), match.group(2), match.group(3), (LineMark(0, number),))


def to_messages(turns: Iterator[Turn], source: str, text: SourceText) -> Iterator[Utterance]:
    """The turns with words as messages, identified by their clock or else by number."""
    seen: Counter[str] = Counter()
    number = 0
    for turn in turns:
        if not (spoken := words(turn.text)):
            continue
        number += 1
        key = turn.clock or str(number)
        seen[key] += 1
        unique = key if seen[key] == 1 else f"{key}-{seen[key]}"
        indent = len(turn.text) - len(turn.text.lstrip())
        lines = text.renumber(shift(turn.lines, -indent))
        yield Utterance(unique, name(turn.speaker), spoken, source=source, lines=lines)


def recognises_court(head: bytes) -> bool:
    """Whether a file begins like the corpus of oral arguments."""
    return head.partition(b"\n")[0].count(_FIELDS.encode()) >= 7


def read_court(path: Path, source: str, notify: Notify) -> Iterator[Thread]:
    """A thread for each case of the corpus; messages are cited as file#utterance-id."""
    builder = ThreadBuilder()
    yield from builder.complete(_cases(path, source, notify, builder))


def _cases(path: Path, source: str, notify: Notify, builder: ThreadBuilder) -> Iterator[Thread]:
    here: Place | None = None
    broken = 0
    with open_stream(path) as stream:
        for number, line in enumerate(stream, start=1):
            fields = line.decode("utf-8", "replace").rstrip("\r\n").split(_FIELDS, 7)
            if len(fields) < 8:
                broken += 1
                continue
            case, key, _, speaker, *_, text = fields
            place = Place(name(case), source, name(case))
            if here is not None and place != here:
                yield from builder.close(here)
            here = place
            if spoken := words(text):
                message = Utterance(
                    name(key),
                    name(speaker).title(),
                    spoken,
                    source=source,
                    lines=(LineMark(0, number),),
                )
                yield from builder.add(place, message)
    if broken:
        notify(f"lines without the corpus's eight fields were left out: {broken}")
