"""The client for programs that wait."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self, cast

from seminar.client import records, requests
from seminar.client.errors import UnreachableError
from seminar.client.records import (
    Collection,
    Dialogue,
    Hit,
    Job,
    Source,
    Span,
    Stage,
    StageName,
    Turn,
)
from seminar.client.requests import EventReader, Request
from seminar.client.transport import httpx2, options
from seminar.errors import SeminarError


class Client:
    """A connection to a service; `token` is an API token, which a single-user service needs not."""

    def __init__(
        self, url: str, *, token: str = "", timeout: float = 120.0, connections: int = 100
    ) -> None:
        self._http = httpx2.Client(**options(url, token, timeout, connections))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def collections(self) -> Iterator[Collection]:
        """The collections that one may read."""
        return map(records.to_collection, self._listed("/collections"))

    def create(self, name: str) -> Collection:
        """A new collection."""
        return records.to_collection(self._send(requests.create(name)))

    def upload(self, collection: str, path: str | Path) -> list[str]:
        """Upload a file, or the files of a folder; returns their paths in the collection."""
        files = requests.local_files(path)
        for file in files:
            upload = self._send(requests.announce(collection, file))
            for offset, chunk in requests.chunks(file, upload["received"]):
                self._send(requests.append(upload["id"], offset, chunk))
        return [file.name for file in files]

    def index(self, collection: str) -> Iterator[Job]:
        """Index what changed; yields the progress, and the job that has ended as the last."""
        job = self._send(requests.index(collection))
        for _, record in self._events(requests.follow(job["id"])):
            yield records.to_job(record)

    def delete_collection(self, collection: str) -> None:
        self._send(requests.delete("collections", collection))

    def passages(self, collection: str, q: str, *, scope: str = "", limit: int = 10) -> list[Hit]:
        """Search passages, best first."""
        found = self._send(requests.passages(collection, q, scope, limit))
        return [records.to_hit(one) for one in found["items"]]

    def source(self, collection: str, span: Span) -> Source:
        """The source around a span."""
        return records.to_source(self._send(requests.source(collection, span)))

    def dialogues(self, q: str = "", *, collection: str = "") -> Iterator[Dialogue]:
        """One's dialogues, those changed last first; `q` searches questions and answers."""
        listed = self._listed("/dialogues", q=q, collection=collection)
        return map(records.to_dialogue, listed)

    def begin(self, collection: str, *, scope: str = "") -> Dialogue:
        """A new dialogue with a collection, or with a part of it."""
        return records.to_dialogue(self._send(requests.begin(collection, scope)))

    def dialogue(self, dialogue: str) -> Dialogue:
        """A dialogue with its turns."""
        return records.to_dialogue(self._send(requests.show(dialogue)))

    def fork(self, dialogue: str, number: int) -> Dialogue:
        """A new dialogue with the turns before a number."""
        return records.to_dialogue(self._send(requests.fork(dialogue, number)))

    def delete_dialogue(self, dialogue: str) -> None:
        self._send(requests.delete("dialogues", dialogue))

    def ask(self, dialogue: str, question: str) -> Turn:
        """Ask; sent again where the connection breaks, which never asks twice."""
        request = requests.ask(dialogue, question)
        for _ in range(requests.TRIES - 1):
            try:
                return records.to_turn(self._send(request))
            except UnreachableError:
                time.sleep(requests.PAUSE)
        return records.to_turn(self._send(request))

    def stages(self, dialogue: str, question: str) -> Iterator[Stage]:
        """Ask, and yield what was searched, the answer, follow-ups and the turn as they come.

        Sent again where the connection breaks, which never asks twice: the rest follows.
        """
        request, unseen = requests.ask(dialogue, question, stages=True), requests.Unseen()
        for tries_left in reversed(range(requests.TRIES)):
            try:
                for name, record in self._events(request):
                    if unseen.has(name):
                        yield records.to_stage(cast("StageName", name), record)
                return
            except UnreachableError:
                if not tries_left:
                    raise
            unseen.again()
            time.sleep(requests.PAUSE)

    def judge(
        self,
        dialogue: str,
        number: int,
        *,
        right: bool,
        span: Span | None = None,
        comment: str = "",
    ) -> None:
        """Say whether a turn is right, and which words would have been."""
        self._send(requests.judge(dialogue, number, right=right, span=span, comment=comment))

    def _send(self, request: Request) -> dict[str, Any]:
        for tries_left in reversed(range(requests.TRIES)):
            with self._reached():
                response = self._http.request(**request.arguments)
            wait = requests.wait_of(response.status_code, response.headers.get("Retry-After"))
            if wait is None or not tries_left:
                break
            time.sleep(wait)
        if response.is_error:
            raise self._failure(response.status_code, response.content)
        return cast("dict[str, Any]", response.json()) if response.content else {}

    def _listed(self, path: str, **wanted: str) -> Iterator[dict[str, Any]]:
        after = None
        while True:
            part = self._send(requests.listed(path, after, **wanted))
            yield from part["items"]
            after = part["next"]
            if not after:
                return

    def _events(self, request: Request) -> Iterator[tuple[str, dict[str, Any]]]:
        reader = EventReader()
        with self._reached(), self._http.stream(**request.arguments) as response:
            if response.is_error:
                raise self._failure(response.status_code, response.read())
            for line in response.iter_lines():
                if event := reader.read(line):
                    yield event

    def _failure(self, status: int, content: bytes) -> SeminarError:
        if status in requests.GATEWAY:
            return UnreachableError(
                f"{self._http.base_url}: the proxy reaches no replica ({status})"
            )
        return requests.failure(status, content)

    @contextmanager
    def _reached(self) -> Iterator[None]:
        try:
            yield
        except httpx2.TransportError as error:
            raise UnreachableError(
                f"{self._http.base_url} can't be reached ({type(error).__name__}: {error})"
            ) from error
