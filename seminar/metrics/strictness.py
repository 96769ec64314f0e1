"""Strict and default scoring: the official program's exception, or one that helps.

Every scorer takes `strict`. Strict scoring stops where the official program stops, with the same
class of exception. Otherwise a missing prediction is a wrong answer, an average over an empty
subset is NaN, and what can't be scored at all is a ScoringError.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sized

from seminar.errors import ScoringError


def fault(official: type[BaseException], message: str, *, strict: bool) -> BaseException:
    """The exception to raise where the official program stops with `official`."""
    return official(message) if strict else ScoringError(message)


def check_text(
    value: object,
    where: str,
    *,
    strict: bool,
    official: type[BaseException] = AttributeError,
) -> None:
    """Stop where a program would fail on something that isn't text; most try to lower-case it."""
    if not isinstance(value, str):
        message = f"{where} is {value!r} ({type(value).__name__}); expected a string"
        raise fault(official, message, strict=strict)


def check_some(items: Sized, what: str, *, strict: bool) -> None:
    """Stop where a program would divide by the number of items and there are none."""
    if not items:
        raise fault(ZeroDivisionError, f"no {what} to score", strict=strict)


def average(total: float, count: int, *, strict: bool) -> float:
    """Total by count; nothing to average is NaN, or ZeroDivisionError if strict."""
    if count == 0 and not strict:
        return math.nan
    return total / count


def name_some(ids: Iterable[object], *, limit: int = 5) -> str:
    """The first few of some ids, for an error message.

    >>> name_some(["q1", "q2", "q3"], limit=2)
    "'q1', 'q2' and 1 more"
    """
    names = [repr(name) for name in ids]
    rest = f" and {len(names) - limit} more" if len(names) > limit else ""
    return ", ".join(names[:limit]) + rest
