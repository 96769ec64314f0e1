"""Excerpts: what was written in a channel, thread, file or period that a topic names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from seminar.answering.periods import NamedPeriod, Period, find_period, resolve
from seminar.errors import SeminarError
from seminar.protocols import Contents, Retriever
from seminar.text import terms
from seminar.types import Passage, Query, Span, Utterance

MOST_READ = 20_000  # passages of a channel or of all files that are looked at
UNREAD = f"only the first {MOST_READ:,} passages there were looked at: name a channel or a file"
SEARCHED = 50  # passages on a topic, of which those of the period count
FOUND = 10

_HASHED = re.compile(r"(?<!\S)#(?P<name>[^\W\d][\w./-]*)")
_KIND = r"(?:channel|thread|folder|file|mailbox|group|chat)"
_TYPED = re.compile(
    rf"(?:the )?{_KIND} (?P<before>[\w./@-]+)|(?:the )?(?P<after>[\w./@-]+) {_KIND}", re.IGNORECASE
)
_NOISE = re.compile(
    r"\b(?:in|of|from|on|at|about|the|all|everything|messages?|mails?|e-?mails?|posts?|chats?|"
    r"conversations?|discussions?|discussed|threads?|channels?|what|was|were|said|written|your|my|"
    r"our|these|those|this|files?|documents?|docs|that)\b",
    re.IGNORECASE,
)
_LED = re.compile(r"^(?:(?:in|of|from|on|at|about)\s+)+|(?:\s+(?:in|of|from|on|at))+$", re.I)


class NoContents:
    """The contents where no files are at hand, as where only given passages are read."""

    def sources(self) -> list[str]:
        return []

    def scopes(self) -> dict[str, int]:
        return {}

    def passages(self, path: str, *, limit: int) -> list[Passage]:
        return []


NOTHING = NoContents()


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The words of some messages or files, oldest first, or the `problem` why there are none.

    `subject` is what else the topic names, which was searched. `notes` tell what was not read.
    """

    name: str  # "in slack/boathouse from 1 February 2025 to 28 February 2025"
    spans: tuple[Span, ...] = ()
    problem: str = ""
    subject: str = ""
    notes: tuple[str, ...] = ()


class Excerpts:
    """Finds the excerpt that a topic names; None where it names no place and no period.

    A place is `#name`, "the name channel", a path, or any name beside a period. In a period only
    messages with a time count, by the day that their own clock shows.
    """

    def __init__(
        self,
        contents: Contents,
        retriever: Retriever,
        *,
        today: Callable[[], date] = date.today,
    ) -> None:
        self.contents, self.retriever, self.today = contents, retriever, today

    def find(self, topic: str) -> Excerpt | None:
        named = find_period(topic)
        rest = named.rest if named else topic
        places, subject = named_places(rest, self.contents.scopes, bare=named is not None)
        hashed = _HASHED.search(rest)
        if hashed and not places and named:
            return Excerpt("", problem=f"No channel, thread or file is called {hashed.group()}.")
        if not places and named is None:
            return None
        everything = [
            one
            for place in places or [""]
            for one in self.contents.passages(place, limit=MOST_READ)
        ]
        found = self._excerpt(everything, places, _LED.sub("", subject).strip(), named)
        return replace(found, notes=(UNREAD,)) if found and len(everything) >= MOST_READ else found

    def _excerpt(
        self,
        everything: Sequence[Passage],
        places: Sequence[str],
        subject: str,
        named: NamedPeriod | None,
    ) -> Excerpt | None:
        where = f"in {' and '.join(places)}" if places else ""
        if named is None:
            found = self._on(subject, places) if subject else everything
            return Excerpt(
                where, tuple(Span(one, 0, len(one.text)) for one in found), subject=subject
            )
        days = sorted(day for one in everything for day in _days(one))
        if not days:
            return None if subject else Excerpt("", problem="No message here has a date.")
        try:
            period = resolve(named, days[-1], self.today())
        except SeminarError as error:
            return Excerpt("", problem=f"{str(error)[0].upper()}{str(error)[1:]}.")
        if subject and not places and not any(period.holds(day) for day in days):
            return None  # the date belongs to what is told, not to when it was written
        return self._within(period, everything, places, subject, where, days)

    def _within(
        self,
        period: Period,
        everything: Sequence[Passage],
        places: Sequence[str],
        subject: str,
        where: str,
        days: Sequence[date],
    ) -> Excerpt:
        passages = self._on(subject, places) if subject else everything
        written = [one for passage in passages for one in written_in(passage, period)]
        spans = sorted(_naming(subject, written)[:FOUND] if subject else written, key=_time)
        about = f"on {subject}" if subject else ""
        name = " ".join(part for part in (about, where, str(period)) if part)
        if not spans:
            known = Period(days[0], days[-1])
            problem = f"Nothing was written {name}; the messages there are {known}."
            return Excerpt(name, problem=problem, subject=subject)
        return Excerpt(name, tuple(spans), subject=subject)

    def _on(self, subject: str, places: Sequence[str]) -> list[Passage]:
        queries = [Query(subject, scope=place or None) for place in places or [""]]
        rankings = self.retriever.search(queries, SEARCHED)
        return [hit.passage for hits in rankings for hit in hits]


def named_places(
    topic: str, scopes: Callable[[], Mapping[str, int]], *, bare: bool
) -> tuple[tuple[str, ...], str]:
    """The scopes that a topic names, and the rest of the topic; a `bare` name may be one too.

    >>> known = lambda: {"mail/office": 3, "office.txt": 1}
    >>> named_places("the lift in #office", known, bare=False)
    (('mail/office',), 'the lift in')
    >>> named_places("office", known, bare=False)
    ((), 'office')
    >>> named_places("office", known, bare=True)
    (('mail/office',), '')
    """
    for name, rest in _names(topic, bare=bare):
        found = _called(name, scopes())
        if found:
            return found, rest if _NOISE.sub("", rest).strip(" ,#") else ""
    return (), topic if _NOISE.sub("", topic).strip(" ,#") else ""


def _names(topic: str, *, bare: bool) -> Iterator[tuple[str, str]]:
    """Words of a topic that may name a place, each with the rest of the topic."""
    for form in (_HASHED, _TYPED):
        match = form.search(topic)
        if match:
            name = next(group for group in match.groups() if group)
            rest = f"{topic[: match.start()]} {topic[match.end() :]}"
            yield name, " ".join(rest.split())
    for word in topic.split():
        if "/" in word:
            yield word.strip("/"), " ".join(one for one in topic.split() if one != word)
    if bare:
        yield _NOISE.sub("", topic).strip(), ""


def _called(name: str, scopes: Mapping[str, int]) -> tuple[str, ...]:
    """The scopes of that path, else of that last part, else of that part without its suffix."""
    wanted = name.casefold()
    folded = {scope: scope.casefold() for scope in scopes}
    for form in (str, _last, _stem):
        found = tuple(scope for scope, path in folded.items() if form(path) == wanted)
        if wanted and found:
            return found
    return ()


def _last(path: str) -> str:
    return path.rpartition("/")[2]


def _stem(path: str) -> str:
    return _last(path).partition(".")[0]


def _naming(subject: str, spans: Sequence[Span]) -> Sequence[Span]:
    """The spans that share a word with a subject, or all where none does."""
    wanted = terms(subject)
    return [one for one in spans if wanted & terms(f"{one.passage.heading} {one.text}")] or spans


def written_in(passage: Passage, period: Period) -> Iterator[Span]:
    """The runs of a passage's messages that were written in a period, with their speakers."""
    run: list[Utterance] = []
    for utterance in passage.utterances:
        if utterance.time and period.holds(utterance.time.date()):
            run.append(utterance)
        elif run:
            yield _run(passage, run)
            run = []
    if run:
        yield _run(passage, run)


def _run(passage: Passage, messages: Sequence[Utterance]) -> Span:
    label = passage.speaker_label(messages[0])
    return Span(passage, label.start if label else messages[0].start, messages[-1].end)


def _days(passage: Passage) -> Iterator[date]:
    return (one.time.date() for one in passage.utterances if one.time)


def _time(span: Span) -> tuple[str, str, int]:
    """When the first message of a span was written, as text that sorts."""
    utterance = span.utterance
    time = utterance.time if utterance else None
    return time.isoformat() if time else "", span.passage.source, span.start
