"""Everything of a study as files, at any moment."""

from __future__ import annotations

import io
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from seminar.collection.exports.datasheet import datasheet
from seminar.collection.exports.writing import FORMATS, export
from seminar.collection.pay.statements import statement, totals
from seminar.collection.records import StudyRecords
from seminar.errors import MissingExtraError

JSON, CSV, ZIP = "application/json", "text/csv; charset=utf-8", "application/zip"
MARKDOWN = "text/markdown; charset=utf-8"
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


def official_files(records: StudyRecords) -> bytes:
    """The dialogs in the official form of the study's protocol, with a datasheet."""
    return zipped_folder(lambda folder: export(records.protocol, records, folder))


def datasheet_file(records: StudyRecords) -> bytes:
    """The datasheet alone."""
    return datasheet(records).encode()


def incentives_file(records: StudyRecords) -> bytes:
    """PragmatiCQA's Table 3."""
    try:
        from seminar.collection.reports.incentives import incentives
    except ModuleNotFoundError as error:
        raise MissingExtraError("the table of incentives", "analyze") from error
    return incentives(records).frame.to_csv(index=False).encode()


EXPORTS: Mapping[str, tuple[Callable[[StudyRecords], bytes], str, str]] = {
    "records": (study_file, "records.json", JSON),
    "totals": (totals_file, "totals.csv", CSV),
    "statements": (statements_file, "statements.zip", ZIP),
    "datasheet": (datasheet_file, "datasheet.md", MARKDOWN),
    "incentives": (incentives_file, "incentives.csv", CSV),
    **{name: (official_files, f"{name}.zip", ZIP) for name in FORMATS},
}


def exports_of(protocol: str) -> tuple[str, ...]:
    """The names of the exports that a study of a protocol has."""
    others = set(FORMATS) - {protocol}
    if protocol != "pragmaticqa":
        others.add("incentives")
    return tuple(name for name in EXPORTS if name not in others)


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
