"""Convert passages to rows of the table and back, without loss."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from seminar.retrieval.passage_records import decode_record, encode_record
from seminar.types import Matrix, Passage

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]

# The columns that restore a passage. Each further column costs each search some 0.3 ms, so all
# fields that are neither searched nor filtered by are encoded into one.
PASSAGE_COLUMNS = ("searched", "record")
_COMPRESSED = {"lance-encoding:compression": "zstd"}


def schema(dimensions: int, *, half: bool = True) -> pa.Schema:
    """The columns of an index whose vectors have that many dimensions.

    Vectors have half precision, which changes no ranking that was measured; those of format 5 and
    earlier have not.
    """
    import pyarrow as pa

    number = pa.float16() if half else pa.float32()
    return pa.schema(
        [
            ("id", pa.string()),
            ("file", pa.string()),
            ("source", pa.string()),
            ("scope", pa.string()),
            pa.field("searched", pa.string(), metadata=_COMPRESSED),
            pa.field("record", pa.binary(), metadata=_COMPRESSED),
            ("vector", pa.list_(number, dimensions)),
        ]
    )


def has_half_precision(columns: pa.Schema, dimensions: int) -> bool:
    """Whether the vectors of a table have half precision; ValueError if it is not of an index."""
    for half in (True, False):
        if columns == schema(dimensions, half=half):
            return half
    raise ValueError("columns that Seminar didn't make")


def to_table(
    passages: Sequence[Passage], files: Sequence[str], vectors: Matrix, *, half: bool = True
) -> pa.Table:
    """One row for each passage; `files` names the input file of each."""
    import pyarrow as pa

    dimensions = vectors.shape[1]
    numbers = vectors.astype(np.float16 if half else np.float32, copy=False).ravel()
    columns = {
        "id": [passage.id for passage in passages],
        "file": list(files),
        "source": [passage.source for passage in passages],
        "scope": [passage.scope for passage in passages],
        "searched": [passage.searched for passage in passages],
        "record": [encode_record(passage) for passage in passages],
        "vector": pa.FixedSizeListArray.from_arrays(pa.array(numbers), dimensions),
    }
    return pa.table(columns, schema=schema(dimensions, half=half))


def to_passage(row: Mapping[str, Any]) -> Passage:
    """The passage that a row holds; raises ValueError where it is not as it was written."""
    return decode_record(row["record"], row["searched"])
