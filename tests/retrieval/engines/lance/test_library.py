"""The import of LanceDB."""

from __future__ import annotations

import subprocess
import sys

CHECK = """
import sys, threading
import seminar.retrieval.engines.lance.store
assert "lancedb" not in sys.modules, "importing the store must stay quick"
from seminar.retrieval.engines.lance.library import load
threads = [threading.Thread(target=load) for _ in range(3)]
for thread in threads: thread.start()
for thread in threads: thread.join()
import lancedb
assert load() is lancedb
assert "lance_namespace_urllib3_client.api" not in sys.modules, "the REST calls were built"
from lance_namespace_urllib3_client import TableApi, models
from lance_namespace_urllib3_client.models import CreateTableRequest
print(TableApi.__name__, CreateTableRequest.__name__)
"""


def test_lancedb_comes_late_and_without_its_remote_calls() -> None:
    done = subprocess.run(
        [sys.executable, "-c", CHECK], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("TableApi CreateTableRequest\n", "")
