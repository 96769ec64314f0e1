"""Transcripts as text: `SPEAKER: words` as courts and radios write it, IRC, the court's corpus.

A file is a transcript where most of its paragraphs begin with a few names that come again.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from seminar.errors import IngestionError
from seminar.ingestion.conversations.mail.quote_stripping import unwrap
from seminar.ingestion.conversations.messages import compose, name, words
from seminar.ingestion.conversations.thread_builder import Gathering, Place
from seminar.ingestion.streams.compressed import open_stream
from seminar.ingestion.streams.decoding import Notify, check_lines, read_text
from seminar.types import Thread, Utterance

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
    """Whether a text begins as a transcript: names that come again open its paragraphs."""
    lines = _lines(head.decode("utf-8", "replace").replace("\r\n", "\n"))
    if _is_irc(lines):
        return True
    shouted = _are_shouted(lines)
    named = [bool(_label(line, shouted)) for line in lines]
    turns = [turn for turn in _turns(lines) if turn[1]]
    speakers = Counter(speaker for _, speaker, _ in turns)
    if len(turns) < 4 or len(speakers) < 2 or len(turns) < 2 * len(speakers):
        return False
    if sum(1 for _, _, text in turns if _ENDED.search(text)) < 0.6 * len(turns):
        return False  # records of fields, which say no sentences
    opening = [
        name_here
        for line, before, name_here in zip(lines, ["", *lines], named, strict=False)
        if line and not before
    ]
    if 2 * len(opening) >= len(turns):
        return sum(opening) >= len(opening) / 2
    return len(turns) >= sum(1 for line in lines if line) / 5


def _is_irc(lines: list[str]) -> bool:
    said = sum(1 for line in lines if _IRC.match(line))
    told = sum(1 for line in lines if _IRC_NOTICE.match(line))
    full = sum(1 for line in lines if line.strip())
    return said >= 3 and said + told >= 0.8 * full


def _lines(text: str) -> list[str]:
    """Lines without the space around them, and without the numbers that courts print before."""
    lines = [line.strip() for line in text.split("\n")]
    full = [line for line in lines if line]
    if full and sum(1 for line in full if _NUMBERED.match(line)) >= 0.7 * len(full):
        return [_NUMBERED.sub("", line, count=1).strip() for line in lines]
    return lines


def _label(line: str, shouted: bool) -> tuple[str, str, int] | None:
    """Clock, name and where the words begin, of a line without space around it that has a name.

    All names are in capitals, or none.
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
    """Whether most speakers stand in capitals."""
    names = [label[1] for line in lines if (label := _label(line, shouted=False))]
    return sum(1 for one in names if one.isupper()) > len(names) / 2


def read(path: Path, source: str, notify: Notify) -> Iterator[Thread]:
    """The one conversation of a transcript; messages are cited as file#clock, or by number."""
    text = read_text(path, notify)
    check_lines(text)
    lines = _lines(text)
    turns = _irc_turns(lines) if _is_irc(lines[:1_000]) else _turns(lines)
    said = list(numbered(turns, source))
    if not said:
        raise IngestionError("empty: nobody says anything in it")
    title = said[0].text.partition("\n")[0][:100] if not said[0].speaker else ""
    yield compose(said, title=title or PurePosixPath(source).stem, channel=source)


Turn = tuple[str, str, str]  # clock, speaker, words


def _turns(lines: list[str]) -> Iterator[Turn]:
    clock = speaker = ""
    begin = 0
    held: list[str] = []
    shouted = _are_shouted(lines)
    for line in lines:
        label = _label(line, shouted)
        if label is None:
            held.append(line)
            continue
        yield clock, speaker, unwrap("\n".join(held))[begin:]
        clock, speaker, begin = label
        held = [line]
    yield clock, speaker, unwrap("\n".join(held))[begin:]


def _irc_turns(lines: list[str]) -> Iterator[Turn]:
    for line in lines:
        if match := _IRC.match(line):
            yield match.group(1), match.group(2), match.group(3)


def numbered(turns: Iterator[Turn], source: str) -> Iterator[Utterance]:
    """Turns that say something as messages, known by their clock or else by number."""
    seen: Counter[str] = Counter()
    number = 0
    for clock, speaker, text in turns:
        if not (own := words(text)):
            continue
        number += 1
        key = clock or str(number)
        seen[key] += 1
        known = key if seen[key] == 1 else f"{key}-{seen[key]}"
        yield Utterance(known, name(speaker), own, source=source)


def recognises_court(head: bytes) -> bool:
    """Whether a file begins as the corpus of oral arguments does."""
    return head.partition(b"\n")[0].count(_FIELDS.encode()) >= 7


def read_court(path: Path, source: str, notify: Notify) -> Iterator[Thread]:
    """A thread for each case of the corpus; messages are cited as file#utterance-id."""
    gathering = Gathering()
    yield from gathering.complete(_cases(path, source, notify, gathering))


def _cases(path: Path, source: str, notify: Notify, gathering: Gathering) -> Iterator[Thread]:
    here: Place | None = None
    broken = 0
    with open_stream(path) as stream:
        for line in stream:
            fields = line.decode("utf-8", "replace").rstrip("\r\n").split(_FIELDS, 7)
            if len(fields) < 8:
                broken += 1
                continue
            case, key, _, speaker, *_, text = fields
            place = Place(name(case), source, name(case))
            if here is not None and place != here:
                yield from gathering.close(here)
            here = place
            if own := words(text):
                said = Utterance(name(key), name(speaker).title(), own, source=source)
                yield from gathering.add(place, said)
    if broken:
        notify(f"lines without the corpus's eight fields were left out: {broken}")
