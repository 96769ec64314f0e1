"""The engine of each place: folders have theirs, and each URL the one of its scheme."""

from __future__ import annotations

from typing import Any

from seminar.errors import unknown
from seminar.index_url import IndexUrl, Place
from seminar.retrieval.engines.engine import Engine
from seminar.retrieval.engines.lance.engine import FolderEngine
from seminar.retrieval.engines.lance.object_index import ObjectEngine
from seminar.retrieval.engines.milvus.engine import MilvusEngine

FOLDERS: Engine[Any] = FolderEngine()
# By the scheme of the URL. The modules import no client library before an index is opened.
OBJECTS: Engine[Any] = ObjectEngine()
ENGINES: dict[str, Engine[Any]] = {
    "s3": OBJECTS,
    "gs": OBJECTS,
    "az": OBJECTS,
    "milvus": MilvusEngine(),
}


def engine_of(place: Place) -> Engine[Any]:
    """The engine that keeps the index at a place; a URL of an unknown scheme is an error."""
    if not isinstance(place, IndexUrl):
        return FOLDERS
    if place.scheme not in ENGINES:
        raise unknown("kind of index", f"{place.scheme}://", [f"{name}://" for name in ENGINES])
    return ENGINES[place.scheme]
