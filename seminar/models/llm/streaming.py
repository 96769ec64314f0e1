"""A completion that is streamed: its pieces as they come, and why it ended early if it did.

Any server may answer: one that streams, one that ignores that it should, one that sends garbage,
stalls, drips or breaks off. No error quotes a response.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from queue import Empty, Queue
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

from seminar.models.llm.chat import Completion, Listener, ThoughtFilter, without_thoughts
from seminar.models.llm.errors import AttemptError, ErrorResponse
from seminar.models.llm.http import LARGEST, retry_after

if TYPE_CHECKING:
    import httpx2

DATA = b"data:"
NO_COMPLETION = "its answer is no completion: is this the address of an API, as in .../v1?"
TRANSIENT = {408, 425, 429}  # statuses that are worth a retry; so are all from 500 on


@dataclass(frozen=True, slots=True)
class Request:
    """A request for a completion, and when it has to be there (of `time.monotonic`)."""

    url: str
    body: dict[str, object]
    deadline: float
    seconds: float  # the whole patience, for messages


@dataclass(frozen=True, slots=True)
class Status:
    """The beginning of a response."""

    code: int
    wait: float


@dataclass
class _Pieces:
    """What has come of a completion so far."""

    listen: Listener
    texts: list[str] = field(default_factory=list)
    usage: tuple[int, int] = (0, 0)
    finish: str = ""
    whole: bytes = b""  # lines that are no events: a server that does not stream
    streamed: bool = False

    def add(self, line: bytes) -> None:
        if not line.startswith(DATA):
            self.whole += line + b"\n"
            return
        self.streamed = True
        event = line[len(DATA) :].strip()
        if event == b"[DONE]":
            self.finish = self.finish or "stop"
            return
        fields = _fields(event)
        if "error" in fields:
            raise AttemptError("", response=ErrorResponse(500, event))
        self._note_usage(fields)
        for choice in _dicts(fields.get("choices"))[:1]:
            delta = choice.get("delta")
            text = delta.get("content") if isinstance(delta, dict) else None
            if isinstance(text, str) and text:
                self.texts.append(text)
                self.listen(text)
            if isinstance(choice.get("finish_reason"), str):
                self.finish = str(choice["finish_reason"])

    def add_whole(self) -> None:
        """Take the completion of a server that sent it in one piece."""
        fields = _fields(self.whole)
        self._note_usage(fields)
        for choice in _dicts(fields.get("choices"))[:1]:
            message = choice.get("message")
            text = message.get("content") if isinstance(message, dict) else None
            if isinstance(text, str):
                self.texts.append(text)
                self.listen(text)
                self.finish = str(choice.get("finish_reason") or "stop")

    def _note_usage(self, fields: dict[str, Any]) -> None:
        usage = fields.get("usage")
        if isinstance(usage, dict):
            counts = (usage.get("prompt_tokens"), usage.get("completion_tokens"))
            read, written = (count if type(count) is int and count > 0 else 0 for count in counts)
            self.usage = (read, written)


def stream(client: httpx2.Client, request: Request, listen: Listener) -> Completion:
    """One attempt at a completion; an AttemptError has the response that was none."""
    pieces = _Pieces(ThoughtFilter(listen))
    status, size, cut = Status(200, 0.0), 0, ""
    try:
        for item in _items(client, request):
            if isinstance(item, Status):
                status = item
                continue
            size += len(item)
            if size > LARGEST:
                cut = "its answer is too long"
                break
            if status.code == 200:
                pieces.add(item)
            else:
                pieces.whole += item + b"\n"
    except TimeoutError:
        cut = f"no answer within {request.seconds:g} seconds: more `patience` may help (--config)"
    except AttemptError as error:
        if not pieces.texts:
            raise
        cut = str(error) or "its server reported an error"
    if status.code != 200:
        retry = status.code in TRANSIENT or status.code >= 500
        response = ErrorResponse(status.code, pieces.whole)
        raise AttemptError("", retry=retry, wait=status.wait, response=response)
    return _completion(pieces, cut)


def _completion(pieces: _Pieces, cut: str) -> Completion:
    if not pieces.streamed:
        pieces.add_whole()
    text = without_thoughts("".join(pieces.texts)).strip()
    if pieces.finish == "length":
        cut = cut or "it had written all of its `tokens`"
    elif not pieces.finish:
        cut = cut or "its connection broke off"
    if not text:
        late = cut.startswith("no answer within")
        if pieces.finish == "length":
            spent = "it spent its tokens before it answered"
            cut = f"{spent}: turn its thinking off, or allow more `tokens`"
        reason = NO_COMPLETION if not pieces.texts and not late and not pieces.finish else cut
        raise AttemptError(reason or NO_COMPLETION, retry=not late and pieces.finish != "length")
    return Completion(text, *pieces.usage, cut=cut)


def _items(client: httpx2.Client, request: Request) -> Iterator[Status | bytes]:
    """The status and then the lines of a response, up to the deadline.

    A thread reads them: a client's own limit is on silence, which a dripping server never reaches.
    """
    import httpx2

    queue: Queue[Status | bytes | Exception | None] = Queue()
    ended = Event()

    def read() -> None:
        try:
            limit = max(0.01, request.deadline - time.monotonic())
            with client.stream("POST", request.url, json=request.body, timeout=limit) as response:
                queue.put(Status(response.status_code, retry_after(response.headers)))
                for line in _lines(response, ended):
                    queue.put(line)
            queue.put(None)
        except Exception as error:  # noqa: BLE001 - raised again by the waiting thread
            queue.put(error)

    Thread(target=read, daemon=True).start()
    try:
        while True:
            try:
                item = queue.get(timeout=max(0.0, request.deadline - time.monotonic()))
            except Empty:
                raise TimeoutError from None
            if item is None:
                return
            if isinstance(item, Exception):
                raise item
            yield item
    except httpx2.TimeoutException:
        raise TimeoutError from None
    except (httpx2.HTTPError, httpx2.StreamError, httpx2.InvalidURL, UnicodeError) as error:
        reason = f"it can't be reached ({type(error).__name__}): is it running at this address?"
        raise AttemptError(reason) from None
    finally:
        ended.set()


def _lines(response: httpx2.Response, ended: Event) -> Iterator[bytes]:
    """The lines of a response; what comes after the last line break is a line too."""
    rest, size = b"", 0
    for piece in response.iter_bytes():
        size += len(piece)
        *lines, rest = (rest + piece).split(b"\n")
        yield from (line.rstrip(b"\r") for line in lines)
        if ended.is_set() or size > LARGEST:
            break
    if rest:
        yield rest


def _fields(content: bytes) -> dict[str, Any]:
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _dicts(value: object) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
