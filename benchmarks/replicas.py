"""Several replicas of the service behind a proxy: a kill, a database restart and a partition.

    scripts/bench replicas [--replicas 3] [--clients 6] [--seconds 15] [--seed 1]

Each replica is a process on a host of its own (a network namespace), with nginx as deploy/ has it
in front and one PostgreSQL behind; the folder of files and indexes is shared. Clients ask without
end through the proxy and repeat with the same key what they don't know the end of. While they do, a
replica is killed (SIGKILL), the database crashes and comes back, and a replica loses every packet
to the database. After each, the database is compared with what the clients were told. Needs root,
iproute2, PostgreSQL 15 and nginx.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from sqlalchemy import text

from benchmarks.results import write_result
from benchmarks.service_kills import Tally, check, questions
from benchmarks.service_load import API, Told, converse
from benchmarks.service_process import EXAMPLES
from seminar.serving.storage.engines import open_engine
from tests.serving import hosts, postgres, proxies

PORT = 8642
START_SECONDS = 180.0
DOWN_SECONDS = 2.0  # of the database
OPTIONS = ("--encoder", "static", "--reader", "sentence", "--no-followups", "--without-accounts")


@dataclass
class Replica:
    """A process of the service on a host of its own."""

    host: hosts.Host
    folder: Path
    database: str
    process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"{self.host.front}:{PORT}"

    @property
    def log(self) -> Path:
        return self.folder / f"{self.host.front}.log"

    def start(self) -> None:
        state = ["--folder", str(self.folder / "state"), "--port", str(PORT)]
        serve = ["-m", "seminar", "serve", str(EXAMPLES / "collection"), *OPTIONS, *state]
        command = self.host.command(sys.executable, *serve, "--host", self.host.front)
        home = {"SEMINAR_HOME": str(self.folder / "home"), "SEMINAR_DATABASE": self.database}
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                command, stdout=log, stderr=log, env={**os.environ, **home}, start_new_session=True
            )

    def wait(self) -> float:
        """Wait until it is ready; the seconds that it took."""
        begun = time.monotonic()
        while self.problem() is not None:
            ended = self.process is None or self.process.poll() is not None
            if ended or time.monotonic() > begun + START_SECONDS:
                raise SystemExit(f"a replica is not ready: {self.log.read_text()[-3_000:]}")
            time.sleep(0.05)
        return time.monotonic() - begun

    def problem(self) -> str | None:
        """Why it is not ready."""
        try:
            answer = httpx.get(f"http://{self.address}/ready", timeout=30)
        except httpx.TransportError as error:
            return type(error).__name__
        return None if answer.is_success else str(answer.json()["detail"])

    def end(self, number: int = signal.SIGTERM) -> None:
        if self.process is not None and self.process.poll() is None:
            os.killpg(self.process.pid, number)
            self.process.wait(60)


@dataclass
class Setting:
    """Everything that runs: the database, the replicas and the proxy's address."""

    cluster: postgres.Cluster
    database: str
    replicas: list[Replica]
    url: str


@contextmanager
def running(count: int) -> Iterator[Setting]:
    """So many replicas, until the context is left."""
    with (
        tempfile.TemporaryDirectory() as name,
        hosts.networks() as net,
        postgres.postgres_cluster(net.back) as cluster,
    ):
        engine = open_engine(cluster.url).execution_options(isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.execute(text("CREATE DATABASE seminar"))
        engine.dispose()
        database = cluster.url.replace("/postgres", "/seminar")
        replicas = [Replica(net.add(), Path(name), database) for _ in range(count)]
        try:
            for replica in replicas:
                replica.start()
            for replica in replicas:
                replica.wait()
            with proxies.proxy([one.address for one in replicas]) as url:
                yield Setting(cluster, database, replicas, url)
        finally:
            for replica in replicas:
                replica.end()


@dataclass
class Phase:
    """What the clients saw while something was done."""

    name: str
    seconds: float
    turns: int
    refused: dict[str, int]
    lost: int  # connections that broke
    longest_gap: float  # seconds between two acknowledged turns
    more: dict[str, object] = field(default_factory=dict)


class Watch:
    """Notes how long no turn was acknowledged."""

    def __init__(self, told: Told) -> None:
        self._told = told
        self._turns, self._since, self._longest = 0, time.monotonic(), 0.0

    async def run(self) -> None:
        while True:
            self._look()
            await asyncio.sleep(0.02)

    def restart(self) -> None:
        self._turns, self._since, self._longest = len(self._told.turns), time.monotonic(), 0.0

    def longest(self) -> float:
        self._look()
        return max(self._longest, time.monotonic() - self._since)

    def _look(self) -> None:
        if len(self._told.turns) > self._turns:
            at = time.monotonic()
            self._longest = max(self._longest, at - self._since)
            self._turns, self._since = len(self._told.turns), at


async def faults(
    setting: Setting, *, clients: int, seconds: float, seed: int
) -> tuple[list[Phase], Told, Tally]:
    """All faults, one after the other, under the load of so many clients."""
    told, tally, phases = Told(), Tally(), []
    watch = Watch(told)
    limits = httpx.Limits(max_connections=2 * clients)
    async with httpx.AsyncClient(base_url=setting.url, timeout=60, limits=limits) as client:
        place = await _indexed(client)
        asking = [
            asyncio.create_task(converse(client, place, questions(), told, seed=seed + number))
            for number in range(clients)
        ]
        watching = asyncio.create_task(watch.run())
        for name, fault in FAULTS.items():
            begun, before, refused = time.monotonic(), len(told.turns), Counter(told.refused)
            lost = told.lost
            watch.restart()
            more = await fault(setting, seconds)
            found = dict(told.refused - refused)
            took, turns = time.monotonic() - begun, len(told.turns) - before
            phases.append(Phase(name, took, turns, found, told.lost - lost, watch.longest(), more))
            await asyncio.to_thread(check, setting.database, told, tally)
        for task in (*asking, watching):
            task.cancel()
        for ended in await asyncio.gather(*asking, watching, return_exceptions=True):
            if not isinstance(ended, asyncio.CancelledError):
                tally.faults.append(f"a client ended: {ended!r}")
    check(setting.database, told, tally)
    tally.faults += told.faults
    return phases, told, tally


async def nothing(setting: Setting, seconds: float) -> dict[str, object]:
    """For comparison."""
    await asyncio.sleep(seconds)
    return {}


async def kill(setting: Setting, seconds: float) -> dict[str, object]:
    """A replica ends without a word, and another one takes its place."""
    killed = setting.replicas[0]
    await asyncio.to_thread(killed.end, signal.SIGKILL)
    await asyncio.sleep(seconds)
    killed.start()
    return {"seconds until it was ready again": round(await asyncio.to_thread(killed.wait), 1)}


async def restart_database(setting: Setting, seconds: float) -> dict[str, object]:
    """The database crashes, is away for a while, and recovers from its log."""
    await asyncio.to_thread(setting.cluster.stop)
    await asyncio.sleep(DOWN_SECONDS)
    said = {await asyncio.to_thread(one.problem) for one in setting.replicas}
    await asyncio.to_thread(setting.cluster.start)
    begun = time.monotonic()
    for one in setting.replicas:
        await asyncio.to_thread(one.wait)
    ready = time.monotonic() - begun
    await asyncio.sleep(seconds)
    return {
        "seconds of downtime": DOWN_SECONDS,
        "what the replicas said meanwhile": sorted(map(str, said)),
        "seconds until all were ready": round(ready, 1),
    }


async def partition(setting: Setting, seconds: float) -> dict[str, object]:
    """A replica loses every packet to the database, then is connected again."""
    cut = setting.replicas[-1]
    cut.host.cut_off()
    begun = time.monotonic()
    said = await asyncio.to_thread(cut.problem)
    error_after = time.monotonic() - begun
    await asyncio.sleep(seconds)
    cut.host.connect()
    back = await asyncio.to_thread(cut.wait)
    await asyncio.sleep(seconds / 2)
    return {
        "what the replica said": said,
        "seconds until it said so": round(error_after, 1),
        "seconds until it was ready again": round(back, 1),
    }


FAULTS = {
    "nothing": nothing,
    "a replica killed": kill,
    "the database restarted": restart_database,
    "a replica cut off from the database": partition,
}


async def _indexed(client: httpx.AsyncClient) -> str:
    """The example collection, once it is indexed."""
    last = time.monotonic() + START_SECONDS
    while time.monotonic() < last:
        [place] = (await client.get(f"{API}/collections")).json()["items"]
        if place["job"] and place["job"]["state"] == "done":
            return str(place["id"])
        await asyncio.sleep(0.2)
    raise SystemExit("the collection was not indexed")


def missing() -> str:
    """What this machine lacks for it."""
    lacks = [
        reason
        for there, reason in (
            (hosts.are_possible(), hosts.MISSING),
            (postgres.is_installed(), postgres.MISSING),
            (proxies.is_installed(), proxies.MISSING),
        )
        if not there
    ]
    return "; ".join(lacks)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--replicas", type=int, default=3)
    parser.add_argument("--clients", type=int, default=6)
    parser.add_argument("--seconds", type=float, default=15.0, help="of each phase, at least")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    if missing():
        raise SystemExit(missing())
    with running(chosen.replicas) as setting:
        phases, told, tally = asyncio.run(
            faults(setting, clients=chosen.clients, seconds=chosen.seconds, seed=chosen.seed)
        )
        logged = sum(one.log.read_text().count("Traceback") for one in setting.replicas)
    write_result(
        "replicas",
        {
            "replicas": chosen.replicas,
            "clients": chosen.clients,
            "turns acknowledged": len(told.turns),
            "repeats": told.repeats,
            "phases": [
                {
                    "what": one.name,
                    "seconds": round(one.seconds, 1),
                    "turns acknowledged": one.turns,
                    "refused": one.refused,
                    "connections lost": one.lost,
                    "longest time without a turn": round(one.longest_gap, 1),
                    **one.more,
                }
                for one in phases
            ],
            "tracebacks in the logs": logged,
            "lost or changed": len(tally.faults),
            "faults": sorted(set(tally.faults))[:20],
        },
    )
    return 1 if tally.faults else 0


if __name__ == "__main__":
    sys.exit(main())
