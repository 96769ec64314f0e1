"""Language models that are being served on this machine, at the ports that their servers use."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from seminar.models.llm.errors import AttemptError, model_names
from seminar.models.llm.http import request

PORTS: Mapping[int, str] = {
    8080: "llama.cpp",
    11434: "Ollama",
    1234: "LM Studio",
    8000: "vLLM",
}
SECONDS = 0.5  # for an answer: servers on this machine answer at once, or not at all


@dataclass(frozen=True, slots=True)
class Found:
    """A server that answers: its address, the program that usually has its port, its models."""

    url: str
    program: str
    models: tuple[str, ...]


def find_endpoints(ports: Mapping[int, str] = PORTS) -> list[Found]:
    """The servers on loopback that list models as OpenAI's do; nothing else is contacted."""
    import httpx2

    with (
        httpx2.Client(follow_redirects=False, trust_env=False) as client,
        ThreadPoolExecutor(len(ports) or 1) as workers,
    ):

        def look(port: int) -> Found | None:
            url = f"http://127.0.0.1:{port}/v1"
            try:
                status, _, content = request(client, f"{url}/models", None, SECONDS)
            except (AttemptError, TimeoutError):
                return None
            names = model_names(content) if status == 200 else None
            return Found(url, ports[port], tuple(names)) if names is not None else None

        return [found for found in workers.map(look, ports) if found]
