"""The engine of `milvus://` URLs."""

from __future__ import annotations

from collections.abc import Callable

from seminar.errors import IndexStoreError
from seminar.index_url import IndexUrl
from seminar.protocols import Encoder
from seminar.retrieval.engines.engine import Description
from seminar.retrieval.engines.milvus.address import parse_address
from seminar.retrieval.engines.milvus.client import CALL_SECONDS, connect, explained
from seminar.retrieval.engines.milvus.collections import read_head
from seminar.retrieval.engines.milvus.store import MilvusIndex
from seminar.retrieval.file_index import FileIndex, Repair


class MilvusEngine:
    """Keeps each index in two collections of a Milvus server, or of a file of Milvus Lite."""

    def exists(self, place: IndexUrl) -> bool:
        address = parse_address(place)
        if address.is_missing_file:
            return False
        client = connect(address)
        with explained(address):
            return bool(client.has_collection(address.collection, timeout=CALL_SECONDS))

    def describe(self, place: IndexUrl) -> Description:
        address = parse_address(place)
        head = read_head(connect(address), address)
        return Description(head.format, head.encoder, head.dimensions)

    def is_outdated(self, place: IndexUrl) -> bool:
        return False  # there is one format so far

    def create(self, place: IndexUrl, *, encoder: str, dimensions: int) -> FileIndex:
        return MilvusIndex.create(parse_address(place), encoder=encoder, dimensions=dimensions)

    def open(self, place: IndexUrl, *, encoder: str, dimensions: int) -> FileIndex:
        return MilvusIndex(parse_address(place), encoder=encoder, dimensions=dimensions)

    def verify(self, place: IndexUrl) -> list[str]:
        """The files whose number of passages is not the recorded one, and unreadable passages."""
        return MilvusIndex(parse_address(place)).verify()

    def repair(self, place: IndexUrl, load: Callable[[str], Encoder]) -> Repair:
        raise IndexStoreError(
            f"an index on Milvus is not repaired in its place: {place}. "
            "Index its files in another collection"
        )
