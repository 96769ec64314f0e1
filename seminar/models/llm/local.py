"""A model in a local GGUF file, run in this process by llama.cpp.

Its server listens on this machine alone, wants a key that only this process has, and ends with it.
"""

from __future__ import annotations

import secrets
import time
import urllib.request
from functools import cache
from pathlib import Path

from seminar.errors import ConfigurationError, MissingExtraError
from seminar.models.llm.endpoint import Bounds, Endpoint

SUFFIX = ".gguf"
MAGIC = b"GGUF"
LONGEST_LOADING = 600  # seconds


def is_model_file(llm: str) -> bool:
    """Whether what names a language model is a file rather than an address.

    >>> is_model_file("models/qwen.gguf"), is_model_file("http://localhost:8080/v1")
    (True, False)
    """
    return "://" not in llm and llm.lower().endswith(SUFFIX)


def check_model_file(llm: str) -> Path:
    """The path of a model's file; one that is none is an error."""
    path = Path(llm).expanduser()
    try:
        with path.open("rb") as file:
            begins = file.read(len(MAGIC))
    except OSError as error:
        raise ConfigurationError(f"{llm}: can't be read ({error.strerror}) (--llm)") from None
    if begins != MAGIC:
        raise ConfigurationError(
            f"{llm}: not a GGUF model (--llm takes such a file, or an address)"
        )
    return path.resolve()


def open_model_file(llm: str, *, seconds: float, tokens: int, context: int) -> Endpoint:
    """The model of a file, loaded once per process."""
    address, key = _serve(check_model_file(llm), context)
    return Endpoint(address, Path(llm).stem, key=key, bounds=Bounds(seconds=seconds, tokens=tokens))


_servers: list[object] = []  # kept until the process ends


@cache
def _serve(path: Path, context: int) -> tuple[str, str]:
    """The address of a server for the file, and its key."""
    try:
        import xllamacpp
    except ImportError as error:
        raise MissingExtraError("a language model in a file (--llm FILE.gguf)", "local") from error
    key = secrets.token_urlsafe(24)
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(path)
    parameters.n_ctx = context
    parameters.n_parallel = 1
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.api_keys = [key]
    parameters.verbosity = 0
    try:
        server = xllamacpp.Server(parameters)
    except Exception as error:
        raise ConfigurationError(f"{path}: llama.cpp can't load it ({error})") from error
    _servers.append(server)
    wait_until_loaded(str(server.listening_address))
    return str(server.listening_address), key


def wait_until_loaded(address: str) -> None:
    """Wait for a server on this machine that answers 503 while it reads its model."""
    end = time.monotonic() + LONGEST_LOADING
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    while time.monotonic() < end:
        try:
            with direct.open(f"{address}/health", timeout=10):
                return
        except OSError:  # HTTP errors are among these
            time.sleep(0.2)
    raise ConfigurationError(f"{address}: the model was not loaded in {LONGEST_LOADING} seconds")
