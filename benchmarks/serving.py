"""The service under load: many dialogues at once, with batching beside without, and its overhead.

    scripts/bench serving --dialogues 200 --seconds 120

A real server process, `seminar serve` over the example collection; clients over loopback. Each
dialogue asks one question after another and waits for its follow-ups.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import socket
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import numpy as np

from benchmarks.results import write_result
from seminar.client import AsyncClient, Client
from seminar.errors import SeminarError
from seminar.session import open_session

EXAMPLES = Path(__file__).parent.parent / "examples"
FILES = EXAMPLES / "collection"
BATCH = 8
TURNS = 5  # of a dialogue, before it begins anew
START_SECONDS = 180
OVERHEAD_QUESTIONS = 40
MEMORY_SECONDS = 1.0


@dataclass(frozen=True)
class Server:
    """A running server, and the id of its only collection."""

    url: str
    process: int
    collection: str


@dataclass
class Load:
    """What the clients saw: seconds to the first stage, to the answer and to the whole turn."""

    searched: list[float] = field(default_factory=list)
    answered: list[float] = field(default_factory=list)
    done: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


@contextmanager
def server(
    folder: Path, *, batch: int = BATCH, followups: bool = False, reader: str = "span"
) -> Iterator[Server]:
    """`seminar serve` in a process of its own, indexed."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = folder / "service.toml"
    settings.write_text(f"largest_batch = {batch}\n")
    command = [sys.executable, "-m", "seminar", "serve", str(FILES), "--port", str(port)]
    options = ["--folder", str(folder / "state"), "--settings", str(settings)]
    extras = [
        "--encoder",
        "static",
        "--reader",
        reader,
        "--followups" if followups else "--no-followups",
    ]
    url = f"http://127.0.0.1:{port}"
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen([*command, *options, *extras], stdout=log, stderr=log)
    try:
        yield Server(url, process.pid, _indexed(url, process, folder / "log"))
    finally:
        process.terminate()
        process.wait()


def _indexed(url: str, process: subprocess.Popen[bytes], log: Path) -> str:
    """Wait until the collection is indexed, and ask once, which loads the models."""
    last = time.monotonic() + START_SECONDS
    while time.monotonic() < last and process.poll() is None:
        try:
            with Client(url) as client:
                [collection] = client.collections()
                if collection.record["version"]:
                    client.ask(client.begin(collection.id).id, "Who founded the observatory?")
                    return collection.id
        except (SeminarError, ValueError):
            pass
        time.sleep(0.25)
    raise SystemExit(f"the server did not start: {log.read_text()[-2_000:]}")


def questions() -> list[str]:
    """The questions of the examples."""
    with (EXAMPLES / "questions.toml").open("rb") as file:
        return [one["question"] for one in tomllib.load(file)["question"]]


async def load(at: Server, dialogues: int, seconds: float) -> tuple[Load, list[float]]:
    """Ask in so many dialogues at once; also the memory of the server, once a second."""
    seen, memory = Load(), []
    until = time.monotonic() + seconds
    async with AsyncClient(at.url, timeout=600, connections=dialogues) as client:
        talks = [_converse(client, at, seen, until, seed) for seed in range(dialogues)]
        asking = {asyncio.create_task(talk) for talk in talks}
        while asking:
            memory.append(_memory(at.process))
            _, asking = await asyncio.wait(asking, timeout=MEMORY_SECONDS)
    return seen, memory


async def _converse(client: AsyncClient, at: Server, seen: Load, until: float, seed: int) -> None:
    chosen = random.Random(seed)
    known = questions()
    while time.monotonic() < until:
        try:
            dialogue = await client.begin(at.collection)
            for _ in range(TURNS):
                if time.monotonic() < until:
                    await _ask(client, dialogue.id, chosen.choice(known), seen)
        except SeminarError as error:
            seen.errors.append(f"{type(error).__name__}: {error}")
            await asyncio.sleep(0.5)


async def _ask(client: AsyncClient, dialogue: str, question: str, seen: Load) -> None:
    begun = time.perf_counter()
    times = {"searched": seen.searched, "answer": seen.answered, "done": seen.done}
    async for stage in client.stages(dialogue, question):
        if stage.name in times:
            times[stage.name].append(time.perf_counter() - begun)


def _memory(process: int) -> float:
    """Resident megabytes (Linux)."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return round(int(line.split()[1]) / 1024, 1)
    return 0.0


def spread(seconds: Sequence[float]) -> dict[str, float]:
    """Milliseconds at the median and the 95th percentile."""
    if not seconds:
        return {}
    p50, p95 = np.percentile(1000 * np.array(seconds), [50, 95])
    return {"p50": round(float(p50), 1), "p95": round(float(p95), 1)}


def under_load(batch: int, *, dialogues: int, seconds: float, followups: bool) -> dict[str, object]:
    """Throughput, latency, errors and memory with batches of at most so many questions."""
    with (
        tempfile.TemporaryDirectory() as folder,
        server(Path(folder), batch=batch, followups=followups) as at,
    ):
        begun = time.monotonic()
        seen, memory = asyncio.run(load(at, dialogues, seconds))
        took = time.monotonic() - begun  # with the answers that were awaited at the end
        batches = httpx.get(f"{at.url}/metrics").text
    return {
        "largest batch": batch,
        "answers": len(seen.answered),
        "answers a second": round(len(seen.answered) / took, 3),
        "seconds": round(took, 1),
        "errors": len(seen.errors),
        "kinds of errors": sorted(set(seen.errors))[:5],
        "searched ms": spread(seen.searched),
        "answer ms": spread(seen.answered),
        "turn ms": spread(seen.done),
        "mean batch": _mean_batches(batches),
        "memory MiB": memory[:: max(1, len(memory) // 24)],
    }


def _mean_batches(metrics: str) -> dict[str, float]:
    """The mean size of the batches of each stage."""
    sums: dict[str, dict[str, float]] = {"sum": {}, "count": {}}
    for line in metrics.splitlines():
        for kind, values in sums.items():
            if line.startswith(f"seminar_batch_requests_{kind}{{"):
                stage = line.partition('stage="')[2].partition('"')[0]
                values[stage] = float(line.rpartition(" ")[2])
    count = sums["count"]
    return {stage: round(sums["sum"][stage] / count[stage], 2) for stage in count if count[stage]}


def overhead(asked: int, reader: str) -> dict[str, object]:
    """Milliseconds to the answer over HTTP beside those of `Session` in a process, by turns.

    The reader "sentence" takes so little that the rest is seen.
    """
    inside, outside = [], []
    with tempfile.TemporaryDirectory() as folder:
        session = open_session(FILES, encoder="static", reader=reader)
        session.ask_without_suggestions("Who founded the observatory?")
        with server(Path(folder), reader=reader) as at, Client(at.url) as client:
            for question in questions()[:asked]:
                session.reset()
                begun = time.perf_counter()
                session.ask_without_suggestions(question)
                inside.append(time.perf_counter() - begun)
                dialogue = client.begin(at.collection).id
                begun = time.perf_counter()
                for stage in client.stages(dialogue, question):
                    if stage.name == "answer":
                        outside.append(time.perf_counter() - begun)
    differences = np.array(outside) - np.array(inside)
    return {
        "questions": len(inside),
        "in process ms": spread(inside),
        "over HTTP ms": spread(outside),
        "median difference ms": round(float(np.median(1000 * differences)), 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dialogues", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--no-followups", action="store_true")
    parser.add_argument("--overhead", type=int, default=OVERHEAD_QUESTIONS, metavar="QUESTIONS")
    parser.add_argument("--name", default="serving", help="of the result's file")
    chosen = parser.parse_args()
    runs = [
        under_load(
            batch,
            dialogues=chosen.dialogues,
            seconds=chosen.seconds,
            followups=not chosen.no_followups,
        )
        for batch in (BATCH, 1)
    ]
    rates = [run["answers"] / run["seconds"] for run in runs]  # type: ignore[operator]
    result = {
        "dialogues": chosen.dialogues,
        "with batching": runs[0],
        "without": runs[1],
        "ratio": round(rates[0] / rates[1], 3) if rates[1] else None,
        "overhead": {name: overhead(chosen.overhead, name) for name in ("span", "sentence")},
    }
    write_result(chosen.name, json.loads(json.dumps(result)))


if __name__ == "__main__":
    main()
