"""A Milvus for tests: the server that SEMINAR_MILVUS names, or Milvus Lite on loopback."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc

from seminar.index_url import IndexUrl, parse_index_url

SERVER = "SEMINAR_MILVUS"  # as milvus://localhost:19530, without a collection
_NUMBERS = itertools.count()


@contextmanager
def milvus_lite(folder: Path, *, password: str = "") -> Iterator[str]:
    """The address of a server of Milvus Lite, which wants a password if there is one."""
    from concurrent.futures import ThreadPoolExecutor

    from milvus_lite.adapter.grpc.servicer import MilvusServicer
    from milvus_lite.db import MilvusLite
    from pymilvus.grpc_gen import milvus_pb2_grpc

    database = MilvusLite(str(folder))
    interceptors = [Guard(password)] if password else []
    server = grpc.server(ThreadPoolExecutor(4), interceptors=interceptors)
    milvus_pb2_grpc.add_MilvusServiceServicer_to_server(MilvusServicer(database), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield f"milvus://127.0.0.1:{port}"
    finally:
        server.stop(grace=0).wait()
        database.close()


@contextmanager
def milvus(folder: Path) -> Iterator[Callable[[], IndexUrl]]:
    """New places of indexes on a server; their collections are dropped in the end."""
    from pymilvus import MilvusClient

    named = os.environ.get(SERVER, "")
    made: list[IndexUrl] = []

    def place() -> IndexUrl:
        name = f"seminar_test_{os.getpid()}_{next(_NUMBERS)}"
        # Half precision would not give the exact scores that the contract wants.
        made.append(parse_index_url(f"{named or address}/{name}?vectors=single"))
        return made[-1]

    if named:
        address = named
        yield place
        client = MilvusClient(uri=named.replace("milvus://", "http://"))
        names = {url.name for url in made}
        for collection in client.list_collections():
            if collection.removesuffix("_files").removesuffix("_writer") in names:
                client.drop_collection(collection)
        return
    with milvus_lite(folder) as address:
        yield place


class Guard(grpc.ServerInterceptor):
    """Refuses calls without the password, with the words of a Milvus server."""

    def __init__(self, password: str) -> None:
        self._password = password

    def intercept_service(self, continuation, details):
        given = dict(details.invocation_metadata).get("authorization", "")
        if given == self._password:
            return continuation(details)
        reason = "auth check failure, please check username and password are correct"
        return grpc.unary_unary_rpc_method_handler(
            lambda request, context: context.abort(grpc.StatusCode.UNAUTHENTICATED, reason)
        )
