"""Clients that ask and upload through kills of the service, and note what they were told.

A request that the connection lost is sent again with the same idempotency key. What a client has
received is acknowledged: the `answer` event of a turn, a reply with 200, 201 or 202.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx

API = "/api/v1"
TURNS = 8  # of a dialogue, before another one is begun
REPEATED = 0.15  # of turns that are asked for once more with their key
PARAGRAPHS = 60  # of an uploaded file
PAUSE = 0.1
BETWEEN_FILES = 0.5
BUSY = (409, 429, 502, 503, 504)  # statuses after which a client tries again

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """A turn as a client received it, without what is added to it later."""

    dialogue: str
    number: int
    key: str
    question: str
    reply: Record


@dataclass
class Told:
    """What all clients were told, and what they were refused."""

    dialogues: list[str] = field(default_factory=list)
    turns: list[Acknowledged] = field(default_factory=list)
    files: dict[str, int] = field(default_factory=dict)  # bytes by path
    jobs: list[str] = field(default_factory=list)
    repeats: int = 0
    lost: int = 0  # requests that were under way at a kill
    refused: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


async def persist(told: Told, send: Callable[[], Awaitable[Record | None]]) -> Record:
    """What a request gives, sent again until the service is there and not busy."""
    while True:
        try:
            found = await send()
            if found is not None:
                return found
            told.refused["ended without an answer"] += 1
        except httpx.HTTPStatusError as error:
            status = error.response.status_code
            told.refused[str(status)] += 1
            if status not in BUSY:
                request = error.request
                told.faults.append(f"{request.method} {request.url.path}: {status}")
        except httpx.ConnectError:
            pass  # it is being started again
        except httpx.TransportError:
            told.lost += 1
        await asyncio.sleep(PAUSE)


async def converse(
    client: httpx.AsyncClient,
    collection: str,
    questions: Sequence[str],
    told: Told,
    *,
    seed: int,
) -> None:
    """Ask without end; every other client has the stages streamed."""
    chance = random.Random(seed)
    ask = _streamed if seed % 2 else _plain

    async def begin() -> Record:
        response = await client.post(f"{API}/dialogues", json={"collection": collection})
        return dict(response.raise_for_status().json())

    while True:
        dialogue = str((await persist(told, begin))["id"])
        told.dialogues.append(dialogue)
        mine: list[Acknowledged] = []
        for number in range(1, TURNS + 1):
            question, key = chance.choice(questions), f"{dialogue} {number}"
            turn = await _asked(client, dialogue, question, key, told, ask)
            told.turns.append(turn)
            mine.append(turn)
            if chance.random() < REPEATED:
                before = chance.choice(mine)
                again = await _asked(client, dialogue, before.question, before.key, told, ask)
                told.repeats += 1
                if again != before:
                    told.faults.append(f"{before.key}: another turn when it was repeated")


async def _asked(
    client: httpx.AsyncClient,
    dialogue: str,
    question: str,
    key: str,
    told: Told,
    ask: Callable[[httpx.AsyncClient, str, str, str], Awaitable[Record | None]],
) -> Acknowledged:
    reply = await persist(told, lambda: ask(client, dialogue, question, key))
    number = int(reply.pop("number"))
    return Acknowledged(dialogue, number, key, question, without_followups(reply))


async def _plain(
    client: httpx.AsyncClient, dialogue: str, question: str, key: str
) -> Record | None:
    response = await client.post(
        f"{API}/dialogues/{dialogue}/turns",
        json={"question": question},
        headers={"Idempotency-Key": key},
    )
    turn = response.raise_for_status().json()
    return {**turn["reply"], "number": turn["number"]}


async def _streamed(
    client: httpx.AsyncClient, dialogue: str, question: str, key: str
) -> Record | None:
    """The data of the `answer` event; what comes after it is not waited for."""
    headers = {"Idempotency-Key": key, "Accept": "text/event-stream"}
    url = f"{API}/dialogues/{dialogue}/turns"
    async with client.stream("POST", url, json={"question": question}, headers=headers) as response:
        if response.is_error:
            await response.aread()
            response.raise_for_status()
        name = ""
        async for line in response.aiter_lines():
            if line.startswith("event: "):
                name = line.removeprefix("event: ")
            elif line.startswith("data: ") and name == "answer":
                return dict(json.loads(line.removeprefix("data: ")))
    return None


def without_followups(reply: Record) -> Record:
    """A reply as it was acknowledged: follow-ups come later."""
    return {name: value for name, value in reply.items() if name != "followups"}


async def fill(client: httpx.AsyncClient, collection: str, told: Told) -> None:
    """Upload a file after the other without end, and have each indexed."""

    async def index() -> Record:
        response = await client.post(f"{API}/collections/{collection}/index")
        return dict(response.raise_for_status().json())

    number = 0
    while True:
        number += 1
        path, content = f"{number}.md", text(number)

        async def upload(path: str = path, content: bytes = content) -> Record:
            return await _upload(client, collection, path, content)

        await persist(told, upload)
        told.files[path] = len(content)
        told.jobs.append(str((await persist(told, index))["id"]))
        await asyncio.sleep(BETWEEN_FILES)


async def _upload(client: httpx.AsyncClient, collection: str, path: str, content: bytes) -> Record:
    """Announce a file and send what the service does not have of it, in two chunks."""
    url = f"{API}/collections/{collection}/uploads"
    response = await client.post(url, json={"path": path, "size": len(content)})
    upload = response.raise_for_status().json()
    received, half = int(upload["received"]), len(content) // 2
    while received < len(content):
        end = half if received < half else len(content)
        response = await client.patch(
            f"{API}/uploads/{upload['id']}",
            headers={"Upload-Offset": str(received)},
            content=content[received:end],
        )
        received = int(response.raise_for_status().json()["received"])
    return {"path": path}


def text(number: int) -> bytes:
    """A file whose paragraphs are its own."""
    lines = [f"Ferry {number}.{at} leaves at {at % 24} o'clock." for at in range(PARAGRAPHS)]
    return (f"# Ferry {number}\n\n" + "\n\n".join(5 * f"{line} " for line in lines)).encode()
