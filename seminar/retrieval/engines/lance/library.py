"""Lazy import of LanceDB, without its slow client for remote servers."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

REMOTE_CLIENT = "lance_namespace_urllib3_client"
_loading = threading.Lock()


def load() -> ModuleType:
    """The lancedb module; a caller with other work to do may call this early in a thread.

    More than half of the time of `import lancedb` goes into the REST calls that the package
    `lance_namespace_urllib3_client` builds when it is imported. A local index needs only the
    request models below it, so while LanceDB is imported an empty package replaces it;
    later imports get the real one.
    """
    with _loading:
        if "lancedb" not in sys.modules:
            os.environ.setdefault("LANCEDB_LOG", "error")  # its warnings are harmless here
            try:
                with _without_remote_calls():
                    importlib.import_module("lancedb")
            except ImportError:
                pass  # another version that needs the whole package: the next line imports it all
        return importlib.import_module("lancedb")


@contextmanager
def _without_remote_calls() -> Iterator[None]:
    spec = importlib.util.find_spec(REMOTE_CLIENT)
    if spec is None or spec.submodule_search_locations is None or REMOTE_CLIENT in sys.modules:
        yield
        return
    empty = ModuleType(REMOTE_CLIENT)
    empty.__path__ = list(spec.submodule_search_locations)
    empty.__spec__ = spec
    sys.modules[REMOTE_CLIENT] = empty
    try:
        yield
    finally:
        del sys.modules[REMOTE_CLIENT]
