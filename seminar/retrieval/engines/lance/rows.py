"""Convert passages to rows of the table and back, without loss."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from seminar.retrieval.passage_records import decode_record, encode_record
from seminar.types import Matrix, Passage

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]

# The columns that restore a passage. Each further column costs each search some 0.3 ms, so all
# fields that are neither searched nor filtered by are encoded into one.
PASSAGE_COLUMNS = ("searched", "record")


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
        "record": [encode_record(passage) for passage in passages],
        "vector": pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), dimensions),
    }
    return pa.table(columns, schema=schema(dimensions))


def to_passage(row: Mapping[str, Any]) -> Passage:
    """The passage that a row holds; raises ValueError where it is not as it was written."""
    return decode_record(row["record"], row["searched"])
