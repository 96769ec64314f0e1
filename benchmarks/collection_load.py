"""100 dialogs at once over sockets: is any action lost, and how long until the partner sees it?

    scripts/bench collection_load [--dialogs 100] [--turns 12] [--think 4] [--cuts 0.05]

A real server process with a study of QuAC in SQLite; each dialog is held by two scripted socket
clients that wait as people do. Some connections are cut after an action was sent and before it was
accepted: the client comes back, sends it again, and it must count once. Delivery is the time from
sending an action to the partner's client having a view that shows it. Beside it stand two figures
of the same time: the answer of the same server to a `ping`, which needs no disk, and a row that is
committed to another SQLite file beside it as safely, which needs no server.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

from benchmarks.results import write_result
from tests.collection.small_corpus import TIDE
from tests.collection.studies import write_study

SPAN = {"page": "tide", "start": TIDE.text.index("founded"), "end": TIDE.text.index("founded") + 7}
ANSWER = {"kind": "answer span", "span": SPAN, "continuation": "maybe", "affirmation": "neither"}


@dataclass
class Measured:
    """What all clients saw."""

    sent: dict[str, float] = field(default_factory=dict)  # by dialog and turn and kind
    delivery: list[float] = field(default_factory=list)
    accepted: list[float] = field(default_factory=list)
    pings: list[float] = field(default_factory=list)
    commits: list[float] = field(default_factory=list)
    cuts: int = 0
    acts: int = 0
    refused: list[str] = field(default_factory=list)
    endings: list[str] = field(default_factory=list)


class Client:
    """A worker in one role, who goes through one dialog."""

    def __init__(self, url: str, token: str, role: str, measured: Measured) -> None:
        self._url, self._token, self._role, self._measured = url, token, role, measured
        self._chance = random.Random(f"{token}{role}")
        self._socket: ClientConnection | None = None
        self._view: dict[str, Any] = {}
        self._seen = 0

    async def run(self, think: float, cuts: float) -> None:
        """Hold a dialog to its end."""
        await self._open()
        await self._send({"type": "enter", "role": self._role})
        while not (self._view and self._view["frame"]["ended"]):
            await self._receive()
            if self._view and self._view["frame"]["yours"] and not self._view["frame"]["ended"]:
                await asyncio.sleep(self._chance.uniform(0.5, 1.5) * think)
                await self._ping()
                await self._act(cuts)
        self._measured.endings.append(self._view["frame"]["ended"]["reason"])

    async def _open(self) -> None:
        address = self._url.replace("http", "ws") + "/api/v1/live"
        self._socket = await connect(address, max_size=2**22, open_timeout=60).__aenter__()
        await self._send({"type": "hello", "token": self._token})

    async def _send(self, message: dict[str, object]) -> None:
        assert self._socket is not None
        await self._socket.send(json.dumps(message))

    async def _receive(self) -> dict[str, Any]:
        assert self._socket is not None
        message: dict[str, Any] = json.loads(await self._socket.recv())
        if message["type"] == "view":
            self._note(message["view"])
        return message

    def _note(self, view: dict[str, Any]) -> None:
        """Keep a view, and how long what the partner did in it took."""
        self._view = view
        done = sum(turn["answered"] for turn in view["turns"]) + len(view["turns"])
        for number in range(self._seen + 1, done + 1):
            key = f"{view['frame']['dialog']}/{number}"
            mine = number % 2 == (self._role == "student")
            if not mine and key in self._measured.sent:
                self._measured.delivery.append(time.monotonic() - self._measured.sent[key])
        self._seen = max(self._seen, done)

    async def _ping(self) -> None:
        begun = time.monotonic()
        await self._send({"type": "ping"})
        while (await self._receive())["type"] != "pong":
            pass
        self._measured.pings.append(time.monotonic() - begun)

    async def _act(self, cuts: float) -> None:
        """Send the next action until it is accepted, perhaps over a cut connection."""
        identity = uuid.uuid4().hex
        action = ANSWER if self._role == "teacher" else {"kind": "ask", "question": "And then?"}
        dialog = self._view["frame"]["dialog"]
        message = {"type": "act", "dialog": dialog, "id": identity, "action": action}
        self._measured.sent[f"{dialog}/{self._seen + 1}"] = begun = time.monotonic()
        self._measured.acts += 1
        await self._send(message)
        cut = self._chance.random() < cuts
        if cut:
            assert self._socket is not None
            self._socket.transport.abort()
            self._measured.cuts += 1
            await self._open()
            await self._send(message)
        while True:
            answer = await self._receive()
            if answer["type"] in ("accepted", "refused") and answer["id"] == identity:
                break
        if answer["type"] == "refused":
            self._measured.refused.append(answer["detail"])
        elif not cut:
            self._measured.accepted.append(time.monotonic() - begun)


def quantiles(values: list[float]) -> dict[str, float]:
    """Milliseconds."""
    points = statistics.quantiles(values, n=100)
    chosen = {"p50": points[49], "p95": points[94], "p99": points[98], "max": max(values)}
    return {name: round(1000 * value, 1) for name, value in chosen.items()}


async def hold(url: str, arguments: argparse.Namespace, measured: Measured) -> None:
    """All dialogs at once."""
    async with httpx.AsyncClient(base_url=f"{url}/api/v1", timeout=120) as http:
        version = (await http.get("/study")).json()["consent_version"]
        tokens = []
        for _ in range(2 * arguments.dialogs):
            token = (await http.post("/join", json={})).json()["token"]
            headers = {"Authorization": f"Bearer {token}"}
            consent = {"version": version, "agreed": True}
            await http.post("/consent", json=consent, headers=headers)
            tokens.append(token)
    clients = [
        Client(url, token, ("student", "teacher")[number % 2], measured)
        for number, token in enumerate(tokens)
    ]
    runs = (client.run(arguments.think, arguments.cuts) for client in clients)
    await asyncio.wait_for(asyncio.gather(*runs), arguments.limit)


def commit(file: Path, measured: Measured, done: threading.Event) -> None:
    """Commit a row twice a second, as safely as a study does."""
    with closing(sqlite3.connect(file, isolation_level=None, timeout=60)) as database:
        for command in ("PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL"):
            database.execute(command)
        database.execute("CREATE TABLE rows (content TEXT)")
        while not done.wait(0.5):
            begun = time.monotonic()
            database.execute("INSERT INTO rows VALUES (?)", (500 * "x",))
            measured.commits.append(time.monotonic() - begun)


def stored(url: str, token: str) -> dict[str, int]:
    """What the server has at the end."""
    headers = {"Authorization": f"Bearer {token}"}
    records = httpx.get(f"{url}/api/v1/admin/exports/records", headers=headers, timeout=120).json()
    kept = [dialog for dialog in records["dialogs"] if dialog["kept"]]
    return {"dialogs": len(records["dialogs"]), "kept": len(kept), "turns": len(records["turns"])}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--dialogs", type=int, default=100)
    parser.add_argument("--turns", type=int, default=12)
    parser.add_argument("--think", type=float, default=4.0, help="seconds, on average")
    parser.add_argument("--cuts", type=float, default=0.05, help="share of actions")
    parser.add_argument("--limit", type=float, default=900.0, help="seconds for all of it")
    arguments = parser.parse_args()
    measured, before = Measured(), os.getloadavg()[0]
    with tempfile.TemporaryDirectory(prefix="seminar-load-") as name:
        options = f"[options]\nmost_turns = {arguments.turns}\n[times]\nidle = 600\n"
        file = write_study(Path(name), "quac", options)
        command = [sys.executable, "-m", "seminar", "collect", "serve", str(file), "--port", "0"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                url = server.stdout.readline().split()[-1].rstrip("/")
                token = server.stdout.readline().partition("token=")[2].strip()
                done = threading.Event()
                beside = threading.Thread(
                    target=commit, args=(Path(name) / "beside.sqlite", measured, done)
                )
                beside.start()
                begun = time.monotonic()
                try:
                    asyncio.run(hold(url, arguments, measured))
                finally:
                    done.set()
                    beside.join()
                seconds = time.monotonic() - begun
                found = stored(url, token)
            finally:
                server.terminate()
    delivery, pings = quantiles(measured.delivery), quantiles(measured.pings)
    commits = quantiles(measured.commits)
    write_result(
        "collection_load",
        {
            "dialogs": arguments.dialogs,
            "seconds": round(seconds),
            "actions": measured.acts,
            "connections cut": measured.cuts,
            "refused": len(measured.refused),
            "endings": {one: measured.endings.count(one) for one in set(measured.endings)},
            "stored": found,
            "actions lost": 2 * arguments.dialogs * arguments.turns - 2 * found["turns"],
            "delivery ms": delivery,
            "accepted ms": quantiles(measured.accepted),
            "ping ms": pings,
            "commit beside it ms": commits,
            "delivery p95 / ping p95": round(delivery["p95"] / pings["p95"], 2),
            "delivery p95 / commit p95": round(delivery["p95"] / commits["p95"], 2),
            "load average, before and after": [round(before, 1), round(os.getloadavg()[0], 1)],
        },
    )


if __name__ == "__main__":
    main()
