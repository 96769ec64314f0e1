"""Completions from any server with OpenAI's chat protocol, within bounds of time and attempts.

The key is sent in one header and nowhere else: no error quotes a response.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

from seminar.errors import ConfigurationError, EndpointError, MissingExtraError
from seminar.models.llm.chat import Completion, Listener, Message
from seminar.models.llm.errors import KEY, AttemptError, ErrorResponse, Server, explain
from seminar.models.llm.http import request
from seminar.models.llm.streaming import NO_COMPLETION, TRANSIENT, Request, stream

if TYPE_CHECKING:
    import httpx2

T = TypeVar("T")

OPENAI_KEY = "OPENAI_API_KEY"
PATH = "/chat/completions"
FIRST_WAIT = 0.5  # seconds before the second attempt, doubled before each further one
FETCH_SECONDS = 5.0  # for a page that shows what is wrong with a request
# Not every server accepts these; where one rejects them the request is repeated without.
OPTIONAL = ("temperature", "max_tokens", "response_format", "stream_options")


@dataclass(frozen=True, slots=True)
class Bounds:
    """Attempts for each prompt, seconds for a call, tokens of an answer, prompts at once.

    One attempt gets half of the seconds, so that a request that hangs is retried.
    """

    attempts: int = 3
    seconds: float = 60.0
    tokens: int = 1024
    parallel: int = 4


@dataclass(frozen=True, slots=True)
class _Failure:
    """A prompt that no attempt completed: the last error, and the number of attempts."""

    last: AttemptError
    attempts: int


class Endpoint:
    """A `Generator` over one model of one server; it holds no connection and no state.

    A `schema` is the JSON schema that outputs follow on servers that support it.
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
        """One completion for each prompt, or an EndpointError with those that succeeded."""
        if not prompts:
            return []
        deadline = time.monotonic() + self.bounds.seconds
        # Redirects aren't followed: the key was meant for this address.
        with _client_of()(headers=self._headers, follow_redirects=False) as client:
            workers = ThreadPoolExecutor(min(self.bounds.parallel, len(prompts)))
            try:
                calls = [workers.submit(self._complete, client, one, deadline) for one in prompts]
                outcomes = [call.result() for call in calls]
            finally:  # an interrupt doesn't wait for running requests
                workers.shutdown(wait=False, cancel_futures=True)
            outputs = [one if isinstance(one, str) else None for one in outcomes]
            for failure in outcomes:
                if isinstance(failure, _Failure):
                    raise EndpointError(self._message(client, failure), outputs)
        return [output for output in outputs if output is not None]

    def chat(self, messages: Sequence[Message], listen: Listener) -> Completion:
        """The completion of a chat, streamed, or an EndpointError."""
        deadline = time.monotonic() + self.bounds.seconds
        body = self._body(messages) | {"stream": True, "stream_options": {"include_usage": True}}
        with _client_of()(headers=self._headers, follow_redirects=False) as client:

            def attempt() -> Completion:
                return self._stream(client, body, deadline, listen)

            outcome = self._repeat(attempt, deadline)
            if isinstance(outcome, _Failure):
                raise EndpointError(self._message(client, outcome))
        return outcome

    def _stream(
        self, client: httpx2.Client, body: dict[str, object], deadline: float, listen: Listener
    ) -> Completion:
        while True:
            asked = Request(self.url + PATH, body, deadline, self.bounds.seconds)
            try:
                return stream(client, asked, listen)
            except AttemptError as error:
                response = error.response
                refused = response is not None and response.status in (400, 422)
                rejected = _rejected(body, response.content) if refused and response else []
                if not rejected:
                    raise
                body = {name: value for name, value in body.items() if name not in rejected}

    def fetch(self, path: str) -> tuple[int, bytes]:
        """Status and content of another page of the server, by its path; 0 where none answers."""
        with _client_of()(headers=self._headers, follow_redirects=False) as client:
            return _fetch(client, urlsplit(self.url)._replace(path=path).geturl())

    @property
    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._key}"} if self._key else {}

    def _message(self, client: httpx2.Client, failure: _Failure) -> str:
        """Why a prompt failed, and what the user can do about it."""
        reason, response = str(failure.last), failure.last.response
        if response:
            server = Server(self.url, self.model, self._key, lambda url: _fetch(client, url))
            reason = explain(response, server)
        tries = "once" if failure.attempts == 1 else f"{failure.attempts} times"
        return f"{self.url}: {reason} (tried {tries})"

    def _complete(self, client: httpx2.Client, prompt: str, deadline: float) -> str | _Failure:
        return self._repeat(lambda: self._attempt(client, prompt, deadline), deadline)

    def _repeat(self, attempt: Callable[[], T], deadline: float) -> T | _Failure:
        """The outcome of the first attempt that succeeds, within the bounds."""
        attempts = 1
        while True:
            try:
                return attempt()
            except AttemptError as error:
                wait = error.wait or FIRST_WAIT * 2 ** (attempts - 1)
                late = time.monotonic() + wait >= deadline
                if not error.retry or late or attempts >= self.bounds.attempts:
                    return _Failure(error, attempts)
                time.sleep(wait)
                attempts += 1

    def _attempt(self, client: httpx2.Client, prompt: str, deadline: float) -> str:
        body = self._body([Message("user", prompt)])
        status, wait, content = self._post(client, body, deadline)
        while status in (400, 422) and (rejected := _rejected(body, content)):
            body = {name: value for name, value in body.items() if name not in rejected}
            status, wait, content = self._post(client, body, deadline)
        if status != 200:
            retry = status in TRANSIENT or status >= 500
            response = ErrorResponse(status, content)
            raise AttemptError("", retry=retry, wait=wait, response=response)
        return _completion(content, self.bounds.tokens)

    def _body(self, messages: Sequence[Message]) -> dict[str, object]:
        body: dict[str, object] = {
            "model": self.model,
            "messages": [{"role": one.role, "content": one.content} for one in messages],
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
            return request(client, self.url + PATH, body, left)
        except TimeoutError:
            late = f"no answer within {most:g} seconds: more `patience` may help (--config)"
            raise AttemptError(late) from None


def _fetch(client: httpx2.Client, url: str) -> tuple[int, bytes]:
    """Status and content of a page, (0, b"") where it can't be fetched."""
    try:
        status, _, content = request(client, url, None, FETCH_SECONDS)
    except (AttemptError, TimeoutError):
        return 0, b""
    return status, content


def _rejected(body: Mapping[str, object], response: bytes) -> list[str]:
    """The optional fields that an error names, else the one that fewest servers accept.

    >>> _rejected({"temperature": 0, "max_tokens": 9}, b"Unsupported value: 'temperature'")
    ['temperature']
    """
    sent = [name for name in OPTIONAL if name in body]
    named = [name for name in sent if name.encode() in response]
    return named or [name for name in sent if name == "response_format"]


def open_endpoint(url: str, model: str, *, seconds: float, tokens: int) -> Endpoint:
    """The endpoint with its key from the environment, if there is one."""
    _client_of()
    url = check_url(url)
    name, key = key_for(url)
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise ConfigurationError(f"{name} holds characters that no key has; set it again")
    if key and not _is_private(url):
        raise ConfigurationError(
            f"{name} is sent over https or within this machine only, never to {url}: name an "
            "https address, or unset the key"
        )
    return Endpoint(url, model, key=key, bounds=Bounds(seconds=seconds, tokens=tokens))


def key_for(url: str) -> tuple[str, str]:
    """The environment variable with the key for an address, and the key.

    OpenAI's key is sent to OpenAI only, and only over https.
    """
    parts = urlsplit(url)
    openai = parts.scheme == "https" and f".{parts.hostname}".endswith(".openai.com")
    for name in (KEY, OPENAI_KEY) if openai else (KEY,):
        if key := os.environ.get(name, "").strip():
            return name, key
    return "", ""


def _is_private(url: str) -> bool:
    """Whether nobody between here and an address can read what is sent there.

    >>> _is_private("http://127.0.0.1:8080/v1"), _is_private("http://host/v1")
    (True, False)
    """
    parts = urlsplit(url)
    host = parts.hostname or ""
    try:
        local = ip_address(host).is_loopback
    except ValueError:
        local = host == "localhost" or host.endswith(".localhost")
    return parts.scheme == "https" or local


def check_url(url: str) -> str:
    """The base address of a server's chat protocol; an address that can't be one is an error.

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
        raise AttemptError(f"{used_up}: turn its thinking off, or allow more `tokens`", retry=False)
    if not isinstance(text, str):
        raise AttemptError(NO_COMPLETION)
    return text
