"""Every store and every retriever keeps the promises of its protocol."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from seminar.protocols import PassageStore
from seminar.retrieval.dense import Dense
from seminar.retrieval.engines.lance.store import LanceStore
from seminar.retrieval.fusion import Fused
from seminar.retrieval.lexical import Lexical
from tests.fakes import MemoryStore
from tests.retrieval.contract import ENCODER, RETRIEVER_CHECKS, STORE_CHECKS, MakeRetriever


def lance(folder: Path) -> PassageStore:
    return LanceStore.create(folder, encoder=ENCODER.name, dimensions=ENCODER.dimensions)


STORES: dict[str, Callable[[Path], PassageStore]] = {
    "lance": lance,
    "memory": lambda _: MemoryStore(),
}
RETRIEVERS: dict[str, MakeRetriever] = {
    "lexical": Lexical,
    "dense": lambda store: Dense(store, ENCODER),
    "fused": lambda store: Fused([Lexical(store), Dense(store, ENCODER)]),
}


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> PassageStore:
    return STORES[request.param](tmp_path / "index")


@pytest.mark.parametrize("check", STORE_CHECKS, ids=lambda check: check.__name__)
def test_store(check: Callable[[PassageStore], None], store: PassageStore) -> None:
    check(store)


@pytest.mark.parametrize("name", RETRIEVERS)
@pytest.mark.parametrize("check", RETRIEVER_CHECKS, ids=lambda check: check.__name__)
def test_retriever(
    check: Callable[[MakeRetriever, PassageStore], None], name: str, store: PassageStore
) -> None:
    check(RETRIEVERS[name], store)
