"""The assistants over parts of collections."""

from __future__ import annotations

import threading
from collections import OrderedDict

from seminar.assembly import Opened
from seminar.serving.collections.opened import OpenIndexes
from seminar.serving.storage.schema import Collection


class Assistants:
    """The assistants over parts of open indexes, so that requests for one part share batches."""

    def __init__(self, collections: OpenIndexes, most: int = 64) -> None:
        self._collections = collections
        self._most = most
        self._lock = threading.Lock()
        self._scoped: OrderedDict[tuple[str, str], tuple[Opened, Opened]] = OrderedDict()

    def open(self, collection: Collection, scope: str) -> Opened:
        """The index of a collection and its assistant, within a scope if there is one."""
        opened = self._collections.open(collection)
        if not scope:
            return opened
        key = (collection.id, scope)
        with self._lock:
            known = self._scoped.get(key)
        if known is None or known[0] is not opened:
            known = (opened, opened.within(scope))
        with self._lock:
            self._scoped[key] = known
            self._scoped.move_to_end(key)
            while len(self._scoped) > self._most:
                self._scoped.popitem(last=False)
        return known[1]
