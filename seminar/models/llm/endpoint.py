"""Completions from any server that speaks OpenAI's chat protocol, within bounds of time and tries.

The key goes into one header and nowhere else: no error quotes what the server or the client said.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from seminar.errors import ConfigurationError, EndpointError, MissingExtraError
from seminar.models.llm.http import Failed, exchange
from seminar.models.llm.refusals import KEY, Refusal, Server, explain

if TYPE_CHECKING:
    import httpx2

OPENAI_KEY = "OPENAI_API_KEY"
PATH = "/chat/completions"
FIRST_WAIT = 0.5  # seconds before the second attempt, doubled before each further one
LOOK = 5.0  # seconds to find out why a server refused
PASSING = {408, 425, 429}  # statuses that may pass; so may all from 500 on
# Not every server takes these; one that refuses them is asked again without.
OPTIONAL = ("temperature", "max_tokens", "response_format")


@dataclass(frozen=True, slots=True)
class Bounds:
    """How hard to try: tries a prompt, seconds a call, tokens an answer, prompts at once.

    One attempt gets half of the seconds, so that what hangs once is tried again.
    """

    attempts: int = 3
    seconds: float = 60.0
    tokens: int = 1024
    parallel: int = 4


@dataclass(frozen=True, slots=True)
class _Failure:
    """A prompt that no attempt completed: why the last one didn't, and how many there were."""

    last: Failed
    attempts: int


class Endpoint:
    """A `Generator` over one model of one server; it holds no connection and no state.

    A `schema` is the JSON schema that outputs are held to by servers that can.
    """

    def __init__(
        self,
        url: str,
        model: str,
        *,
        key: str = "",
        bounds: Bounds | None = None,
        schema: Mapping[str, object] | None = None,
    ) -> None:
        self.url, self.model = check_url(url), model
        self.bounds = bounds or Bounds()
        self.schema = schema
        self._key = key

    def shaped(self, schema: Mapping[str, object]) -> Endpoint:
        """The same endpoint with outputs of this shape."""
        return Endpoint(self.url, self.model, key=self._key, bounds=self.bounds, schema=schema)

    def generate(self, prompts: Sequence[str]) -> list[str]:
        """One completion for each prompt, or an EndpointError that has those which came."""
        if not prompts:
            return []
        deadline = time.monotonic() + self.bounds.seconds
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        # Redirects aren't followed: the key was meant for this address.
        with _client_of()(headers=headers, follow_redirects=False) as client:
            workers = ThreadPoolExecutor(min(self.bounds.parallel, len(prompts)))
            try:
                calls = [workers.submit(self._complete, client, one, deadline) for one in prompts]
                outcomes = [call.result() for call in calls]
            finally:  # who interrupts doesn't wait for what is under way
                workers.shutdown(wait=False, cancel_futures=True)
            outputs = [one if isinstance(one, str) else None for one in outcomes]
            for failure in outcomes:
                if isinstance(failure, _Failure):
                    raise EndpointError(self._told(client, failure), outputs)
        return [output for output in outputs if output is not None]

    def _told(self, client: httpx2.Client, failure: _Failure) -> str:
        """Why a prompt failed for good, and what the asker can do about it."""
        reason, refusal = str(failure.last), failure.last.refusal
        if refusal:
            server = Server(self.url, self.model, self._key, lambda url: _look(client, url))
            reason = explain(refusal, server)
        tries = "once" if failure.attempts == 1 else f"{failure.attempts} times"
        return f"{self.url}: {reason} (tried {tries})"

    def _complete(self, client: httpx2.Client, prompt: str, deadline: float) -> str | _Failure:
        attempt = 1
        while True:
            try:
                return self._attempt(client, prompt, deadline)
            except Failed as failed:
                wait = failed.wait or FIRST_WAIT * 2 ** (attempt - 1)
                late = time.monotonic() + wait >= deadline
                if not failed.again or late or attempt >= self.bounds.attempts:
                    return _Failure(failed, attempt)
                time.sleep(wait)
                attempt += 1

    def _attempt(self, client: httpx2.Client, prompt: str, deadline: float) -> str:
        body = self._body(prompt)
        status, wait, content = self._post(client, body, deadline)
        while status in (400, 422) and (unwanted := _unwanted(body, content)):
            body = {name: value for name, value in body.items() if name not in unwanted}
            status, wait, content = self._post(client, body, deadline)
        if status != 200:
            again = status in PASSING or status >= 500
            raise Failed("", again=again, wait=wait, refusal=Refusal(status, content))
        return _completion(content, self.bounds.tokens)

    def _body(self, prompt: str) -> dict[str, object]:
        body: dict[str, object] = {
            "model": self.model,
            "messages": [{"role": "user", "content": prompt}],
            "temperature": 0,
            "max_tokens": self.bounds.tokens,
        }
        if self.schema:
            shape = {"name": "output", "schema": self.schema, "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": shape}
        return body

    def _post(
        self, client: httpx2.Client, body: dict[str, object], deadline: float
    ) -> tuple[int, float, bytes]:
        """Status, seconds to wait and content, or why there is none."""
        most = self.bounds.seconds / 2
        try:
            left = min(deadline - time.monotonic(), most)
            return exchange(client, self.url + PATH, body, left)
        except TimeoutError:
            late = f"no answer within {most:g} seconds: more `patience` may help (--config)"
            raise Failed(late) from None


def _look(client: httpx2.Client, url: str) -> tuple[int, bytes]:
    """Status and content of a page, (0, nothing) where there is none to be had."""
    try:
        status, _, content = exchange(client, url, None, LOOK)
    except (Failed, TimeoutError):
        return 0, b""
    return status, content


def _unwanted(body: Mapping[str, object], refusal: bytes) -> list[str]:
    """The optional parts that a refusal names; if it names none, the one that fewest servers take.

    >>> _unwanted({"temperature": 0, "max_tokens": 9}, b"Unsupported value: 'temperature'")
    ['temperature']
    """
    sent = [name for name in OPTIONAL if name in body]
    named = [name for name in sent if name.encode() in refusal]
    return named or [name for name in sent if name == "response_format"]


def open_endpoint(url: str, model: str, *, seconds: float, tokens: int) -> Endpoint:
    """The endpoint with the key that the environment holds for it, if it holds one."""
    _client_of()
    url = check_url(url)
    name, key = key_for(url)
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise ConfigurationError(f"{name} holds characters that no key has; set it again")
    return Endpoint(url, model, key=key, bounds=Bounds(seconds=seconds, tokens=tokens))


def key_for(url: str) -> tuple[str, str]:
    """The variable that holds the key for an address, and the key.

    OpenAI's goes to OpenAI only, and never in clear.
    """
    parts = urlsplit(url)
    openai = parts.scheme == "https" and f".{parts.hostname}".endswith(".openai.com")
    for name in (KEY, OPENAI_KEY) if openai else (KEY,):
        if key := os.environ.get(name, "").strip():
            return name, key
    return "", ""


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


def _completion(content: bytes, tokens: int) -> str:
    try:
        choice = json.loads(content)["choices"][0]
        text, cut = choice["message"]["content"], choice.get("finish_reason") == "length"
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        text, cut = None, False
    if cut and not text:
        used_up = f"it spent its {tokens} tokens before it answered"
        raise Failed(f"{used_up}: turn its thinking off, or allow more `tokens`", again=False)
    if not isinstance(text, str):
        raise Failed("its answer is no completion: is this the address of an API, as in .../v1?")
    return text
