"""The collections of an index on Milvus: one for the passages, one for files and the publication.

A publication is one row, the head, which names the version that readers see (`rows`); a writer
that dies before it has changed nothing that they see.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import msgspec

from seminar.errors import IndexStoreError
from seminar.retrieval.engines.milvus.address import MilvusAddress
from seminar.retrieval.engines.milvus.client import CALL_SECONDS, explained, is_lite, no_index
from seminar.retrieval.engines.milvus.passages import TEXT_BYTES
from seminar.retrieval.engines.milvus.rows import Rows
from seminar.retrieval.stop_words import STOP_WORDS

if TYPE_CHECKING:
    from pymilvus import CollectionSchema, MilvusClient

FORMAT = 1
FILES = "_files"
HEAD = "head"
LEASE = "lease"
RECORD = -1  # born and died of the head and the lease, which are in no version

K1, B = 1.2, 0.75  # BM25, as in the Lance engine
KEY_BYTES = 64
_PLACEHOLDER = [0.0, 0.0]  # Milvus demands a vector of every collection
_ANALYZER = {
    "tokenizer": "standard",
    "filter": [
        "lowercase",
        "asciifolding",
        {"type": "stop", "stop_words": STOP_WORDS},
        {"type": "stemmer", "language": "english"},
    ],
}


class Head(msgspec.Struct, frozen=True):
    """What an index is, and the version that readers see; `published` are [version, time]."""

    encoder: str
    dimensions: int
    vectors: str
    index: str
    version: int = 0
    published: tuple[tuple[int, float], ...] = ()
    format: int = FORMAT
    made_by: str = "seminar"


def create_collections(
    client: MilvusClient, address: MilvusAddress, encoder: str, dimensions: int
) -> None:
    """Create an empty index; the collection of passages comes last, and marks it as whole."""
    with explained(address):
        if client.has_collection(address.collection, timeout=CALL_SECONDS):
            return
        lite = is_lite(client)
        vectors = address.vectors if address.vectors != "auto" else "single" if lite else "half"
        head = Head(encoder, dimensions, vectors, "hnsw" if lite else address.index)
        _create(client, f"{address.collection}{FILES}", _file_schema(client), {})
    rows = Rows(client, address, f"{address.collection}{FILES}")
    if not rows.query(f'key == "{HEAD}"', ["key"]):
        rows.insert([head_row(head)])
    with explained(address):
        schema = _passage_schema(client, dimensions, vectors)
        _create(client, address.collection, schema, {"born": "INVERTED", "scope": "INVERTED"}, head)


def read_head(client: MilvusClient, address: MilvusAddress) -> Head:
    """What an index is and which version was published, or the error that says what to do."""
    name = f"{address.collection}{FILES}"
    with explained(address):
        made = client.has_collection(address.collection, timeout=CALL_SECONDS)
        if not made:
            raise no_index(address)
        ours = client.has_collection(name, timeout=CALL_SECONDS)
        if ours:
            client.load_collection(name, timeout=CALL_SECONDS)  # released after a restart
    rows = Rows(client, address, name).query(f'key == "{HEAD}"', ["record"]) if ours else []
    try:
        head = msgspec.json.decode(rows[0]["record"], type=Head)
    except (LookupError, msgspec.MsgspecError):
        raise IndexStoreError(
            f"the collection '{address.collection}' at {address} was not made by Seminar. "
            "Name another collection"
        ) from None
    if head.format != FORMAT:
        way = (
            "Upgrade Seminar, or index the files in another collection"
            if head.format > FORMAT
            else "Index the files in another collection"
        )
        raise IndexStoreError(
            f"the index {address} has format {head.format}; this version of Seminar knows "
            f"{FORMAT}. {way}"
        )
    return head


def head_row(head: Head) -> dict[str, Any]:
    """The row that publishes a version."""
    return record_row(HEAD, msgspec.json.encode(head).decode())


def record_row(key: str, record: str, **values: object) -> dict[str, Any]:
    """A row of the collection of files."""
    row = {"key": key, "born": RECORD, "died": RECORD, "path": "", "record": record}
    return {**row, "placeholder": _PLACEHOLDER, **values}


def _create(
    client: MilvusClient,
    name: str,
    schema: CollectionSchema,
    scalars: dict[str, str],
    head: Head | None = None,
) -> None:
    indexes = client.prepare_index_params()
    if head is None:
        indexes.add_index("placeholder", index_type="FLAT", metric_type="L2")
    else:
        bm25 = {"bm25_k1": K1, "bm25_b": B}
        kind = {"hnsw": ("HNSW", {"M": 16, "efConstruction": 200}), "diskann": ("DISKANN", {})}
        dense, params = kind[head.index]
        indexes.add_index("words", "SPARSE_INVERTED_INDEX", metric_type="BM25", params=bm25)
        indexes.add_index("vector", dense, metric_type="IP", params=params)
    for field, index in scalars.items():
        indexes.add_index(field, index)
    if not client.has_collection(name, timeout=CALL_SECONDS):
        client.create_collection(name, schema=schema, timeout=CALL_SECONDS)
    # Not waited for: the indexes of an empty collection are there at once.
    client.create_index(name, indexes, timeout=CALL_SECONDS, sync=False)
    client.load_collection(name, timeout=CALL_SECONDS)


def _file_schema(client: MilvusClient) -> CollectionSchema:
    from pymilvus import DataType

    schema = _versioned_schema(client)
    schema.add_field("path", DataType.VARCHAR, max_length=TEXT_BYTES)
    schema.add_field("record", DataType.VARCHAR, max_length=TEXT_BYTES)
    schema.add_field("placeholder", DataType.FLOAT_VECTOR, dim=len(_PLACEHOLDER))
    return schema


def _passage_schema(client: MilvusClient, dimensions: int, vectors: str) -> CollectionSchema:
    from pymilvus import DataType, Function, FunctionType

    schema = _versioned_schema(client)
    schema.add_field("passage", DataType.VARCHAR, max_length=KEY_BYTES)
    for name in ("file", "source", "scope", "record"):
        schema.add_field(name, DataType.VARCHAR, max_length=TEXT_BYTES)
    schema.add_field(
        "searched",
        DataType.VARCHAR,
        max_length=TEXT_BYTES,
        enable_analyzer=True,
        analyzer_params=json.loads(json.dumps(_ANALYZER)),
    )
    schema.add_field("words", DataType.SPARSE_FLOAT_VECTOR)
    half = vectors == "half"
    kind = DataType.FLOAT16_VECTOR if half else DataType.FLOAT_VECTOR
    schema.add_field("vector", kind, dim=dimensions)
    schema.add_function(
        Function(
            name="bm25",
            function_type=FunctionType.BM25,
            input_field_names=["searched"],
            output_field_names=["words"],
        )
    )
    return schema


def _versioned_schema(client: MilvusClient) -> CollectionSchema:
    from pymilvus import DataType

    schema = client.create_schema(auto_id=False, enable_dynamic_field=False)
    schema.add_field("key", DataType.VARCHAR, is_primary=True, max_length=KEY_BYTES)
    schema.add_field("born", DataType.INT64)
    schema.add_field("died", DataType.INT64)
    return schema
