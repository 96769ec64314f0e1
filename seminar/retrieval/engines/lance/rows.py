"""Passages as rows of the index, and back again exactly."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from seminar.types import LineMark, Link, Matrix, Page, Passage, Utterance

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]

# What a search must return to restore a passage. Each column more costs each search some 0.3 ms,
# so what is neither searched nor filtered by is packed into one.
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
            ("record", pa.string()),
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
        "scope": [passage.scope for passage in passages],
        "searched": [passage.searched for passage in passages],
        "record": [_pack(passage) for passage in passages],
        "vector": pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), dimensions),
    }
    return pa.table(columns, schema=schema(dimensions))


def to_passage(row: Mapping[str, Any]) -> Passage:
    """The passage that a row holds."""
    record = json.loads(row["record"])
    return Passage(
        source=record["source"],
        start=record["start"],
        end=record["end"],
        text=row["searched"][record["text_start"] :],
        title=record["title"],
        section=record["section"],
        scope=record["scope"],
        links=tuple(Link(*link) for link in record["links"]),
        pages=tuple(Page(*page) for page in record["pages"]),
        utterances=tuple(_unpack_utterance(*said) for said in record["utterances"]),
        lines=tuple(LineMark(*mark) for mark in record["lines"]),
    )


def _pack(passage: Passage) -> str:
    """Everything of a passage as JSON, but its text, which is the end of what is searched."""
    return json.dumps(
        {
            "source": passage.source,
            "start": passage.start,
            "end": passage.end,
            "text_start": len(passage.searched) - len(passage.text),
            "title": passage.title,
            "section": passage.section,
            "scope": passage.scope,
            "links": [(link.start, link.end, link.target) for link in passage.links],
            "pages": [(page.number, page.start, page.end) for page in passage.pages],
            "utterances": [_pack_utterance(said) for said in passage.utterances],
            "lines": passage.lines,
        },
        ensure_ascii=False,
    )


def _pack_utterance(said: Utterance) -> tuple[object, ...]:
    time = said.time.isoformat() if said.time else None  # keeps the time zone, or the lack of one
    place = said.start, said.end, said.source, said.lines
    return said.key, said.speaker, said.text, time, *place


def _unpack_utterance(
    key: str,
    speaker: str,
    text: str,
    time: str | None,
    start: int,
    end: int,
    source: str,
    lines: list[tuple[int, int]],
) -> Utterance:
    when = datetime.fromisoformat(time) if time else None
    marks = tuple(LineMark(*mark) for mark in lines)
    return Utterance(key, speaker, text, when, start, end, source, marks)
