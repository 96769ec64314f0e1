"""Passages as rows of the collection, and back."""

from __future__ import annotations

import base64
import hashlib
import zlib
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from seminar.errors import IndexStoreError
from seminar.retrieval.engines.milvus.rows import NEVER
from seminar.retrieval.passage_records import decode_record, encode_record
from seminar.types import Matrix, Passage

PASSAGE_FIELDS = ("searched", "record")
TEXT_BYTES = 65_535  # the most that Milvus stores in a field of text
_COMPRESSED = "z"


def passage_rows(
    passages: Iterable[tuple[str, Passage]], vectors: Matrix, *, half: bool, version: int
) -> list[dict[str, Any]]:
    """A row for each passage, given with its input file, that is born in a version."""
    stored = vectors.astype(np.float16 if half else np.float32)
    return [
        {
            "key": row_key(passage.id, version),
            "born": version,
            "died": NEVER,
            "passage": digest(passage.id),
            "file": _text(file, "path", passage),
            "source": _text(passage.source, "source", passage),
            "scope": _text(passage.scope, "scope", passage),
            "searched": _text(passage.searched, "text", passage),
            "record": _text(_record(passage), "record", passage),
            "vector": vector,
        }
        for (file, passage), vector in zip(passages, stored, strict=True)
    ]


def to_passage(row: Mapping[str, Any]) -> Passage:
    """The passage that a row holds; raises ValueError where it is not as it was written."""
    record: str = row["record"]
    if record.startswith(_COMPRESSED):
        try:
            packed = base64.b64decode(record[1:], validate=True)
            unpacked = zlib.decompressobj().decompress(packed, 100 * TEXT_BYTES)
        except (ValueError, zlib.error) as error:
            raise ValueError(f"a passage can't be unpacked: {error}") from None
        return decode_record(unpacked, row["searched"])
    return decode_record(record.encode(), row["searched"])


def row_key(name: str, version: int) -> str:
    """The primary key of what has that name and is born in a version."""
    return f"{digest(name)}-{version:x}"


def digest(name: str) -> str:
    return hashlib.blake2b(name.encode(errors="surrogatepass"), digest_size=16).hexdigest()


def _record(passage: Passage) -> str:
    record = encode_record(passage)
    if len(record) <= TEXT_BYTES:
        return record.decode()
    return _COMPRESSED + base64.b64encode(zlib.compress(record)).decode()


def _text(value: str, what: str, passage: Passage) -> str:
    if len(value.encode(errors="surrogatepass")) > TEXT_BYTES:
        raise IndexStoreError(
            f"passage {passage.id[:200]!a} can't be stored in Milvus: its {what} has more than "
            f"{TEXT_BYTES:,} bytes. Leave its file out: --exclude"
        )
    return value
