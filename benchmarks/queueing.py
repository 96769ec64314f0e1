"""How long askers wait: a simulation of load against replicas, checked against real replicas.

    scripts/bench queueing [--questions 60] [--replicas 1 2] [--loads 0.5 0.8] [--seed 1]

A replica searches with one thread and reads with another, each in the order of arrival: two queues
in a row, without batches. The proxy gives a question to the replica with the fewest open ones.
Questions come at random (Poisson). In the check real replicas behind nginx, over PostgreSQL, are
asked so, and the simulation is run with the same times of arrival and with service times drawn
from those that the replicas themselves noted in that run. What a question takes besides (HTTP,
rights, storing) is measured before, and is one more queue: a process runs Python in one thread at a
time.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import numpy as np
from numpy.typing import NDArray

from benchmarks.results import read_result, write_result
from benchmarks.service_load import API
from benchmarks.service_process import Service
from tests.serving import postgres, proxies

STAGES = ("search", "answer")
QUESTIONS = ("When was the choir founded?", "How much is admission?", "When does the ferry leave?")
CALIBRATION = 20  # questions that are asked one after the other first
COUNTS, SHARES = (1, 2, 4, 8), (0.5, 0.7, 0.8, 0.9, 0.95)  # of the simulation
SIMULATED = 20_000  # questions of a simulation
WARM = 0.1  # share of a simulation's questions that is left out, until the queues are filled

Seconds = NDArray[np.float64]


@dataclass(frozen=True)
class Replicas:
    """So many replicas; each has one server for every stage of a question."""

    count: int

    def responses(self, arrivals: Seconds, services: Seconds) -> Seconds:
        """Seconds from each arrival to the end; `services` has a row a question, a column a stage.

        A question goes to the replica with the fewest open ones, and by turns among equal ones.
        """
        free = np.zeros((self.count, services.shape[1]))
        ends: list[list[float]] = [[] for _ in range(self.count)]
        found, turn = np.empty(len(arrivals)), 0
        for number, (at, stages) in enumerate(zip(arrivals, services, strict=True)):
            ends = [[end for end in open_ones if end > at] for open_ones in ends]
            order = [(turn + step) % self.count for step in range(self.count)]
            chosen = min(order, key=lambda replica: len(ends[replica]))
            turn = (chosen + 1) % self.count
            now = float(at)
            for stage, seconds in enumerate(stages):
                now = max(now, free[chosen, stage]) + seconds
                free[chosen, stage] = now
            ends[chosen].append(now)
            found[number] = now - at
        return found


def poisson(rate: float, count: int, chance: np.random.Generator) -> Seconds:
    """Times of arrival of so many questions, at a mean rate a second."""
    return np.cumsum(chance.exponential(1 / rate, count))


def quantiles(seconds: Seconds) -> dict[str, float]:
    named = {"mean": float(seconds.mean())}
    named |= {f"p{share}": float(np.percentile(seconds, share)) for share in (50, 95)}
    return {name: round(value, 3) for name, value in named.items()}


def drawn(services: Seconds, count: int, chance: np.random.Generator) -> Seconds:
    """Service times drawn from measured ones, with the stages of a question kept together."""
    return services[chance.integers(0, len(services), count)]


def expected(search_ms: float, answer: Mapping[str, float], count: int = 5_000) -> Seconds:
    """Service times of search and answer; answers as a log-normal with a measured p50 and p95."""
    spread = math.log(answer["p95"] / answer["p50"]) / 1.645  # of the normal's 95th percentile
    chance = np.random.default_rng(1)
    answers = chance.lognormal(math.log(answer["p50"] / 1000), spread, count)
    return np.stack([np.full(count, search_ms / 1000), answers], axis=1)


def curve(
    services: Seconds, replicas: Sequence[int], loads: Sequence[float], seed: int
) -> list[dict[str, object]]:
    """Response times of so many replicas at shares of what they can do at most."""
    rows: list[dict[str, object]] = []
    for count in replicas:
        most = count / float(services.mean(axis=0).max())  # the slower stage bounds it
        for load in loads:
            chance = np.random.default_rng(seed)
            arrivals = poisson(load * most, SIMULATED, chance)
            found = Replicas(count).responses(arrivals, drawn(services, SIMULATED, chance))
            kept = found[int(WARM * SIMULATED) :]
            row = {"replicas": count, "load": load, "questions a second": round(load * most, 2)}
            rows.append({**row, "seconds": quantiles(kept)})
    return rows


def needed(services: Seconds, rate: float, p95: float, seed: int, most: int = 1_000) -> int | None:
    """The fewest replicas whose p95 is at most so many seconds at a rate of questions a second."""
    least = max(1, int(np.ceil(rate * float(services.mean(axis=0).max()))))
    for count in range(least, most + 1):
        chance = np.random.default_rng(seed)
        arrivals = poisson(rate, SIMULATED, chance)
        found = Replicas(count).responses(arrivals, drawn(services, SIMULATED, chance))
        if np.percentile(found[int(WARM * SIMULATED) :], 95) <= p95:
            return count
        if float(services.sum(axis=1).max()) > p95 and count > 4 * least:
            return None  # a question alone takes longer, whatever the number
    return None


def quiet() -> tuple[dict[str, float], float]:
    """Milliseconds of an answer (p50, p95) and of a search (p50), measured on a quiet machine."""
    served, searched = read_result("serving")["overhead"], read_result("indexing")["search"]
    return served["span"]["in process ms"], searched[0]["fused ms"]["p50"]  # type: ignore[index]


# The check against real replicas ------------------------------------------------------------------


@contextmanager
def real(count: int, folder: Path) -> Iterator[tuple[list[Service], str]]:
    """So many replicas over one state, and the address of the proxy in front of them."""
    settings = folder / "service.toml"
    settings.write_text("largest_batch = 1\n", encoding="utf-8")
    options = ("--settings", str(settings))
    with postgres.postgres_server() as url:
        services = [Service(folder, database=url, options=options) for _ in range(count)]
        try:
            for service in services:
                service.start()
            with proxies.proxy([one.url.removeprefix("http://") for one in services]) as address:
                yield services, address
        finally:
            for service in services:
                service.stop()


@dataclass(frozen=True)
class Noted:
    """What replicas noted of a stage, without waiting: runs by their upper bound, and seconds."""

    runs: Mapping[float, float]
    seconds: float

    def since(self, earlier: Noted) -> Noted:
        """What was noted between two moments."""
        runs = {bound: count - earlier.runs[bound] for bound, count in self.runs.items()}
        return Noted(runs, self.seconds - earlier.seconds)

    @property
    def mean(self) -> float:
        return self.seconds / sum(self.runs.values())

    def draw(self, count: int, chance: np.random.Generator) -> Seconds:
        """Times between the bounds, in the proportion that was noted, with the mean of all."""
        bounds = sorted(self.runs)
        lower = np.array([0.0, *bounds[:-1]])
        upper = np.array([*bounds[:-1], 2 * bounds[-2]])  # the last bound is infinite
        share = np.array([self.runs[bound] for bound in bounds])
        chosen = chance.choice(len(bounds), count, p=share / share.sum())
        found = chance.uniform(lower[chosen], upper[chosen])
        return np.asarray(found * self.mean / found.mean())


def noted(services: Sequence[Service]) -> dict[str, Noted]:
    """What all replicas have noted so far, by stage."""
    texts = [httpx.get(f"{one.url}/metrics", timeout=60).text for one in services]
    return {stage: _noted("\n".join(texts), stage) for stage in STAGES}


def _noted(text: str, stage: str) -> Noted:
    upto: Counter[float] = Counter()
    pattern = rf'^seminar_batch_seconds_bucket{{le="(\S+)",stage="{stage}"}} (\S+)$'
    for bound, count in re.findall(pattern, text, re.MULTILINE):
        upto[float(bound)] += float(count)  # type: ignore[assignment]
    bounds = sorted(upto)
    runs = np.diff([0.0, *(upto[bound] for bound in bounds)])
    sums = rf'^seminar_batch_seconds_sum{{stage="{stage}"}} (\S+)$'
    return Noted(
        dict(zip(bounds, map(float, runs), strict=True)),
        sum(map(float, re.findall(sums, text, re.MULTILINE))),
    )


async def asked(url: str, arrivals: Seconds) -> tuple[Seconds, Seconds]:
    """Ask at these times, each in a dialogue of its own: the stages' seconds, and those in all."""
    async with httpx.AsyncClient(base_url=url, timeout=300) as client:
        [place] = (await client.get(f"{API}/collections")).json()["items"]
        while place["job"]["state"] != "done":
            await asyncio.sleep(0.2)
            [place] = (await client.get(f"{API}/collections")).json()["items"]
        made = [
            (await client.post(f"{API}/dialogues", json={"collection": place["id"]})).json()["id"]
            for _ in arrivals
        ]
        begun = time.monotonic()

        async def ask(number: int) -> tuple[list[float], float]:
            await asyncio.sleep(max(0.0, begun + arrivals[number] - time.monotonic()))
            sent = time.monotonic()
            question = {"question": QUESTIONS[number % len(QUESTIONS)]}
            path = f"{API}/dialogues/{made[number]}/turns"
            turn = (await client.post(path, json=question)).raise_for_status().json()
            stages = turn["reply"]["stages"]
            return [stages[stage] for stage in STAGES], time.monotonic() - sent

        if np.any(arrivals):
            found = await asyncio.gather(*map(ask, range(len(arrivals))))
        else:
            found = [await ask(number) for number in range(len(arrivals))]
    return np.array([one for one, _ in found]), np.array([seconds for _, seconds in found])


def check(count: int, loads: Sequence[float], questions: int, seed: int) -> dict[str, object]:
    """Real replicas at shares of what they can do, beside the simulation of the same minutes."""
    rows: list[dict[str, object]] = []
    with tempfile.TemporaryDirectory() as name, real(count, Path(name)) as (services, url):
        asyncio.run(asked(url, np.zeros(count * len(QUESTIONS))))  # models and indexes are loaded
        for load in loads:
            alone, whole = asyncio.run(asked(url, np.zeros(CALIBRATION)))
            outside = float(np.mean(whole - alone.sum(axis=1)))  # HTTP, rights, storing
            most = count / float(alone.mean(axis=0).max())
            chance = np.random.default_rng(seed)
            arrivals = poisson(load * most, questions, chance)
            before = noted(services)
            _, measured = asyncio.run(asked(url, arrivals))
            during = {name: one.since(before[name]) for name, one in noted(services).items()}
            runs = []
            for _ in range(200):
                stages = [during[stage].draw(questions, chance) for stage in STAGES]
                rest = np.full(questions, outside)
                times = np.stack([rest, *stages], axis=1)
                runs.append(Replicas(count).responses(arrivals, times))
            simulated = np.concatenate(runs)
            slowest = max(one.mean for one in during.values())
            real_rate = slowest * questions / float(arrivals[-1]) / count
            rows.append(
                {
                    "load that was aimed at": load,
                    "load": round(real_rate, 2),
                    "questions a second": round(questions / float(arrivals[-1]), 2),
                    "service ms": {name: round(1000 * one.mean, 1) for name, one in during.items()},
                    "outside ms": round(1000 * outside, 1),
                    "measured seconds": quantiles(measured),
                    "simulated seconds": quantiles(simulated),
                    "simulated / measured": {
                        key: round(quantiles(simulated)[key] / value, 2)
                        for key, value in quantiles(measured).items()
                    },
                }
            )
    return {"replicas": count, "questions": questions, "loads": rows}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--questions", type=int, default=60, help="of each load")
    parser.add_argument("--replicas", type=int, nargs="+", default=[1, 2], help="real ones")
    parser.add_argument("--loads", type=float, nargs="+", default=[0.5, 0.8])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true", help="keep the checks of before")
    chosen = parser.parse_args(arguments)
    if chosen.keep:
        checks = read_result("queueing")["checks"]
    else:
        checks = [
            check(one, chosen.loads, chosen.questions, chosen.seed) for one in chosen.replicas
        ]
    [answer, search_ms] = quiet()
    simulated = curve(expected(search_ms, answer), COUNTS, SHARES, chosen.seed)
    service = {"search ms": search_ms, "answer ms": answer}
    write_result("queueing", {"checks": checks, "service": service, "simulated": simulated})
    return 0


if __name__ == "__main__":
    sys.exit(main())
