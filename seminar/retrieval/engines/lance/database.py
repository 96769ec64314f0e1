"""Opening the SQLite file of an index as untrusted input: somebody else may have made it."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from seminar.errors import IndexDamagedError, IndexStoreError
from seminar.regular_files import is_regular, open_regular

BUSY_SECONDS = 10.0
QUERY_SECONDS = 60.0  # reading a catalog of a million files takes some seconds
_STEPS = 100_000  # of SQLite's virtual machine, between looks at the clock
_VALUE_BYTES = 10_000_000
_MAGIC = b"SQLite format 3\0"
_ROLLBACK = b"\x01\x01"  # the bytes of a file that is written with a rollback journal
_JOURNAL_MAGIC = bytes.fromhex("d9d505f920a163d7")
# SQLite's error names for problems around the file; any other error means a damaged file.
_SURROUNDINGS = ("BUSY", "CANTOPEN", "FULL", "IOERR", "LOCKED", "PERM", "READONLY")
_SETTINGS = {"DEFENSIVE": True, "ENABLE_TRIGGER": False, "ENABLE_VIEW": False}
_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: _VALUE_BYTES,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 100_000,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 1,
}


@contextmanager
def transaction(path: Path, *, new: bool = False) -> Iterator[sqlite3.Connection]:
    """One transaction on a database file; errors say which file, and what to do."""
    uri = f"{path.absolute().as_uri()}?mode={'rwc' if new else 'rw'}"
    try:
        if not new:
            _check_files(path)
        with closing(sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS)) as database, database:
            _harden(database)
            database.execute("BEGIN")
            yield database
    except sqlite3.DatabaseError as error:
        name = getattr(error, "sqlite_errorname", "")
        if name.partition("_")[2].startswith(_SURROUNDINGS):
            raise _unusable(path, str(error)) from error
        raise damaged(path, str(error)) from error
    except sqlite3.Error as error:  # of the interface, as at a text that is not UTF-8
        raise damaged(path, str(error)) from error
    except OSError as error:
        raise _unusable(path, error.strerror or str(error)) from error


def damaged(path: Path, reason: str) -> IndexDamagedError:
    """The error for a catalog that is not as Seminar left it."""
    return IndexDamagedError(
        f"the index catalog {path} is damaged ({reason}). "
        f"Check and repair it: seminar doctor --repair {path.parent}"
    )


def _unusable(path: Path, reason: str) -> IndexStoreError:
    return IndexStoreError(
        f"cannot use the index catalog {path}: {reason}. Check that the folder "
        "exists and may be written, that the disk has space, and that it isn't busy"
    )


def _check_files(path: Path) -> None:
    """Refuse links, other journal modes, and journals that name further files to delete."""
    with open_regular(path) as file:
        head = file.read(20)
    if not head.startswith(_MAGIC) or head[18:20] != _ROLLBACK:
        raise damaged(path, "not a database as Seminar writes it")
    for ending in ("-journal", "-wal", "-shm"):
        beside = path.with_name(path.name + ending)
        if beside.is_symlink() or (beside.exists() and not is_regular(beside)):
            raise damaged(path, f"{beside.name} is not a regular file")
    try:
        with open_regular(path.with_name(f"{path.name}-journal")) as journal:
            size = journal.seek(0, 2)
            journal.seek(max(size - len(_JOURNAL_MAGIC), 0))
            end = journal.read(len(_JOURNAL_MAGIC))
    except FileNotFoundError:
        return
    if size > len(_JOURNAL_MAGIC) and end == _JOURNAL_MAGIC:
        raise damaged(path, "its journal names a journal of other databases")


def _harden(database: sqlite3.Connection) -> None:
    """Forbid what a catalog never needs, and bound the time that a query takes."""
    for limit, value in _LIMITS.items():
        database.setlimit(limit, value)
    if hasattr(database, "setconfig"):  # Python 3.12
        for name, value in _SETTINGS.items():
            database.setconfig(getattr(sqlite3, f"SQLITE_DBCONFIG_{name}"), value)
    for pragma in ("trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0"):
        database.execute(f"PRAGMA {pragma}")
    # FULL lets a power cut bring the journal back, and so undo a change that was acknowledged.
    database.execute("PRAGMA synchronous = EXTRA")
    end = time.monotonic() + QUERY_SECONDS
    database.set_progress_handler(lambda: time.monotonic() > end, _STEPS)
