"""The connection to Milvus, with errors that say which server failed and what to do."""

from __future__ import annotations

import importlib.util
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seminar.errors import IndexStoreError, MissingExtraError
from seminar.retrieval.engines.milvus.address import TOKEN, MilvusAddress, token

if TYPE_CHECKING:
    from pymilvus import MilvusClient

CONNECT_SECONDS = 10.0
CALL_SECONDS = 120.0
_UNREACHABLE = 2  # pymilvus' code where no connection comes about
_REFUSED = ("auth check failure", "missing authorization", "unauthenticated", "permission deny")


def connect(address: MilvusAddress, *, make: bool = False) -> MilvusClient:
    """Connect to the server of an address, or open its file, which is made only on demand."""
    if address.is_file:
        _check_file(address, make=make)
    pymilvus = _pymilvus()
    with explained(address):
        client: MilvusClient = pymilvus.MilvusClient(
            uri=address.server, token=token(), db_name=address.database, timeout=CONNECT_SECONDS
        )
        return client


def is_lite(client: MilvusClient) -> bool:
    """Whether the server is Milvus Lite, which has neither half precision nor templates."""
    return "lite" in str(client.get_server_version(timeout=CONNECT_SECONDS)).lower()


@contextmanager
def explained(address: MilvusAddress) -> Iterator[None]:
    """Turn errors of Milvus into one line that names the index and what to do next."""
    from grpc import RpcError
    from pymilvus.exceptions import MilvusException

    try:
        yield
    except (MilvusException, RpcError) as error:
        raise IndexStoreError(_explanation(address, error)) from error


def no_index(address: MilvusAddress) -> IndexStoreError:
    """The error for an address without an index."""
    return IndexStoreError(
        f"there is no index at {address}. Make one: seminar index PATH --to {address}"
    )


def _explanation(address: MilvusAddress, error: Exception) -> str:
    reason = str(getattr(error, "message", "") or error).partition("\n")[0][:300]
    whole = f"{error} {error.__cause__ or error.__context__ or ''}".lower()
    if any(words in whole for words in _REFUSED):
        given = "those given were not accepted" if token() else "none were given"
        return f"{address} needs credentials, and {given}. Set {TOKEN}=user:password, or an API key"
    if getattr(error, "code", None) == _UNREACHABLE or "unavailable" in whole:
        return (
            f"can't reach the Milvus server of {address}. "
            "Check the address, and that the server is running"
        )
    return f"the index {address} failed: {reason}"


def _pymilvus() -> Any:  # noqa: ANN401 - a module whose types are not checked
    if importlib.util.find_spec("pymilvus") is None:
        raise MissingExtraError("an index on Milvus", "milvus")
    import pymilvus

    # It logs every error with a traceback before raising it.
    logging.getLogger("pymilvus").setLevel(logging.CRITICAL)
    return pymilvus


def _check_file(address: MilvusAddress, *, make: bool) -> None:
    if importlib.util.find_spec("milvus_lite") is None:
        raise MissingExtraError("an index of Milvus Lite", "milvus")
    if address.is_missing_file and not make:
        raise no_index(address)
    folder = Path(address.server).parent
    if not folder.is_dir():
        raise IndexStoreError(
            f"can't make {address.server}: there is no folder {folder}. Make it first"
        )
