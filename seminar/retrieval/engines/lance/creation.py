"""Creating the folder of an index, and bringing one of an earlier format to a usable one."""

from __future__ import annotations

import time
from pathlib import Path

from seminar.errors import IndexBusyError, IndexStoreError
from seminar.index_marker import MARKER, READERS, TABLE, Marker, encode_marker, foreign, is_index
from seminar.io import write_atomic
from seminar.retrieval.engines.engine import Description
from seminar.retrieval.engines.lance.catalog import FORMAT, Catalog, Publication
from seminar.retrieval.engines.lance.durability import flush_to_disk
from seminar.retrieval.engines.lance.lock import writing
from seminar.retrieval.engines.lance.table import create_table
from seminar.retrieval.engines.lance.table_files import new_files

USABLE = 5  # its vectors have single precision and its records names of fields; it stays so
CONVERTIBLE = 4  # as 5, but its catalog lacks checksums and a marker
LOCK_SECONDS = 10.0


def create_empty(folder: Path, encoder: str, dimensions: int) -> None:
    """Make an index without files in a folder that is missing, empty or of an outdated index."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        others = foreign({path.name for path in folder.iterdir()})
    except OSError as error:
        raise IndexStoreError(
            f"cannot make an index in {folder}: {error.strerror}. Name a folder that may be written"
        ) from error
    if others and not is_index(folder):
        raise IndexStoreError(
            f"{folder} is not an index and not empty (it holds '{others[0]}'). "
            "Name an empty or a new folder"
        )
    with writing(folder, timeout=LOCK_SECONDS):
        if not Catalog(folder).exists() or is_outdated(folder):
            begun = time.time()
            table = create_table(folder, dimensions)
            made = Description(FORMAT, encoder, dimensions)
            publication = Publication(table.version, begun, time.time())
            files = new_files(folder / TABLE, {})
            flush_to_disk(folder / TABLE, (file.name for file in files))
            Catalog(folder).create(made, publication, table_files=files)
            (folder / READERS).touch()
            write_marker(folder, made)


def is_outdated(folder: Path) -> bool:
    """Whether an index has a format so old that its files are to be read again."""
    catalog = Catalog(folder)
    return catalog.exists() and catalog.description().format < CONVERTIBLE


def convert(folder: Path) -> Description:
    """Bring an index of format 4 to format 5, and return its new description."""
    catalog = Catalog(folder)
    try:
        with writing(folder, timeout=LOCK_SECONDS):
            old = catalog.description()
            if old.format != CONVERTIBLE:
                return old
            publication, records = catalog.format_4()
            made = Description(USABLE, old.encoder, old.dimensions)
            files = new_files(folder / TABLE, {})
            catalog.create(made, publication, records=records, table_files=files)
            write_marker(folder, made)
            return made
    except IndexBusyError:
        raise
    except IndexStoreError as error:
        raise IndexStoreError(
            f"the index in {folder} has the old format {CONVERTIBLE}, and can't be brought to the "
            f"format {USABLE} in its place ({error}). Copy it to a folder that may be written"
        ) from error


def write_marker(folder: Path, made: Description) -> None:
    """Write the marker by which the folder is known as an index."""
    marker = Marker(made.format, made.encoder, made.dimensions)
    write_atomic(folder / MARKER, encode_marker(marker))
