"""Every index and every retriever keeps the contract of its protocol."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from seminar.assembly import create_index
from seminar.index_url import IndexUrl
from seminar.protocols import PassageStore
from seminar.retrieval.dense import Dense
from seminar.retrieval.engines.lance.store import LanceStore
from seminar.retrieval.fusion import Fused
from seminar.retrieval.lexical import Lexical
from tests.memory_index import MemoryIndex, Published
from tests.milvus_server import milvus
from tests.retrieval.contract import ENCODER, SEARCH_CHECKS
from tests.retrieval.file_contract import FILE_CHECKS, OpenIndex
from tests.retrieval.retriever_contract import RETRIEVER_CHECKS, MakeRetriever
from tests.s3_server import storage


def lance(folder: Path) -> OpenIndex:
    return lambda: LanceStore.create(folder, encoder=ENCODER.name, dimensions=ENCODER.dimensions)


def memory(folder: Path) -> OpenIndex:
    published = Published()
    return lambda: MemoryIndex(published=published)


ENGINES: dict[str, Callable[[Path], OpenIndex]] = {"lance": lance, "memory": memory}
ON_SERVERS = ("milvus", "s3")
RETRIEVERS: dict[str, MakeRetriever] = {
    "lexical": Lexical,
    "dense": lambda store: Dense(store, ENCODER),
    "fused": lambda store: Fused([Lexical(store), Dense(store, ENCODER)]),
}


@pytest.fixture(scope="session")
def milvus_places(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], IndexUrl]]:
    pytest.importorskip("pymilvus")
    pytest.importorskip("milvus_lite")
    with milvus(tmp_path_factory.mktemp("milvus") / "data.db") as places:
        yield places


@pytest.fixture(scope="session")
def s3_places() -> Iterator[Callable[[], IndexUrl]]:
    pytest.importorskip("moto")
    with storage() as server:
        yield server.new_place


@pytest.fixture(params=[*ENGINES, *ON_SERVERS])
def open_index(request: pytest.FixtureRequest, tmp_path: Path) -> OpenIndex:
    if request.param in ENGINES:
        return ENGINES[request.param](tmp_path / "index")
    place = request.getfixturevalue(f"{request.param}_places")()
    return lambda: create_index(place, ENCODER)


@pytest.mark.parametrize("check", SEARCH_CHECKS, ids=lambda check: check.__name__)
def test_index_search(check: Callable[[PassageStore], None], open_index: OpenIndex) -> None:
    check(open_index())


@pytest.mark.parametrize("check", FILE_CHECKS, ids=lambda check: check.__name__)
def test_index_files(check: Callable[[OpenIndex], None], open_index: OpenIndex) -> None:
    check(open_index)


@pytest.mark.parametrize("name", RETRIEVERS)
@pytest.mark.parametrize("check", RETRIEVER_CHECKS, ids=lambda check: check.__name__)
def test_retriever(
    check: Callable[[MakeRetriever, PassageStore], None], name: str, open_index: OpenIndex
) -> None:
    check(RETRIEVERS[name], open_index())
