"""The length of a model's context, where its server tells."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

from seminar.models.llm.endpoint import Endpoint

LEAST, MOST = 512, 10_000_000  # tokens; anything else is no length


def context_of(endpoint: Endpoint) -> int:
    """The tokens of the context as llama.cpp or vLLM tell them; 0 where the server doesn't.

    A server is asked once per process; one that is down is asked again.
    """
    try:
        return _told(endpoint)
    except LookupError:
        return 0


@lru_cache(maxsize=16)
def _told(endpoint: Endpoint) -> int:
    pages = [endpoint.fetch(path) for path in ("/props", f"{urlsplit(endpoint.url).path}/models")]
    if not any(status for status, _ in pages):
        raise LookupError(endpoint.url)
    props, models = (_fields(content) if status == 200 else {} for status, content in pages)
    settings = props.get("default_generation_settings")
    lengths = [settings.get("n_ctx")] if isinstance(settings, dict) else []
    listed = models.get("data")
    lengths += [
        one.get("max_model_len")
        for one in (listed if isinstance(listed, list) else [])
        if isinstance(one, dict) and one.get("id") == endpoint.model
    ]
    found = [length for length in lengths if type(length) is int and LEAST <= length <= MOST]
    return found[0] if found else 0


def _fields(content: bytes) -> dict[str, Any]:
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
