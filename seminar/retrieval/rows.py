"""Passages as typed rows of the index, and back again exactly."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Any

from seminar.types import Link, Matrix, Page, Passage, Utterance

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]

# What a search must return to restore a passage: everything but the vector.
PASSAGE_COLUMNS = (
    "id",
    "source",
    "start",
    "end",
    "title",
    "section",
    "scope",
    "links",
    "pages",
    "utterances",
    "searched",
    "text_start",
)


def schema(dimensions: int) -> pa.Schema:
    """The columns of an index whose vectors have that many dimensions."""
    import pyarrow as pa

    link = pa.struct([("start", pa.int64()), ("end", pa.int64()), ("target", pa.string())])
    page = pa.struct([("number", pa.int64()), ("start", pa.int64()), ("end", pa.int64())])
    utterance = pa.struct(
        [
            ("key", pa.string()),
            ("speaker", pa.string()),
            ("text", pa.string()),
            ("time", pa.string()),  # ISO 8601: keeps the time zone, or the lack of one
            ("start", pa.int64()),
            ("end", pa.int64()),
        ]
    )
    return pa.schema(
        [
            ("id", pa.string()),
            ("file", pa.string()),
            ("source", pa.string()),
            ("start", pa.int64()),
            ("end", pa.int64()),
            ("title", pa.string()),
            ("section", pa.string()),
            ("scope", pa.string()),
            ("links", pa.list_(link)),
            ("pages", pa.list_(page)),
            ("utterances", pa.list_(utterance)),
            ("searched", pa.string()),
            ("text_start", pa.int64()),  # the text is the rest of `searched`, stored once
            ("vector", pa.list_(pa.float32(), dimensions)),
        ]
    )


def to_table(passages: Sequence[Passage], files: Sequence[str], vectors: Matrix) -> pa.Table:
    """One row a passage; `files` names the input file of each."""
    import pyarrow as pa

    dimensions = vectors.shape[1]
    columns = {
        "id": [passage.id for passage in passages],
        "file": list(files),
        "source": [passage.source for passage in passages],
        "start": [passage.start for passage in passages],
        "end": [passage.end for passage in passages],
        "title": [passage.title for passage in passages],
        "section": [passage.section for passage in passages],
        "scope": [passage.scope for passage in passages],
        "links": [[asdict(link) for link in passage.links] for passage in passages],
        "pages": [[asdict(page) for page in passage.pages] for passage in passages],
        "utterances": [[_utterance_row(said) for said in p.utterances] for p in passages],
        "searched": [passage.searched for passage in passages],
        "text_start": [len(passage.searched) - len(passage.text) for passage in passages],
        "vector": pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), dimensions),
    }
    return pa.table(columns, schema=schema(dimensions))


def to_passage(row: Mapping[str, Any]) -> Passage:
    """The passage that a row holds."""
    return Passage(
        source=row["source"],
        start=row["start"],
        end=row["end"],
        text=row["searched"][row["text_start"] :],
        title=row["title"],
        section=row["section"],
        scope=row["scope"],
        links=tuple(Link(**link) for link in row["links"]),
        pages=tuple(Page(**page) for page in row["pages"]),
        utterances=tuple(_utterances(row["utterances"])),
    )


def _utterance_row(said: Utterance) -> dict[str, Any]:
    return asdict(said) | {"time": said.time.isoformat() if said.time else None}


def _utterances(rows: Iterable[Mapping[str, Any]]) -> Iterable[Utterance]:
    for row in rows:
        time = datetime.fromisoformat(row["time"]) if row["time"] else None
        yield Utterance(row["key"], row["speaker"], row["text"], time, row["start"], row["end"])
