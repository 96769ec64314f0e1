"""Periods that a topic names, such as "in February", "since 3 May 2024" or "last week"."""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from seminar.errors import SeminarError

_NAMES = [name.lower() for name in calendar.month_name[1:]]
_MONTHS = {name[:length]: n for n, name in enumerate(_NAMES, 1) for length in (3, len(name))}
_MONTHS["sept"] = 9
_MONTH = rf"(?:{'|'.join(sorted(_MONTHS, key=len, reverse=True))})\.?"
_DAY = r"(?:the )?\d{1,2}(?:st|nd|rd|th)?"
_YEAR = r"(?:19|20)\d\d"
_ISO = r"\d{4}-\d{1,2}(?:-\d{1,2})?"
_DAY_MONTH = rf"{_DAY}(?: of)? {_MONTH}(?:,? {_YEAR})?"
_MONTH_DAY = rf"{_MONTH} {_DAY}(?!\d)(?:,? {_YEAR})?"
_DATE = rf"(?:{_ISO}|{_DAY_MONTH}|{_MONTH_DAY}|{_MONTH}(?:,? {_YEAR})?|{_YEAR})"
_TO = r"(?:to|and|until|till|-|–)"
_FROM = r"(?:(?:from|between|in|on|during) )?"
_RELATIVE = (
    r"(?:today|yesterday|(?:this|(?:the )?(?:last|past)) (?:week|month|year)"
    r"|(?:the )?(?:last|past) \d{1,3} (?:days|weeks|months))"
)
_END = r"(?!\S)"
_FORMS = {
    kind: re.compile(rf"(?:^|(?<=\s)){form}{_END}", re.IGNORECASE)
    for kind, form in {
        "range": rf"{_FROM}(?P<first>{_DATE}) {_TO} (?P<last>{_DATE})",
        "first day": rf"{_FROM}(?P<first>{_DAY}) {_TO} (?P<last>{_DAY_MONTH})",
        "last day": rf"{_FROM}(?P<first>{_MONTH_DAY}) {_TO} (?P<last>{_DAY})",
        "since": rf"(?:since (?P<first>{_DATE}|{_RELATIVE})|from (?P<from>{_DATE}) on(?:wards?)?)",
        "after": rf"after (?P<first>{_DATE})",
        "until": rf"(?:up to|until|till) (?P<last>{_DATE}|{_RELATIVE})",
        "before": rf"before (?P<last>{_DATE})",
        "from": rf"from (?P<first>{_DATE})",
        "during": rf"(?:in|on|during|for|of) (?P<first>{_DATE})",
        "relative": rf"(?:(?:in|during|for|of|from) )?(?P<first>{_RELATIVE})",
    }.items()
}
_RANGES = ("range", "first day", "last day")
_HYPHEN = re.compile(r"(?<![\d-])(\d{1,2})[-–](\d{1,2})(?![\d-])")  # "3-10 May"
_WHOLE = re.compile(_DATE, re.IGNORECASE)
_NUMBER = re.compile(r"\d+")
_OLDEST_LEAP = 8  # years back in which there is a 29 February


@dataclass(frozen=True, slots=True)
class Period:
    """The days from `first` to `last`, both included; None where it has no beginning or no end."""

    first: date | None = None
    last: date | None = None

    def holds(self, day: date) -> bool:
        return (self.first is None or self.first <= day) and (self.last is None or day <= self.last)

    def __str__(self) -> str:
        if self.first and self.first == self.last:
            return f"on {_written(self.first)}"
        if self.first and self.last:
            return f"from {_written(self.first)} to {_written(self.last)}"
        return f"since {_written(self.first)}" if self.first else f"until {_written(self.last)}"


@dataclass(frozen=True, slots=True)
class NamedPeriod:
    """The words that name a period, their kind, and the rest of the topic."""

    kind: str
    first: str
    last: str
    rest: str

    def resolve(self, newest: date, today: date) -> Period:
        """The days that are meant; a date without a year is the last one up to `newest`."""
        if self.kind in _RANGES:
            return _range(_parts(self.first), _parts(self.last), newest)
        first, last = _days(self.first or self.last, newest, today)
        return _PERIODS[self.kind](first, last)


_PERIODS: dict[str, Callable[[date, date], Period]] = {
    "since": lambda first, last: Period(first),
    # "from February" is that month, "from 3 February" has no end.
    "from": lambda first, last: Period(first, None if first == last else last),
    "after": lambda first, last: Period(last + timedelta(1)),
    "until": lambda first, last: Period(None, last),
    "before": lambda first, last: Period(None, first - timedelta(1)),
    "during": Period,
    "relative": Period,
}


@dataclass(frozen=True, slots=True)
class _Parts:
    """The parts of a date that are given, 0 for those that are not."""

    year: int
    month: int
    day: int

    def dated(self, year: int) -> tuple[date, date]:
        """The first and the last of its days in a year."""
        if not self.month:
            return date(year, 1, 1), date(year, 12, 31)
        if not self.day:
            return date(year, self.month, 1), _month_end(year, self.month)
        day = date(year, self.month, self.day)
        return day, day

    def resolved(self, newest: date) -> tuple[date, date]:
        """Its days, in the last year in which it begins up to `newest` where it names none."""
        if self.year:
            return self.dated(self.year)
        years = range(newest.year, newest.year - _OLDEST_LEAP - 1, -1)
        days = [found for year in years for found in _valid(self, year)]
        if not days:
            raise ValueError("no year has that day")
        return next((one for one in days if one[0] <= newest), days[0])


def find_period(topic: str) -> NamedPeriod | None:
    """The period that a topic names, as it is worded; a bare month or year is a period by itself.

    >>> find_period("the lift in February 2025").rest
    'the lift'
    >>> find_period("the flood of the year"), find_period("what visitors may do")
    (None, None)
    """
    text = _HYPHEN.sub(r"\1 to \2", " ".join(topic.split()))
    for kind, form in _FORMS.items():
        match = form.search(text)
        if match and not (kind == "during" and _names_a_thing(match.group())):
            ends = {name: text for name, text in match.groupdict().items() if text}
            rest = f"{text[: match.start()]} {text[match.end() :]}"
            first = ends.get("first", ends.get("from", ""))
            return NamedPeriod(kind, first, ends.get("last", ""), " ".join(rest.split()).strip(","))
    return NamedPeriod("during", text, "", "") if _WHOLE.fullmatch(text) else None


def resolve(named: NamedPeriod, newest: date, today: date) -> Period:
    """The days of a named period; an error says what is wrong with its dates."""
    words = f"{named.first} to {named.last}" if named.first and named.last else ""
    words = words or named.first or named.last
    try:
        period = named.resolve(newest, today)
    except (ValueError, OverflowError):
        raise SeminarError(f"there is no such date: {words}") from None
    if period.first and period.last and period.first > period.last:
        raise SeminarError(f"the period ends before it begins: {words}")
    return period


def _names_a_thing(words: str) -> bool:
    """Whether "of 1953" belongs to a name, as in "the flood of 1953"."""
    return re.fullmatch(rf"of {_YEAR}", words, re.IGNORECASE) is not None


def _range(first: _Parts, last: _Parts, newest: date) -> Period:
    """From one date to another; each takes from the other what it lacks."""
    month = first.month or last.month
    first = _Parts(first.year, first.month if not first.day else month, first.day)
    last = _Parts(last.year, last.month if not last.day else (last.month or month), last.day)
    if first.year and not last.year:
        begin = first.resolved(newest)[0]
        end = last.dated(first.year)[1]
        return Period(begin, end if end >= begin else last.dated(first.year + 1)[1])
    end = last.resolved(newest)[1]
    if first.year:
        return Period(first.resolved(newest)[0], end)
    begin = first.dated(end.year)[0]
    crosses = begin > end and first.month != last.month
    return Period(first.dated(end.year - 1)[0] if crosses else begin, end)


def _days(words: str, newest: date, today: date) -> tuple[date, date]:
    if _WHOLE.fullmatch(words):
        return _parts(words).resolved(newest)
    return _relative_days(words.lower().removeprefix("the "), today)


def _relative_days(words: str, today: date) -> tuple[date, date]:
    """The days of "yesterday", "last month" or "the last 10 days"; a week begins on Monday."""
    if words in ("today", "yesterday"):
        day = today - timedelta(words == "yesterday")
        return day, day
    which, *counted, unit = words.split()
    if counted:
        days = {"days": 1, "weeks": 7, "months": 30}[unit] * int(counted[0])
        return today - timedelta(max(days, 1) - 1), today
    before = which != "this"
    if unit == "week":
        monday = today - timedelta(today.weekday() + 7 * before)
        return monday, monday + timedelta(6)
    if unit == "year":
        return _Parts(today.year - before, 0, 0).dated(today.year - before)
    last = today.replace(day=1) - timedelta(1) if before else today
    return last.replace(day=1), _month_end(last.year, last.month)


def _parts(words: str) -> _Parts:
    """The parts of a date in digits or words, or of the bare day of a range."""
    if re.fullmatch(_ISO, words):
        year, month, *day = (int(part) for part in words.split("-"))
        return _Parts(year, month, day[0] if day else 0)
    named = re.search(rf"\b{_MONTH}", words, re.IGNORECASE)
    month = _MONTHS[named.group().lower().rstrip(".")] if named else 0
    figures = [int(one) for one in _NUMBER.findall(words)]
    year = next((one for one in figures if one > 1000), 0)
    return _Parts(year, month, next((one for one in figures if one < 1000), 0))


def _valid(parts: _Parts, year: int) -> Iterator[tuple[date, date]]:
    try:
        yield parts.dated(year)
    except ValueError:
        return


def _month_end(year: int, month: int) -> date:
    return date(year, month, calendar.monthrange(year, month)[1])


def _written(day: date | None) -> str:
    return f"{day.day} {calendar.month_name[day.month]} {day.year}" if day else ""
