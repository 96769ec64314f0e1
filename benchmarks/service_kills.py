"""The service under load, killed (SIGKILL) at random moments: nothing acknowledged may be lost.

    scripts/bench service_kills [--kills 20] [--seconds 6] [--postgres-kills 5] [--seed 1]

A real server process over the example collection; clients ask in dialogues of their own and upload
files that are indexed. After each kill the database is compared with what the clients were told;
then the service is started again and they go on, repeating what they don't know the end of. Runs
with one process, with two workers (where in turn the whole service, one worker and the process
above the workers are killed), and over PostgreSQL where its binaries are installed.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import httpx
from sqlalchemy import select
from sqlalchemy.orm import Session

from benchmarks.results import write_result
from benchmarks.service_load import API, Told, converse, fill, without_followups
from benchmarks.service_process import EXAMPLES, START_SECONDS, Service, running
from seminar.serving.collections.queue import ACTIVE
from seminar.serving.storage.engines import open_engine
from seminar.serving.storage.schema import Job, StoredDialogue, StoredTurn
from tests.serving.postgres import is_installed, postgres_server

CLIENTS = 6
KINDS = {1: ("service",), 2: ("service", "worker", "parent")}  # what is killed in turn, by workers


@dataclass
class Tally:
    """What the kills found; the list of faults must be empty."""

    kills: dict[str, int] = field(default_factory=dict)
    jobs_interrupted: int = 0
    start_seconds: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def questions() -> list[str]:
    """The questions of the examples."""
    with (EXAMPLES / "questions.toml").open("rb") as file:
        return [one["question"] for one in tomllib.load(file)["question"]]


async def killed_often(
    service: Service, url: str, *, kills: Sequence[str], seconds: float, seed: int
) -> tuple[Told, Tally]:
    """Kill the service so many times while clients ask and upload, and compare after each."""
    told, tally = Told(), Tally()
    chance = random.Random(seed)
    limits = httpx.Limits(max_connections=2 * CLIENTS)
    async with httpx.AsyncClient(base_url=service.url, timeout=30, limits=limits) as client:
        [place] = (await client.get(f"{API}/collections")).json()["items"]
        await _indexed(client, place["id"])
        made = (await client.post(f"{API}/collections", json={"name": "Filled"})).json()["id"]
        tasks = [
            asyncio.create_task(converse(client, place["id"], questions(), told, seed=number))
            for number in range(CLIENTS)
        ]
        tasks.append(asyncio.create_task(fill(client, made, told)))
        for kind in kills:
            await asyncio.sleep(chance.uniform(0.5, seconds))
            ended = await asyncio.to_thread(service.kill, kind, chance)
            tally.kills[kind] = tally.kills.get(kind, 0) + 1
            tally.jobs_interrupted += check(url, told, tally)
            if ended:
                tally.start_seconds.append(await asyncio.to_thread(service.start))
        await asyncio.sleep(seconds)
        for task in tasks:
            task.cancel()
        for ended in await asyncio.gather(*tasks, return_exceptions=True):
            if not isinstance(ended, asyncio.CancelledError):
                tally.faults.append(f"a client ended: {ended!r}")
        await _check_files(client, made, told, tally)
    check(url, told, tally)
    tally.faults += told.faults
    return told, tally


def check(url: str, told: Told, tally: Tally) -> int:
    """Compare the database with what was told; the number of jobs that were running."""
    turns, dialogues, jobs = list(told.turns), list(told.dialogues), list(told.jobs)
    engine = open_engine(url)
    try:
        with Session(engine.execution_options(reads=True)) as session:
            stored = {
                (one.dialogue_id, one.number): one for one in session.scalars(select(StoredTurn))
            }
            known = set(session.scalars(select(StoredDialogue.id)))
            states = {one.id: (one.state, one.error) for one in session.scalars(select(Job))}
    finally:
        engine.dispose()
    tally.faults += [f"dialogue {one} is gone" for one in dialogues if one not in known]
    for turn in turns:
        row = stored.get((turn.dialogue, turn.number))
        if row is None:
            tally.faults.append(f"turn {turn.key} is gone")
        elif (row.key, row.question) != (turn.key, turn.question):
            tally.faults.append(f"turn {turn.key} is another one")
        elif without_followups(row.reply) != turn.reply:
            tally.faults.append(f"turn {turn.key} has another reply")
    tally.faults += _numbering(stored.values())
    failed = [f"job {one}: {error}" for one, (state, error) in states.items() if state == "failed"]
    tally.faults += failed
    if jobs and jobs[-1] not in states:
        tally.faults.append(f"job {jobs[-1]} is gone")
    return sum(state in ACTIVE[1:] for state, _ in states.values())


def _numbering(stored: Iterable[StoredTurn]) -> list[str]:
    """Dialogues whose turns are not numbered 1, 2, ... or have a question twice."""
    numbers: dict[str, list[int]] = {}
    keys: dict[str, list[str | None]] = {}
    for row in stored:
        numbers.setdefault(row.dialogue_id, []).append(row.number)
        keys.setdefault(row.dialogue_id, []).append(row.key)
    gaps = [
        f"dialogue {one} has the turns {sorted(found)}"
        for one, found in numbers.items()
        if sorted(found) != list(range(1, len(found) + 1))
    ]
    twice = [
        f"dialogue {one} has a question twice"
        for one, found in keys.items()
        if len(set(found)) != len(found)
    ]
    return gaps + twice


async def _indexed(client: httpx.AsyncClient, collection: str) -> dict[str, object]:
    """Wait until the newest job of a collection has ended."""
    last = time.monotonic() + START_SECONDS
    while time.monotonic() < last:
        shown = (await client.get(f"{API}/collections/{collection}")).json()
        if shown["job"] and shown["job"]["state"] not in ACTIVE:
            return dict(shown)
        await asyncio.sleep(0.2)
    raise SystemExit(f"the collection {collection} was not indexed")


async def _check_files(
    client: httpx.AsyncClient, collection: str, told: Told, tally: Tally
) -> None:
    """Every uploaded file is indexed in the end, without another request for it."""
    await _indexed(client, collection)
    found: dict[str, dict[str, int]] = {}
    after = ""
    while True:
        query = {"limit": 200, **({"after": after} if after else {})}
        page = await client.get(f"{API}/collections/{collection}/files", params=query)
        record = page.raise_for_status().json()
        found |= {one["path"]: one for one in record["items"]}
        if not (after := record["next"]):
            break
    if not told.jobs:
        tally.faults.append("no job was begun")
    for path, size in told.files.items():
        if path not in found or found[path]["size"] != size:
            tally.faults.append(f"file {path} is gone")
        elif not found[path]["passages"] and path != list(told.files)[-1]:
            tally.faults.append(f"file {path} is not indexed")


def run(
    workers: int, kills: int, seconds: float, seed: int, database: str = ""
) -> dict[str, object]:
    """What so many kills of a service found."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "state").mkdir()
        url = database or f"sqlite:///{folder / 'state' / 'service.sqlite'}"
        kinds = [KINDS[workers][at % len(KINDS[workers])] for at in range(kills)]
        with running(folder, workers=workers, database=database) as service:
            told, tally = asyncio.run(
                killed_often(service, url, kills=kinds, seconds=seconds, seed=seed)
            )
            errors = service.log().count("Traceback")
    return {
        "database": "postgresql" if database else "sqlite",
        "workers": workers,
        "kills": tally.kills,
        "clients": CLIENTS,
        "turns acknowledged": len(told.turns),
        "requests under way at a kill": told.lost,
        "refused": dict(told.refused),
        "repeats": told.repeats,
        "files acknowledged": len(told.files),
        "jobs interrupted": tally.jobs_interrupted,
        "median seconds to start": median(tally.start_seconds) if tally.start_seconds else None,
        "tracebacks in the log": errors,
        "faults": len(tally.faults),
        "kinds of faults": sorted(set(tally.faults))[:20],
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=6.0, help="at most, before a kill")
    parser.add_argument("--postgres-kills", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--name", default="service-kills", help="of the result's file")
    chosen = parser.parse_args()
    runs = [run(workers, chosen.kills, chosen.seconds, chosen.seed) for workers in (1, 2)]
    if is_installed() and chosen.postgres_kills:
        with postgres_server() as url:
            database = run(2, chosen.postgres_kills, chosen.seconds, chosen.seed, url)
        runs.append(database)
    write_result(chosen.name, {"runs": runs})
    return 1 if any(one["faults"] for one in runs) else 0


if __name__ == "__main__":
    sys.exit(main())
