"""WhatsApp's exported chats, and other logs whose messages begin with date, time and name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from seminar.errors import IngestionError
from seminar.ingestion.conversations.messages import name, with_attachments, words
from seminar.ingestion.conversations.thread_builder import Place, ThreadBuilder
from seminar.ingestion.segments import combine
from seminar.ingestion.streams.decoding import Notify, SourceText, read_text
from seminar.types import LineMark, Thread, Utterance

# [31.12.23, 22:15:32] Ada: words      12/31/23, 10:15 PM - Ada: words
_BEGIN = re.compile(
    r"[\u200e\u200f]*(\[)?(\d{1,4})([./-])(\d{1,2})\3(\d{1,4}),?[ \u202f\xa0]"
    r"(\d{1,2})[:.](\d\d)(?:[:.](\d\d))?[ \u202f\xa0]?([AaPp]\.?[ \u202f\xa0]?[Mm]\.?)?"
    r"(?(1)\][ ]|[ ][-–][ ])[\u200e\u200f]*(?:([^:\n]{1,100}):(?:[ ]|$))?(.*)"
)
_ATTACHED = re.compile(
    r"[\u200e\u200f]*(?:<[^<>:]{1,40}: ([^<>]{1,200})>|(\S[^\n]{0,200}\.\w{2,5}) \([^()]{1,40}\))$"
)
_EDITED = re.compile(r"[ ]?[\u200e\u200f]?<This message was edited>$")
_SILENT = re.compile(
    r"<?[\w ]{0,30}\bomitted>?|(?:this message was|you) deleted( this message)?\.?|null",
    re.IGNORECASE,
)
_NAMED = re.compile(r"WhatsApp Chat (?:with|-) (.+)|WhatsApp Chat mit (.+)", re.IGNORECASE)
_DAY_FIRST, _MONTH_FIRST, _YEAR_FIRST = (2, 1, 0), (2, 0, 1), (0, 1, 2)  # year, month, day


class _Entry(NamedTuple):
    """A message as it stands in the file, its date in the order of the file."""

    line: int
    date: tuple[int, int, int]
    clock: tuple[int, int, int]
    mark: str  # between the numbers of the date
    half: str  # AM or PM
    speaker: str
    text: str


def recognises(head: bytes) -> bool:
    """Whether a text begins with a message: its date and time, and a name or a notice."""
    lines = head.decode("utf-8", "replace").lstrip("\ufeff \r\n\t").splitlines()
    if not lines or not _BEGIN.match(lines[0]):
        return False
    found = [match for line in lines[:200] if (match := _BEGIN.match(line))]
    return len(found) >= 2 and any(match.group(10) for match in found)


def read(path: Path, source: str, notify: Notify, *, by_day: bool = False) -> Iterator[Thread]:
    """The conversations of a chat; messages are cited as file#line."""
    text = read_text(path, notify)
    entries = list(_entries(text.content))
    order = _date_order(entries, notify)
    stem = PurePosixPath(source).stem
    titled = _NAMED.fullmatch(stem)
    title = next(filter(None, titled.groups()), stem) if titled else stem
    place = Place(title, source)
    builder = ThreadBuilder(by_day=by_day)
    yield from combine(builder.complete(_chat(entries, order, place, text, builder)))


def _chat(
    entries: Sequence[_Entry],
    order: tuple[int, int, int],
    place: Place,
    text: SourceText,
    builder: ThreadBuilder,
) -> Iterator[Thread]:
    silent = True
    for entry in entries:
        if message := _message(entry, order, place.channel, text):
            silent = False
            yield from builder.add_to_run(place, message)
    if silent:
        raise IngestionError("empty: nobody says anything in it")


def _entries(text: str) -> Iterator[_Entry]:
    """The messages of a chat; lines without a date continue the one before."""
    begin: _Entry | None = None
    held: list[str] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if match := _BEGIN.match(line):
            if begin:
                yield begin._replace(text="\n".join(held))
            first, mark, second, third = match.group(2, 3, 4, 5)
            hour, minute, second_of = match.group(6, 7, 8)
            begin = _Entry(
                number,
                (int(first), int(second), int(third)),
                (int(hour), int(minute), int(second_of or 0)),
                mark,
                (match.group(9) or "")[:1].lower(),
                match.group(10) or "",
                "",
            )
            held = [match.group(11)]
        else:
            held.append(line)
    if begin:
        yield begin._replace(text="\n".join(held))


def _date_order(entries: Sequence[_Entry], notify: Notify) -> tuple[int, int, int]:
    """Where year, month and day stand: the order in which all dates exist and time goes on."""
    first = entries[0] if entries else None
    if first is None or first.date[0] > 31:
        return _YEAR_FIRST
    american = first.mark == "/" and any(entry.half for entry in entries)
    orders = [_MONTH_FIRST, _DAY_FIRST] if american else [_DAY_FIRST, _MONTH_FIRST]
    faults = [_faults(entries, order) for order in orders]
    if faults[0] == faults[1]:
        notify(f"whether day or month comes first is a guess: {'month' if american else 'day'}")
    return orders[0] if faults[0] <= faults[1] else orders[1]


def _faults(entries: Sequence[_Entry], order: tuple[int, int, int]) -> int:
    """How many dates don't exist in this order, or lie before the message above."""
    times = [_time(entry, order) for entry in entries]
    known = [time for time in times if time is not None]
    return len(times) - len(known) + sum(1 for before, time in pairwise(known) if time < before)


def _time(entry: _Entry, order: tuple[int, int, int]) -> datetime | None:
    year, month, day = (entry.date[place] for place in order)
    hour, minute, second = entry.clock
    if entry.half:
        hour = hour % 12 + (12 if entry.half == "p" else 0)
    try:
        return datetime(year + 2000 if year < 100 else year, month, day, hour, minute, second)
    except ValueError:
        return None


def _message(
    entry: _Entry, order: tuple[int, int, int], source: str, text: SourceText
) -> Utterance | None:
    """A message; None for a notice of the app, and for what was deleted or left out."""
    if not entry.speaker:
        return None
    first, *further = _EDITED.sub("", entry.text.rstrip()).split("\n")
    attached = _ATTACHED.match(first.strip())
    notice = first.lstrip().startswith("\u200e") and not attached
    spoken = "\n".join(further if attached else [first, *further])
    spoken = words(spoken.replace("\u200e", "").replace("\u200f", ""))
    if notice or _SILENT.fullmatch(spoken):
        return None
    names = [attached.group(1) or attached.group(2)] if attached else []
    spoken = with_attachments(spoken, names)
    if not spoken:
        return None
    marks = _marks(spoken, entry.line + bool(attached and further))
    if attached:  # its line comes last in the message, and first in the file
        marks[-1] = LineMark(marks[-1].start, entry.line)
    lines = text.renumber(marks)
    number = text.renumber((LineMark(0, entry.line),))[0].line
    return Utterance(
        str(number), name(entry.speaker), spoken, _time(entry, order), source=source, lines=lines
    )


def _marks(spoken: str, line: int) -> list[LineMark]:
    """The marks of the lines of a message whose first one is this line of the file."""
    marks = [LineMark(0, line)]
    for number, end in enumerate(re.finditer("\n", spoken), start=line + 1):
        marks.append(LineMark(end.end(), number))
    return marks
