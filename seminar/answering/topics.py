"""The topic of a turn is the document of its literal answer (TopiOCQA, section 4.1)."""

from __future__ import annotations

from seminar.types import Dialogue, Switch


def switch_of(dialogue: Dialogue, source: str) -> Switch | None:
    """How an answer from this source moves the dialogue; None where nothing was answered before."""
    trail = [passage.source for passage in dialogue.trail]
    if not trail:
        return None
    if trail[-1] == source:
        return "no-switch"
    return "switch-to-old" if source in trail else "switch-to-new"
