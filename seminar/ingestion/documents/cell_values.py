"""Values of spreadsheet cells as people see them: dates, percentages, amounts of money."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta

# In a number format: text in quotes or brackets as in [$£-809], a character after a backslash.
_LITERAL = re.compile(r'"([^"]*)"|\[\$([^\]-]*)[^\]]*\]|\[[^\]]*\]|\\(.)|_.|\*.')
_DIGITS = re.compile(r"[#0?][#0?,]*(?:\.([#0?]+))?")
_CURRENCY = re.compile(r"[£$€¥₹₽₩]|\b[A-Z]{3}\b|\bkr\b|\bzł\b")


def show(value: object, number_format: str = "General") -> str:
    """A value in its cell's number format, as far as that is a date, a percentage or an amount.

    >>> show(0.125, "0.0%"), show(1234.5, '[$£-809]#,##0.00'), show(4.0), show(True)
    ('12.5%', '£1,234.50', '4', 'TRUE')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, int | float):
        return _number(value, number_format)
    if isinstance(value, datetime):
        at_midnight = value.time() == time()
        return value.date().isoformat() if at_midnight else value.isoformat(" ", "minutes")
    if isinstance(value, time):
        return value.isoformat("seconds" if value.second else "minutes")
    if isinstance(value, date | timedelta):
        return str(value)
    return " ".join(str(value).split())


def _number(value: float, number_format: str) -> str:
    positive = number_format.split(";")[0]
    literals: list[str] = []
    pattern = _LITERAL.sub(lambda match: _keep(match, literals), positive)
    digits = _DIGITS.search(pattern)
    if digits is None or "/" in pattern or "E+" in pattern.upper():
        return _plain(value)
    places = len(digits.group(1) or "")
    percent = "%" in pattern
    grouped = "," if "," in digits.group() else ""
    shown = format(value * 100 if percent else value, f"{grouped}.{places}f")
    if not percent and not grouped and not places and value != int(value):
        shown = _plain(value)
    before, after = pattern[: digits.start()], pattern[digits.end() :]
    return _money(before, literals) + shown + ("%" if percent else _money(after, literals))


def _keep(match: re.Match[str], literals: list[str]) -> str:
    """A private character in place of a literal, so that its letters are no pattern."""
    literals.append(next((group for group in match.groups() if group), ""))
    return chr(0xE000 + len(literals) - 1)


def _money(stretch: str, literals: list[str]) -> str:
    """The currency that a format writes there."""
    written = re.sub("[\ue000-\uefff]", lambda mark: literals[ord(mark.group()) - 0xE000], stretch)
    if not _CURRENCY.search(written):
        return ""
    return written if len(written) <= 10 else ""


def _plain(value: float) -> str:
    """A number without the digits that binary fractions add."""
    return str(value) if isinstance(value, int) else format(value, ".15g")
