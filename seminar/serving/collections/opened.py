"""Open indexes that requests share, by collection and version."""

from __future__ import annotations

import threading
from collections import OrderedDict
from pathlib import Path

from seminar.assembly import Opened, is_index, open_files
from seminar.serving.collections.folders import index_place
from seminar.serving.problems import Problem
from seminar.serving.storage.schema import Collection
from seminar.settings import Settings

MOST = 64  # open at once; the models behind them are loaded once for all


class OpenIndexes:
    """The assistants over the collections' indexes; the least recently used are closed first.

    A request keeps the version that it opened, also while a newer one is published.
    """

    def __init__(self, folder: Path, settings: Settings, *, most: int = MOST) -> None:
        self._folder = folder
        self._settings = settings
        self._most = most
        self._opened: OrderedDict[tuple[str, int], Opened] = OrderedDict()
        self._opening: dict[tuple[str, int], threading.Lock] = {}
        self._lock = threading.Lock()

    def open(self, collection: Collection) -> Opened:
        """The assistant over the published index of a collection."""
        key = collection.id, collection.version
        with self._lock:
            opening = self._opening.setdefault(key, threading.Lock())
        with opening:
            opened = self._known(key) or self._open(collection)
            self._keep(key, opened)
        return opened

    def _open(self, collection: Collection) -> Opened:
        place = index_place(self._folder, collection)
        if not is_index(place):
            raise Problem(
                409,
                f"The collection {collection.name!r} is not indexed yet: upload files, then POST "
                f"/api/v1/collections/{collection.id}/index.",
            )
        return open_files([place], self._settings)

    def _known(self, key: tuple[str, int]) -> Opened | None:
        with self._lock:
            return self._opened.get(key)

    def _keep(self, key: tuple[str, int], opened: Opened) -> None:
        """Remember as used last; forget older versions, and what was not used for longest."""
        with self._lock:
            self._opened[key] = opened
            self._opened.move_to_end(key)
            outdated = [one for one in self._opened if one[0] == key[0] and one[1] < key[1]]
            for one in outdated:
                del self._opened[one]
            while len(self._opened) > self._most:
                self._opened.popitem(last=False)
            for one in self._opening.keys() - self._opened.keys():
                del self._opening[one]
