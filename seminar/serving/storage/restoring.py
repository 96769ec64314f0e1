"""Restore a backup into an empty state; an archive is untrusted, as any upload is."""

from __future__ import annotations

import json
import shutil
import tarfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import sqlalchemy
from sqlalchemy import Connection, Engine, delete, func, insert, select, text
from sqlalchemy.exc import SQLAlchemyError

from seminar.errors import SeminarError
from seminar.serving.storage.backup import DESCRIPTION, FORMAT
from seminar.serving.storage.migrating import migrate, newest_revision
from seminar.serving.storage.rows import from_json
from seminar.serving.storage.schema import Collection, Job, Table

LONGEST_LINE = 64_000_000  # bytes of a row
BATCH = 500
FREE_BYTES = 200_000_000
FOLDERS = ("collections", "uploads")


def restore_backup(engine: Engine, folder: Path, file: Path) -> None:
    """Restore rows and files; every collection of uploaded files is indexed at the next start."""
    migrate(engine)
    _check_empty(engine, folder)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        with tarfile.open(file, "r:gz") as archive, engine.begin() as connection:
            _check_description(archive.next(), archive, file)
            while entry := archive.next():
                _restore(entry, archive, connection, folder)
                archive.members = []  # type: ignore[attr-defined]  # it would keep all
            _continue_numbering(connection)
            _index_all(connection)
    except (tarfile.TarError, zlib.error, EOFError, ValueError, SQLAlchemyError) as error:
        _remove(folder)
        raise SeminarError(f"{file}: not a backup, or damaged: {_first_line(error)}") from error
    except BaseException:
        _remove(folder)
        raise


def _check_empty(engine: Engine, folder: Path) -> None:
    with engine.connect() as connection:
        filled = any(
            connection.execute(select(func.count()).select_from(table)).scalar()
            for table in Table.metadata.sorted_tables
        )
    if filled or any((folder / name).exists() for name in FOLDERS):
        raise SeminarError(
            f"there is something in {folder} or in the database already: restore into a new "
            "--folder and an empty --database"
        )


def _check_description(entry: tarfile.TarInfo | None, archive: tarfile.TarFile, file: Path) -> None:
    if entry is None or entry.name != DESCRIPTION or entry.size > LONGEST_LINE:
        raise SeminarError(f"{file}: not a backup: it doesn't begin with {DESCRIPTION}")
    description = json.loads(_content(archive, entry).read())
    if not isinstance(description, dict) or description.get("format") != FORMAT:
        raise SeminarError(f"{file}: not a backup that this version can read (format {FORMAT})")
    if description.get("revision") != newest_revision():
        raise SeminarError(
            f"{file}: made with the schema {description.get('revision')!r}, not "
            f"{newest_revision()!r}: restore it with the version of Seminar that made it, then "
            "start the newer one"
        )


def _restore(
    entry: tarfile.TarInfo, archive: tarfile.TarFile, connection: Connection, folder: Path
) -> None:
    kind, _, name = entry.name.partition("/")
    if kind == "tables":
        table = Table.metadata.tables.get(name.removesuffix(".jsonl"))
        if table is None:
            raise ValueError(f"there is no table for {entry.name!r}")
        _insert(connection, table, _content(archive, entry))
    elif kind in FOLDERS and entry.isfile():
        if shutil.disk_usage(folder).free < entry.size + FREE_BYTES:
            raise SeminarError(f"the disk of {folder} has no room for {entry.name!r}")
        archive.extract(entry, folder, filter="data")  # refuses names that lead elsewhere
    else:
        raise ValueError(f"unexpected entry {entry.name!r}")


def _insert(connection: Connection, table: sqlalchemy.Table, lines: IO[bytes]) -> None:
    rows: list[dict[str, object]] = []
    for line in _lines(lines):
        rows.append(from_json(table, json.loads(line)))
        if len(rows) >= BATCH:
            connection.execute(insert(table), rows)
            rows = []
    if rows:
        connection.execute(insert(table), rows)


def _lines(stream: IO[bytes]) -> Iterator[bytes]:
    while line := stream.readline(LONGEST_LINE):
        if not line.endswith(b"\n"):
            raise ValueError(f"a row has more than {LONGEST_LINE:,} bytes, or is cut off")
        yield line


def _content(archive: tarfile.TarFile, entry: tarfile.TarInfo) -> IO[bytes]:
    content = archive.extractfile(entry)
    if content is None:
        raise ValueError(f"{entry.name!r} is not a file")
    return content


def _continue_numbering(connection: Connection) -> None:
    """PostgreSQL numbers audit entries from a sequence, which knows nothing of restored ones."""
    if connection.dialect.name == "postgresql":
        sequence = "pg_get_serial_sequence('audit_entries', 'id')"
        newest = "(SELECT coalesce(max(id), 0) + 1 FROM audit_entries)"
        connection.execute(text(f"SELECT setval({sequence}, {newest}, false)"))


def _index_all(connection: Connection) -> None:
    """One waiting job for each collection, in place of those that were going on."""
    connection.execute(delete(Job).where(Job.state.in_(("waiting", "running"))))
    for collection_id in connection.scalars(
        select(Collection.id).where(Collection.deleted.is_(None))
    ).all():
        connection.execute(insert(Job).values(collection_id=collection_id))


def _remove(folder: Path) -> None:
    for name in FOLDERS:
        shutil.rmtree(folder / name, ignore_errors=True)


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__
