"""Backup: one archive with the rows of every table and the uploaded files.

Rows are JSON lines, so that an archive of one kind of database restores into the other. Indexes
are left out: they are made again from the files.
"""

from __future__ import annotations

import io
import json
import os
import tarfile
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Connection, Engine, select

from seminar.errors import SeminarError
from seminar.serving.collections.files import walk
from seminar.serving.storage.migrating import newest_revision, revision_of
from seminar.serving.storage.rows import to_json
from seminar.serving.storage.schema import Table

FORMAT = 1
DESCRIPTION = "backup.json"
BATCH = 500  # rows in memory
COMPRESSION = 1  # most uploads are compressed already, or small


def write_backup(engine: Engine, folder: Path, file: Path) -> int:
    """Write an archive of the service as it is now, while it runs; the bytes of the archive.

    All rows are read in one transaction. Files are read after it: of an upload that ends meanwhile
    the archive has the file, and the next index job finds it.
    """
    if file.exists():
        raise SeminarError(f"{file} exists already; name a file that doesn't")
    descriptor, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    unfinished = Path(name)
    try:
        with (
            os.fdopen(descriptor, "wb") as stream,
        ):
            with tarfile.open(fileobj=stream, mode="w:gz", compresslevel=COMPRESSION) as archive:
                _add_rows(archive, engine)
                _add_files(archive, folder)
            stream.flush()
            os.fsync(stream.fileno())
        unfinished.replace(file)
    finally:
        unfinished.unlink(missing_ok=True)
    return file.stat().st_size


def _add_rows(archive: tarfile.TarFile, engine: Engine) -> None:
    isolated = engine.execution_options(reads=True)
    if engine.dialect.name == "postgresql":
        isolated = isolated.execution_options(isolation_level="REPEATABLE READ")
    with isolated.connect() as connection:
        revision = revision_of(connection)
        if revision != newest_revision():
            raise SeminarError(
                f"the database has the schema {revision!r}, not {newest_revision()!r}: start the "
                "service once, which brings it up to date"
            )
        description = {"format": FORMAT, "revision": revision}
        _add_bytes(archive, DESCRIPTION, json.dumps(description).encode())
        for table in Table.metadata.sorted_tables:
            with tempfile.TemporaryFile() as lines:
                for record in _rows(connection, table.name):
                    lines.write(json.dumps(record, ensure_ascii=False).encode() + b"\n")
                _add_stream(archive, f"tables/{table.name}.jsonl", lines)


def _rows(connection: Connection, name: str) -> Iterator[dict[str, object]]:
    table = Table.metadata.tables[name]
    rows = connection.execution_options(yield_per=BATCH).execute(select(table))
    return (to_json(dict(row)) for row in rows.mappings())


def _add_files(archive: tarfile.TarFile, folder: Path) -> None:
    """The uploaded files, and the parts of those that are on their way."""
    roots = [*sorted((folder / "collections").glob("*/files")), folder / "uploads"]
    for root in roots:
        for entry in sorted(walk(root), key=lambda one: one.path):
            try:
                with Path(entry.path).open("rb") as stream:
                    _add_stream(archive, Path(entry.path).relative_to(folder).as_posix(), stream)
            except FileNotFoundError:  # removed meanwhile
                continue


def _add_bytes(archive: tarfile.TarFile, name: str, content: bytes) -> None:
    _add_stream(archive, name, io.BytesIO(content))


def _add_stream(archive: tarfile.TarFile, name: str, stream: io.IOBase) -> None:
    entry = tarfile.TarInfo(name)
    entry.size = stream.seek(0, io.SEEK_END)
    entry.mtime, entry.mode = int(time.time()), 0o600
    stream.seek(0)
    archive.addfile(entry, stream)
