"""Failed attempts at a completion, and what an error response means for the user.

No message quotes a response, which may repeat the key; only names of models are quoted, from the
server's own list, where they look like names.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

KEY = "SEMINAR_LLM_KEY"
MOST_NAMES = 8  # of models in a message
Fetch = Callable[[str], tuple[int, bytes]]  # status and content of an address; 0 where none answers

_NAME = re.compile(r"[\w./:@+-]{1,80}")
_MEANINGS = {
    402: "no credit is left",
    413: "the prompt is too long for it",
    429: "too many requests, or no credit is left",
}


@dataclass(frozen=True, slots=True)
class ErrorResponse:
    """A response without a completion: its status, and its content, which is never quoted."""

    status: int
    content: bytes = b""


@dataclass(frozen=True, slots=True)
class Server:
    """The address, model and key of a request, and a way to fetch other pages of the server."""

    url: str
    model: str
    key: str
    fetch: Fetch


class AttemptError(Exception):
    """One attempt without a completion: the reason, and whether (and when) to retry."""

    def __init__(
        self,
        reason: str,
        *,
        retry: bool = True,
        wait: float = 0.0,
        response: ErrorResponse | None = None,
    ) -> None:
        super().__init__(reason)
        self.retry, self.wait, self.response = retry, wait, response


def explain(response: ErrorResponse, server: Server) -> str:
    """The meaning of an error response and what to change; the server's models may be fetched."""
    status = response.status
    if status in (401, 403):
        reason = f"it refused the key: check {KEY}" if server.key else f"it wants a key: set {KEY}"
    elif 300 <= status < 400:
        reason = "it sends elsewhere: name that address itself, perhaps with https"
    elif status in (400, 413, 422, 500) and b"context" in response.content.lower():
        reason = "the prompt is too long for its context: serve the model with a longer one"
    elif status in (400, 404, 405, 422):
        reason = _address_or_model(status, server)
    else:
        reason = _MEANINGS.get(status, "")
    return f"it answered {status}, {reason}" if reason else f"it answered {status}"


def _address_or_model(status: int, server: Server) -> str:
    """Servers word these errors differently; their list of models shows what is wrong."""
    names = _models(f"{server.url}/models", server)
    missing = status in (404, 405)
    if names is None and missing:
        return f"it has no chat protocol there: {_better_address(server)}"
    if names is None or server.model in names:
        return "no such address or model" if missing else "it can't serve this request"
    return f"it has no model '{server.model}'{_suggestion(server.model, names)} (--model NAME)"


def _models(address: str, server: Server) -> list[str] | None:
    """The names that a list of models holds; None where there is no such list."""
    status, content = server.fetch(address)
    names = model_names(content) if status == 200 else None
    if names is None:
        return None
    return [name for name in names if not server.key or server.key not in name]


def model_names(content: bytes) -> list[str] | None:
    """The names that look like names in a list of models; None where it is no such list.

    >>> model_names(b'{"data": [{"id": "qwen3:4b"}, {"id": "a b"}]}'), model_names(b"<html>")
    (['qwen3:4b'], None)
    """
    try:
        names = [one["id"] for one in json.loads(content)["data"]]
    except (ValueError, LookupError, TypeError, RecursionError):
        return None
    return [name for name in names if isinstance(name, str) and _NAME.fullmatch(name)]


def _better_address(server: Server) -> str:
    parts = urlsplit(server.url)
    usual = f"{parts.scheme}://{parts.netloc}/v1"
    if server.url != usual and _models(f"{usual}/models", server) is not None:
        return f"try --llm {usual}"
    return "the address is what comes before /chat/completions, and often ends in /v1"


def _suggestion(model: str, names: Sequence[str]) -> str:
    """The nearest names, or the first.

    >>> _suggestion("llama3", ["qwen3:4b", "llama3.2:latest"])
    ". Did you mean 'llama3.2:latest'? It has: llama3.2:latest, qwen3:4b"
    """
    if not names:
        return ": it has none"
    begins = [name for name in names if name.startswith(model)]
    near = (begins + difflib.get_close_matches(model, names, n=1))[:1]
    hint = f" Did you mean '{near[0]}'?" if near else ""
    shown = ", ".join(sorted(names)[:MOST_NAMES])
    return f".{hint} It has: {shown}{', ...' if len(names) > MOST_NAMES else ''}"
