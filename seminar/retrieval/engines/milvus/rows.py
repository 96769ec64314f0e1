"""The rows of a collection: a row is visible in version v if born <= v < died.

An update adds rows that are born in the next version, and lets those that they replace die in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from seminar.retrieval.engines.milvus.address import MilvusAddress
from seminar.retrieval.engines.milvus.client import CALL_SECONDS, explained

if TYPE_CHECKING:
    from pymilvus import MilvusClient

NEVER = 2**62  # when a row dies that is not replaced
BATCH = 1_000


class Rows:
    """The rows of a collection, with the versions in which they are visible."""

    def __init__(self, client: MilvusClient, address: MilvusAddress, name: str) -> None:
        self._client = client
        self._address = address
        self.name = name

    def insert(self, rows: Sequence[dict[str, Any]]) -> None:
        with explained(self._address):
            for first in range(0, len(rows), BATCH):
                batch = list(rows[first : first + BATCH])
                self._client.upsert(self.name, batch, timeout=CALL_SECONDS)

    def query(
        self, condition: str, fields: Sequence[str], limit: int = BATCH
    ) -> list[dict[str, Any]]:
        """At most `limit` rows; those that were acknowledged before are among them."""
        with explained(self._address):
            rows: list[dict[str, Any]] = self._client.query(
                self.name,
                filter=condition,
                output_fields=list(fields),
                limit=limit,
                timeout=CALL_SECONDS,
                consistency_level="Strong",
            )
            return list(rows)

    def every(self, condition: str, fields: Sequence[str]) -> Iterator[dict[str, Any]]:
        """All rows, read in batches."""
        with explained(self._address):
            batches = self._client.query_iterator(
                self.name,
                batch_size=BATCH,
                filter=condition,
                output_fields=list(fields),
                timeout=CALL_SECONDS,
                consistency_level="Strong",
            )
            try:
                while rows := batches.next():
                    yield from rows
            finally:
                batches.close()

    def count(self, condition: str) -> int:
        return int(self.query(condition, ["count(*)"], limit=0)[0]["count(*)"])

    def end(self, condition: str, version: int) -> int:
        """Let the rows that match and are still alive die in a version; returns how many."""
        return self._stamp(f"({condition}) and died == {NEVER}", version)

    def erase(self, condition: str) -> None:
        """Delete rows for good, from every version."""
        with explained(self._address):
            self._client.delete(self.name, filter=condition, timeout=CALL_SECONDS)

    def undo(self, version: int) -> None:
        """Undo what a dead writer left behind after a version."""
        self.erase(f"born > {version}")
        self._stamp(f"died > {version} and died < {NEVER}", NEVER)

    def clean(self, version: int) -> None:
        """Delete what was no longer visible in a version."""
        self.erase(f"died >= 0 and died <= {version}")

    def _stamp(self, condition: str, version: int) -> int:
        stamped = 0
        while rows := self.query(condition, [*self._stored_fields()]):
            self.insert([{**row, "died": version} for row in rows])
            stamped += len(rows)
        return stamped

    def _stored_fields(self) -> list[str]:
        with explained(self._address):
            described = self._client.describe_collection(self.name, timeout=CALL_SECONDS)
        return [field["name"] for field in described["fields"] if field["name"] != "words"]


def any_of(field: str, values: Iterable[str]) -> Iterator[str]:
    """Conditions that a field has one of the values, each for a limited number of them."""
    ordered = sorted(set(values))
    for first in range(0, len(ordered), BATCH):
        listed = ", ".join(map(literal, ordered[first : first + BATCH]))
        yield f"{field} in [{listed}]"


def literal(text: str) -> str:
    """A string in a condition.

    >>> print(literal('a "b"'))
    "a \\"b\\""
    """
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + escaped.replace("\n", "\\n").replace("\r", "\\r") + '"'


def visible(version: int) -> str:
    """The condition that a row is visible in a version."""
    return f"born >= 0 and born <= {version} and died > {version}"
