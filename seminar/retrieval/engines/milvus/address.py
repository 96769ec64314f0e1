"""Addresses of indexes on a Milvus server, or in a file of Milvus Lite."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from seminar.errors import ConfigurationError, unknown
from seminar.index_url import IndexUrl

SCHEME = "milvus"
PORT = 19530
# "user:password" or an API key. Not in the URL, which shells and logs keep.
TOKEN = "SEMINAR_MILVUS_TOKEN"
EXAMPLE = "milvus://host:19530/collection"
LITE = ".db"
_COLLECTION = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,199}")

# Options of the URL: the first value is the default. They count when the collection is created.
OPTIONS: Mapping[str, tuple[str, ...]] = {
    "vectors": ("auto", "half", "single"),  # auto is half where the server has it
    "index": ("hnsw", "diskann"),
    "tls": ("no", "yes"),
}


@dataclass(frozen=True, slots=True)
class MilvusAddress:
    """Where an index is: a server or a file, a database of the server, and a collection."""

    server: str
    collection: str
    database: str = ""
    vectors: str = "auto"
    index: str = "hnsw"

    @property
    def is_file(self) -> bool:
        return "://" not in self.server

    @property
    def is_missing_file(self) -> bool:
        return self.is_file and not Path(self.server).exists()

    def __str__(self) -> str:
        place = self.server.partition("://")[2] or self.server
        database = f"{self.database}/" if self.database else ""
        return f"{SCHEME}://{place}/{database}{self.collection}"


def parse_address(url: IndexUrl) -> MilvusAddress:
    """Parse `milvus://host:port/[database/]collection?options` or `milvus:///path.db/collection`.

    >>> str(parse_address(IndexUrl("milvus://localhost/wiki")))
    'milvus://localhost:19530/wiki'
    """
    parts, options = url.parts, _options(url)
    path, _, collection = unquote(parts.path).rpartition("/")
    if not _COLLECTION.fullmatch(collection):
        raise ConfigurationError(
            f"{url}: Milvus allows no collection named {collection!a}, only letters, digits and "
            f"'_', as in {EXAMPLE}"
        )
    settings = {"vectors": options["vectors"], "index": options["index"]}
    if parts.hostname:
        host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
        secure = "s" if options["tls"] == "yes" else ""
        server = f"http{secure}://{host}:{parts.port or PORT}"
        return MilvusAddress(server, collection, path.strip("/"), **settings)
    if not path.endswith(LITE):
        raise ConfigurationError(
            f"{url} names neither a server nor a file of Milvus Lite, as in {EXAMPLE} or "
            "milvus:///folder/index.db/collection"
        )
    return MilvusAddress(str(Path(path)), collection, **settings)


def token() -> str:
    """The credentials from the environment, or "" without."""
    return os.environ.get(TOKEN, "")


def _options(url: IndexUrl) -> dict[str, str]:
    for name, value in url.options.items():
        if name not in OPTIONS:
            raise unknown(f"option of {url}:", name, OPTIONS)
        if value not in OPTIONS[name]:
            raise unknown(f"value of '{name}' in {url}:", value, OPTIONS[name])
    return {name: url.options.get(name, values[0]) for name, values in OPTIONS.items()}
