"""The ways to bring the dialogue into the search, chosen by one word."""

from __future__ import annotations

from collections.abc import Callable

from seminar.protocols import Rewriter
from seminar.questions.auto import Auto
from seminar.questions.history import AllHistory, Original

HISTORIES: dict[str, Callable[[], Rewriter]] = {
    "auto": Auto,
    "original": Original,
    "all": AllHistory,
}
