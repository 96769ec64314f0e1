"""The client for programs with an event loop: the methods of `Client`, awaited."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
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


class AsyncClient:
    """A connection to a service for an event loop, with the methods of `Client`."""

    def __init__(
        self, url: str, *, token: str = "", timeout: float = 120.0, connections: int = 100
    ) -> None:
        self._http = httpx2.AsyncClient(**options(url, token, timeout, connections))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        await self._http.aclose()

    async def collections(self) -> AsyncIterator[Collection]:
        """The collections that one may read."""
        async for one in self._listed("/collections"):
            yield records.to_collection(one)

    async def create(self, name: str) -> Collection:
        """A new collection."""
        return records.to_collection(await self._send(requests.create(name)))

    async def upload(self, collection: str, path: str | Path) -> list[str]:
        """Upload a file, or the files of a folder; returns their paths in the collection."""
        files = requests.local_files(path)
        for file in files:
            upload = await self._send(requests.announce(collection, file))
            for offset, chunk in requests.chunks(file, upload["received"]):
                await self._send(requests.append(upload["id"], offset, chunk))
        return [file.name for file in files]

    async def index(self, collection: str) -> AsyncIterator[Job]:
        """Index what changed; yields the progress, and the job that has ended as the last."""
        job = await self._send(requests.index(collection))
        async for _, record in self._events(requests.follow(job["id"])):
            yield records.to_job(record)

    async def delete_collection(self, collection: str) -> None:
        await self._send(requests.delete("collections", collection))

    async def passages(
        self, collection: str, q: str, *, scope: str = "", limit: int = 10
    ) -> list[Hit]:
        """Search passages, best first."""
        found = await self._send(requests.passages(collection, q, scope, limit))
        return [records.to_hit(one) for one in found["items"]]

    async def source(self, collection: str, span: Span) -> Source:
        """The source around a span."""
        return records.to_source(await self._send(requests.source(collection, span)))

    async def dialogues(self, q: str = "", *, collection: str = "") -> AsyncIterator[Dialogue]:
        """One's dialogues, those changed last first; `q` searches questions and answers."""
        async for one in self._listed("/dialogues", q=q, collection=collection):
            yield records.to_dialogue(one)

    async def begin(self, collection: str, *, scope: str = "") -> Dialogue:
        """A new dialogue with a collection, or with a part of it."""
        return records.to_dialogue(await self._send(requests.begin(collection, scope)))

    async def dialogue(self, dialogue: str) -> Dialogue:
        """A dialogue with its turns."""
        return records.to_dialogue(await self._send(requests.show(dialogue)))

    async def fork(self, dialogue: str, number: int) -> Dialogue:
        """A new dialogue with the turns before a number."""
        return records.to_dialogue(await self._send(requests.fork(dialogue, number)))

    async def delete_dialogue(self, dialogue: str) -> None:
        await self._send(requests.delete("dialogues", dialogue))

    async def ask(self, dialogue: str, question: str) -> Turn:
        """Ask; sent again where the connection breaks, which never asks twice."""
        request = requests.ask(dialogue, question)
        for _ in range(requests.TRIES - 1):
            try:
                return records.to_turn(await self._send(request))
            except UnreachableError:
                await asyncio.sleep(requests.PAUSE)
        return records.to_turn(await self._send(request))

    async def stages(self, dialogue: str, question: str) -> AsyncIterator[Stage]:
        """Ask, and yield what was searched, the answer, follow-ups and the turn as they come.

        Sent again where the connection breaks, which never asks twice: the rest follows.
        """
        request, unseen = requests.ask(dialogue, question, stages=True), requests.Unseen()
        for tries_left in reversed(range(requests.TRIES)):
            try:
                async for name, record in self._events(request):
                    if unseen.has(name):
                        yield records.to_stage(cast("StageName", name), record)
                return
            except UnreachableError:
                if not tries_left:
                    raise
            unseen.again()
            await asyncio.sleep(requests.PAUSE)

    async def judge(
        self,
        dialogue: str,
        number: int,
        *,
        right: bool,
        span: Span | None = None,
        comment: str = "",
    ) -> None:
        """Say whether a turn is right, and which words would have been."""
        await self._send(requests.judge(dialogue, number, right=right, span=span, comment=comment))

    async def _send(self, request: Request) -> dict[str, Any]:
        for tries_left in reversed(range(requests.TRIES)):
            with self._reached():
                response = await self._http.request(**request.arguments)
            wait = requests.wait_of(response.status_code, response.headers.get("Retry-After"))
            if wait is None or not tries_left:
                break
            await asyncio.sleep(wait)
        if response.is_error:
            raise self._failure(response.status_code, response.content)
        return cast("dict[str, Any]", response.json()) if response.content else {}

    async def _listed(self, path: str, **wanted: str) -> AsyncIterator[dict[str, Any]]:
        after = None
        while True:
            part = await self._send(requests.listed(path, after, **wanted))
            for one in part["items"]:
                yield one
            after = part["next"]
            if not after:
                return

    async def _events(self, request: Request) -> AsyncIterator[tuple[str, dict[str, Any]]]:
        reader = EventReader()
        with self._reached():
            async with self._http.stream(**request.arguments) as response:
                if response.is_error:
                    raise self._failure(response.status_code, await response.aread())
                async for line in response.aiter_lines():
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
