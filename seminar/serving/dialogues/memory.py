"""Recent dialogues, so that a question needn't restore all turns before it.

A copy of what the database holds and nothing more: a dialogue is found only by the time of its
last change there and by the version of its index, so that another process's turn is never missed.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from datetime import datetime

from seminar.types import Dialogue

MOST = 500

Moment = tuple[str, datetime, int]  # dialogue, its last change, the version of the index


class RecentDialogues:
    """The dialogues that were asked last, at most `most`."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._known: OrderedDict[str, tuple[Moment, Dialogue]] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, moment: Moment) -> Dialogue | None:
        """The dialogue as it was at a moment."""
        with self._lock:
            known = self._known.get(moment[0])
            return known[1] if known and known[0] == moment else None

    def keep(self, moment: Moment, dialogue: Dialogue) -> None:
        with self._lock:
            self._known[moment[0]] = (moment, dialogue)
            self._known.move_to_end(moment[0])
            while len(self._known) > self._most:
                self._known.popitem(last=False)
