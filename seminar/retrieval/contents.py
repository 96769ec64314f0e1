"""The contents of an index: its files, channels and threads, listed and read whole."""

from __future__ import annotations

from seminar.retrieval.file_index import FileIndex
from seminar.retrieval.scopes import with_parents
from seminar.types import Passage


class IndexContents:
    """What an index holds within a scope, or all of it."""

    def __init__(self, index: FileIndex, scope: str = "") -> None:
        self.index, self.scope = index, scope

    def sources(self) -> list[str]:
        """Files with indexed passages."""
        paths = sorted(file.path for file in self.index.files().values() if file.passages)
        return [path for path in paths if _within(path, self.scope)]

    def scopes(self) -> dict[str, int]:
        """The passages below every file, folder, channel and thread."""
        counts = {
            scope: passages
            for scope, passages in self.index.scopes().items()
            if _within(scope, self.scope)
        }
        return with_parents(counts)

    def passages(self, path: str, *, limit: int) -> list[Passage]:
        """The passages of a file, folder, channel or thread, at most so many; of all for ""."""
        path = path or self.scope
        found: list[Passage] = []
        for file in sorted(self.index.files()):
            if len(found) >= limit:
                break
            if _within(file, path) or _within(path, file):
                read = self.index.file_passages(file, limit=limit)
                found += [one for one in read if _within(one.scope, path)]
        return found[:limit]


def _within(path: str, scope: str) -> bool:
    return not scope or path == scope or path.startswith(f"{scope}/")
