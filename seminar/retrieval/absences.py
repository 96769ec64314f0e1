"""Files that an update doesn't see: surely deleted, or perhaps only out of sight."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Set
from dataclasses import dataclass
from pathlib import PurePosixPath

from seminar.retrieval.file_index import FileRecord

FORGOTTEN_SHARE = 0.2  # of the files of an index, which an update forgets without being asked


@dataclass(frozen=True, slots=True)
class Absences:
    """What an update does with the files that it doesn't see.

    `forgotten` are deleted; `hidden` are in a place that could not be looked at; `withheld` seem
    to be deleted, but are so many that the user is to confirm it.
    """

    forgotten: tuple[str, ...]
    hidden: tuple[str, ...] = ()
    withheld: tuple[str, ...] = ()


def sort_absences(
    absent: Collection[str],
    indexed: Mapping[str, FileRecord],
    current: Mapping[str, str],
    *,
    hidden: Set[str] = frozenset(),
    left_out: Set[str] = frozenset(),
    forget: bool = False,
) -> Absences:
    """Decide about the absent files of an index, whose current ones are {path: content hash}.

    Whatever is in a place of `hidden` stays. A folder that lost more than a fifth of its files, or
    all of them, may be a mount that is missing: without `forget`, nothing of it is forgotten. One
    file alone is, and so is what is there under another name, or is there and `left_out`.
    """
    unseen = {path for path in absent if is_hidden(path, hidden)}
    contents = set(current.values())
    gone = sorted(set(absent) - unseen)
    missing = [path for path in gone if indexed[path].hash not in contents]
    missing = [path for path in missing if path not in left_out]
    many = len(missing) > max(1, len(indexed) * FORGOTTEN_SHARE) or (missing and not current)
    kept = missing if many and not forget else []
    forgotten = tuple(path for path in gone if path not in set(kept))
    return Absences(forgotten, tuple(sorted(unseen)), tuple(kept))


def is_hidden(path: str, places: Set[str]) -> bool:
    """Whether a file is one of the places, or below one of them; "." is a whole folder.

    >>> is_hidden("a/b.md", {"a"}), is_hidden("a/b.md", {"."}), is_hidden("ab.md", {"a"})
    (True, True, False)
    """
    if not places:
        return False
    own = PurePosixPath(path)
    return any(str(at) in places or f"{at}/." in places for at in (own, *own.parents))
