"""Completions from any server that speaks OpenAI's chat protocol, within bounds of time and tries.

The key goes into one header and nowhere else: no error quotes what the server or the client said.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from seminar.errors import ConfigurationError, EndpointError, MissingExtraError

if TYPE_CHECKING:
    import httpx2

KEYS = ("SEMINAR_LLM_KEY", "OPENAI_API_KEY")
PATH = "/chat/completions"
LARGEST = 1_000_000  # bytes of a response: what is longer is no completion of ours
FIRST_WAIT = 0.5  # seconds before the second attempt, doubled before each further one
PASSING = {408, 425, 429}  # statuses that may pass; so may all from 500 on
# Not every server takes these; one that names them in its refusal is asked again without.
OPTIONAL = ("temperature", "max_tokens")
REASONS = {401: "it refused the key", 403: "it refused the key", 404: "no such address or model"}


@dataclass(frozen=True, slots=True)
class Bounds:
    """How hard to try: tries a prompt, seconds a call, tokens an answer, prompts at once.

    One attempt gets half of the seconds, so that what hangs once is tried again.
    """

    attempts: int = 3
    seconds: float = 60.0
    tokens: int = 1024
    parallel: int = 4


class _Failed(Exception):
    """One attempt that gave nothing: why, and whether (and when) another may do better."""

    def __init__(self, reason: str, *, again: bool = True, wait: float = 0.0) -> None:
        super().__init__(reason)
        self.again, self.wait = again, wait


class Endpoint:
    """A `Generator` over one model of one server; it holds no connection and no state."""

    def __init__(self, url: str, model: str, *, key: str = "", bounds: Bounds | None = None):
        self.url, self.model = check_url(url), model
        self.bounds = bounds or Bounds()
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}

    def generate(self, prompts: Sequence[str]) -> list[str]:
        """One completion for each prompt, or an EndpointError when the bounds are reached."""
        if not prompts:
            return []
        deadline = time.monotonic() + self.bounds.seconds
        # Redirects aren't followed: the key was meant for this address.
        with _client_of()(headers=self._headers, follow_redirects=False) as client:
            workers = ThreadPoolExecutor(min(self.bounds.parallel, len(prompts)))
            try:
                calls = [workers.submit(self._complete, client, one, deadline) for one in prompts]
                return [call.result() for call in calls]
            finally:
                workers.shutdown(cancel_futures=True)

    def _complete(self, client: httpx2.Client, prompt: str, deadline: float) -> str:
        for attempt in range(1, self.bounds.attempts + 1):
            try:
                return self._attempt(client, prompt, deadline)
            except _Failed as failed:
                wait = failed.wait or FIRST_WAIT * 2 ** (attempt - 1)
                late = time.monotonic() + wait >= deadline
                if not failed.again or late or attempt == self.bounds.attempts:
                    tries = "once" if attempt == 1 else f"{attempt} times"
                    raise EndpointError(f"{self.url}: {failed} (tried {tries})") from None
                time.sleep(wait)
        raise EndpointError(f"{self.url}: no attempt is allowed")

    def _attempt(self, client: httpx2.Client, prompt: str, deadline: float) -> str:
        body: dict[str, object] = {
            "model": self.model,
            "messages": [{"role": "user", "content": prompt}],
            "temperature": 0,
            "max_tokens": self.bounds.tokens,
        }
        status, wait, content = self._post(client, body, deadline)
        unknown = [name for name in OPTIONAL if name.encode() in content]
        if status in (400, 422) and unknown:
            body = {name: value for name, value in body.items() if name not in unknown}
            status, wait, content = self._post(client, body, deadline)
        if status != 200:
            reason = REASONS.get(status)
            told = f"it answered {status}" + (f", {reason}" if reason else "")
            raise _Failed(told, again=status in PASSING or status >= 500, wait=wait)
        return _completion(content)

    def _post(
        self, client: httpx2.Client, body: dict[str, object], deadline: float
    ) -> tuple[int, float, bytes]:
        """Status, seconds to wait and content; the deadline holds against a dripping server too."""
        import httpx2

        now = time.monotonic()
        limit = min(deadline, now + self.bounds.seconds / 2)
        late = _Failed(f"no answer within {self.bounds.seconds / 2:g} seconds")
        if limit <= now:
            raise late
        try:
            with client.stream("POST", self.url + PATH, json=body, timeout=limit - now) as response:
                content = bytearray()
                for piece in response.iter_bytes():
                    content += piece
                    if len(content) > LARGEST:
                        raise _Failed("its answer is too long", again=False)
                    if time.monotonic() > limit:
                        raise late
                wait = _seconds(response.headers.get("Retry-After", ""))
                return response.status_code, wait, bytes(content)
        except httpx2.TimeoutException:
            raise late from None
        except (httpx2.HTTPError, httpx2.StreamError) as error:
            raise _Failed(f"it can't be reached ({type(error).__name__})") from None


def open_endpoint(url: str, model: str, *, seconds: float) -> Endpoint:
    """The endpoint with the key that the environment holds, if it holds one."""
    _client_of()
    held = ((name, os.environ.get(name, "").strip()) for name in KEYS)
    name, key = next(((name, key) for name, key in held if key), ("", ""))
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise ConfigurationError(f"{name} holds characters that no key has; set it again")
    return Endpoint(url, model, key=key, bounds=Bounds(seconds=seconds))


def check_url(url: str) -> str:
    """The address under which a server's chat protocol stands, or what is wrong with it.

    >>> check_url("http://localhost:8080"), check_url("https://host/api/v1/chat/completions")
    ('http://localhost:8080/v1', 'https://host/api/v1')
    """
    try:
        parts = urlsplit(url)
        known = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        known = False
    if not known:
        raise ConfigurationError(
            "the language model's address must be like http://localhost:8080/v1 (--llm URL)"
        )
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ConfigurationError(
            "the language model's address must hold no key and no '?': set SEMINAR_LLM_KEY instead"
        )
    path = parts.path.rstrip("/").removesuffix(PATH) or "/v1"
    return f"{parts.scheme}://{parts.netloc}{path}"


def _client_of() -> type[httpx2.Client]:
    try:
        import httpx2
    except ImportError as error:
        raise MissingExtraError("a language model (--llm)", "llm") from error
    return httpx2.Client


def _completion(content: bytes) -> str:
    try:
        text = json.loads(content)["choices"][0]["message"]["content"]
    except (ValueError, LookupError, TypeError, RecursionError):
        text = None
    if not isinstance(text, str):
        raise _Failed("its answer is no completion")
    return text


def _seconds(retry_after: str) -> float:
    """How long a server asks to wait: it names seconds or a date; 0 where it names neither."""
    if retry_after.strip().isdecimal():
        return float(retry_after)
    try:
        then = parsedate_to_datetime(retry_after)
    except (TypeError, ValueError):
        return 0.0
    zoned = then if then.tzinfo else then.replace(tzinfo=UTC)
    return max(0.0, (zoned - datetime.now(UTC)).total_seconds())
