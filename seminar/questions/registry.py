"""Rewriters by name: the ways to bring the dialogue into the search."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from seminar.protocols import Rewriter
from seminar.questions.auto import Auto
from seminar.questions.history import AllHistory, Original
from seminar.weights import verified_folder


@cache
def _load_rewriter() -> Rewriter:
    """The trained rewriter, loaded once per process; the runtime behind it is slow to import."""
    from seminar.models.rewriter.model import RewriterModel
    from seminar.questions.rewriting import Rewritten

    return Rewritten(RewriterModel(verified_folder("rewriter")))


def _auto() -> Rewriter:
    return Auto(rewriter=_load_rewriter())


HISTORIES: dict[str, Callable[[], Rewriter]] = {
    "auto": _auto,
    "original": Original,
    "all": AllHistory,
    "rewrite": _load_rewriter,
}
