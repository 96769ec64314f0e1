"""Convert passages to rows of the table and back, without loss."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec

from seminar.errors import IndexStoreError
from seminar.types import Matrix, Passage

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]

# The columns that restore a passage. Each further column costs each search some 0.3 ms, so all
# fields that are neither searched nor filtered by are encoded into one.
PASSAGE_COLUMNS = ("searched", "record")
_DECODER = msgspec.json.Decoder(Passage)
_CHECKSUM = 8  # hexadecimal digits before each record


def schema(dimensions: int) -> pa.Schema:
    """The columns of an index whose vectors have that many dimensions."""
    import pyarrow as pa

    return pa.schema(
        [
            ("id", pa.string()),
            ("file", pa.string()),
            ("source", pa.string()),
            ("scope", pa.string()),
            ("searched", pa.string()),
            ("record", pa.binary()),
            ("vector", pa.list_(pa.float32(), dimensions)),
        ]
    )


def to_table(passages: Sequence[Passage], files: Sequence[str], vectors: Matrix) -> pa.Table:
    """One row for each passage; `files` names the input file of each."""
    import pyarrow as pa

    dimensions = vectors.shape[1]
    columns = {
        "id": [passage.id for passage in passages],
        "file": list(files),
        "source": [passage.source for passage in passages],
        "scope": [passage.scope for passage in passages],
        "searched": [passage.searched for passage in passages],
        "record": [_encode(passage) for passage in passages],
        "vector": pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), dimensions),
    }
    return pa.table(columns, schema=schema(dimensions))


def to_passage(row: Mapping[str, Any]) -> Passage:
    """The passage that a row holds; raises ValueError where it is not as it was written."""
    record, searched = row["record"], row["searched"]
    try:
        if not record.startswith(b"{"):  # rows of earlier formats have no checksum
            given, record = record[:_CHECKSUM], record[_CHECKSUM:]
            if given != _checksum(searched, record):
                raise ValueError("a passage is not as it was written")
        passage = _DECODER.decode(record)
    except (msgspec.MsgspecError, ValueError, AttributeError, RecursionError) as error:
        raise ValueError(f"a passage can't be decoded: {str(error)[:200]}") from None
    return replace(passage, text=searched[len(passage.heading) + 1 :])


def _checksum(searched: str, record: bytes) -> bytes:
    return b"%08x" % zlib.crc32(record, zlib.crc32(searched.encode()))


def _encode(passage: Passage) -> bytes:
    """A checksum, and a passage as JSON without its text, the end of the `searched` column.

    JSON and not MessagePack, whose timestamps lose the time zone.
    """
    try:
        record = msgspec.json.encode(replace(passage, text=""))
        return _checksum(passage.searched, record) + record
    except UnicodeEncodeError as error:
        raise IndexStoreError(
            f"passage {passage.id!a} can't be stored as UTF-8: it holds "
            f"{error.object[error.start]!a}, half of a surrogate pair. "
            "Replace it first, as seminar.text.whole does"
        ) from error
