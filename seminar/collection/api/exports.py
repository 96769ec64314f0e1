"""Everything of a study as files, at any moment."""

from __future__ import annotations

import io
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from seminar.collection.pay.statements import statement, totals
from seminar.collection.records import StudyRecords

JSON, CSV, ZIP = "application/json", "text/csv; charset=utf-8", "application/zip"
EPOCH = (
    1980,
    1,
    1,
    0,
    0,
    0,
)  # of every member: the same records give the same file


def study_file(records: StudyRecords) -> bytes:
    """Everything that the study saved, without its corpus, as JSON."""
    fields = {
        name: getattr(records, name)
        for name in StudyRecords.__dataclass_fields__
        if name != "corpus"
    }
    return msgspec.json.format(msgspec.json.encode(fields), indent=1)


def totals_file(records: StudyRecords) -> bytes:
    """What each worker has earned."""
    return totals(records.pay).encode()


def statements_file(records: StudyRecords) -> bytes:
    """A statement for each worker."""
    workers = sorted({entry.worker for entry in records.pay})
    return zipped({f"{name}.csv": statement(records.pay, name).encode() for name in workers})


EXPORTS: Mapping[str, tuple[Callable[[StudyRecords], bytes], str, str]] = {
    "records": (study_file, "records.json", JSON),
    "totals": (totals_file, "totals.csv", CSV),
    "statements": (statements_file, "statements.zip", ZIP),
}


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Files in one archive; the same files give the same bytes."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, EPOCH), content)
    return stream.getvalue()


def zipped_folder(write: Callable[[Path], object]) -> bytes:
    """What a function writes into a folder, in one archive."""
    with tempfile.TemporaryDirectory(prefix="seminar-export-") as name:
        folder = Path(name)
        write(folder)
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        return zipped({path.relative_to(folder).as_posix(): path.read_bytes() for path in files})
