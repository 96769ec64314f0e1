"""What 25.7 million and a billion passages take: a plan from measured costs per passage.

    scripts/bench capacity [--articles 150 600 1800] [--rate 10] [--p95 5] [--node-memory 32]
                           [--price-node 0 --price-disk 0 --price-build 0]

Wikispeedia's articles are indexed by the command itself, at several sizes; each index is then
searched by a new process. Counted are seconds of processor time, which other work on the machine
hardly changes, bytes on disk, and memory. A line through the sizes gives the costs per passage;
what lies beyond the largest measured size is extrapolated, and the plan says by how much. Needs
SEMINAR_DATA. Answers cost what benchmarks/results/serving.json has.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from itertools import islice
from pathlib import Path

import numpy as np

from benchmarks.indexing import questions_about, size_of, write_files
from benchmarks.queueing import expected, needed, quiet
from benchmarks.results import read_result, write_result
from seminar.assembly import create_index, open_index
from seminar.datasets.catalog import documents
from seminar.models.encoders.registry import load_encoder
from seminar.retrieval.hybrid import hybrid
from seminar.types import Document, Query

TARGETS = {"TopiOCQA's Wikipedia": 25_700_000, "a billion": 1_000_000_000}
ENCODER = "static"
SEARCHES = 100
HOURS = 730  # of a month
FREE_MEMORY = 0.7  # share of a node's memory that may be used
FREE_CORES = 0.7  # and of its cores
COMPACTION = 2.0  # an index on disk while it is rewritten, as a multiple of itself
GIB = 2**30


@dataclass(frozen=True)
class Measured:
    """One size: what the build and a search took."""

    passages: int
    build_cpu_seconds: float
    build_seconds: float
    build_memory: float  # bytes, of the largest process
    disk: int  # bytes
    search_cpu_ms: float  # median, of all threads
    search_memory: float  # bytes that a process has beyond one that has only loaded the encoder


@dataclass(frozen=True)
class Line:
    """A cost as `base + per passage * passages`, by least squares."""

    base: float
    per_passage: float

    @classmethod
    def through(cls, passages: Sequence[int], costs: Sequence[float]) -> Line:
        slope, base = np.polyfit(passages, costs, 1)
        return cls(float(base), float(slope))

    def at(self, passages: int) -> float:
        return max(0.0, self.base) + self.per_passage * passages


@dataclass(frozen=True)
class Wish:
    """What is asked of the service, and its nodes."""

    rate: float  # questions a second
    p95: float  # seconds
    node_cores: int
    node_memory: float  # bytes
    build_cores: int


@dataclass(frozen=True)
class Prices:
    """Of a node for an hour, a GB on disk for a month, and a core of the build for an hour."""

    node: float
    disk: float
    build: float


def growth(measured: Sequence[Measured]) -> dict[str, Line]:
    """The costs that grow with the passages."""
    sizes = [one.passages for one in measured]
    names = ("build_cpu_seconds", "disk", "search_memory")
    return {
        name: Line.through(sizes, [float(getattr(one, name)) for one in measured]) for name in names
    }


def search_exponent(searched: Sequence[tuple[int, float]]) -> float:
    """k of `time of a search = c * passages ** k`, of pairs of both; 0 where it does not grow."""
    sizes, taken = np.log(np.array(searched)).T
    return max(0.0, float(np.polyfit(sizes, taken, 1)[0]))


def searched_before() -> list[tuple[int, float]]:
    """Passages and milliseconds of a fused search (p50) at sizes that have an index of vectors."""
    grown = read_result("scale").get("growth", {}).get("lance", {})  # type: ignore[attr-defined]
    rows = list(grown.values())
    if len(rows) < 2:
        rows = read_result("indexing")["search"]  # type: ignore[assignment]
    return [(one["passages"], one["fused ms"]["p50"]) for one in rows]


def plan(
    passages: int,
    measured: Sequence[Measured],
    answer: Mapping[str, float],
    wish: Wish,
    exponent: float,
) -> dict[str, object]:
    """Nodes, memory, hours and disk for so many passages.

    A replica searches by itself where the index fits its memory; otherwise further nodes do, each
    of which has a part of the index.
    """
    lines, largest = growth(measured), measured[-1]
    search_ms = largest.search_cpu_ms * (passages / largest.passages) ** exponent
    memory = lines["search_memory"].at(passages)
    room = FREE_MEMORY * wish.node_memory
    parts = max(1, math.ceil(memory / room))
    replicas = needed(expected(search_ms / wish.node_cores, answer), wish.rate, wish.p95, seed=1)
    busy = wish.rate * search_ms / 1000 / wish.node_cores  # nodes that a part keeps busy
    searching = 0 if parts == 1 else parts * math.ceil(busy / FREE_CORES)
    disk = lines["disk"].at(passages)
    cpu_hours = lines["build_cpu_seconds"].at(passages) / 3600
    return {
        "passages": passages,
        "times the largest that was measured": round(passages / largest.passages),
        "index GB": round(disk / 1e9, 1),
        "disk GB, with room for compaction": round(COMPACTION * disk / 1e9, 1),
        "build, core hours": round(cpu_hours, 1),
        "build, hours": round(cpu_hours / wish.build_cores, 1),
        "memory of a search process, GiB": round(memory / GIB, 1),
        "parts, so that one fits a node": parts,
        "nodes that search": searching,
        "search, ms of a core": round(search_ms, 1),
        "replicas": replicas,
        "nodes": None if replicas is None else replicas + searching,
    }


def monthly(found: Mapping[str, object], prices: Prices) -> float | None:
    """`nodes * 730 * node + GB * disk`, in the currency of the prices, without the build."""
    nodes, disk = found["nodes"], found["disk GB, with room for compaction"]
    if not isinstance(nodes, int) or not isinstance(disk, float) or not any(astuple(prices)):
        return None
    return round(nodes * HOURS * prices.node + disk * prices.disk, 2)


# Measurement --------------------------------------------------------------------------------------


def measure(articles: Sequence[Document], work: Path) -> Measured:
    """Index articles and search them, each in a process of its own."""
    shutil.rmtree(work, ignore_errors=True)
    write_files(articles, work / "files")
    command = [sys.executable, "-m", "seminar", "index", str(work / "files")]
    command += ["--to", str(work / "index"), "--encoder", ENCODER]
    begun = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"indexing failed: {' '.join(command)}")
    seconds = time.perf_counter() - begun
    searching = [sys.executable, "-m", "benchmarks.capacity", "--search", str(work)]
    found = json.loads(subprocess.run(searching, check=True, capture_output=True).stdout)
    return Measured(
        found["passages"],
        build_cpu_seconds=used.ru_utime + used.ru_stime,
        build_seconds=seconds,
        build_memory=used.ru_maxrss * 1024.0,
        disk=size_of(work / "index"),
        search_cpu_ms=found["cpu ms"],
        search_memory=found["memory"],
    )


def search(work: Path) -> dict[str, float]:
    """Search an index: the processor time of each search, and the memory that it took."""
    encoder = load_encoder(ENCODER)
    encoder.encode(["warm"])
    _first_use(work, encoder)
    before = _resident()
    index = open_index(work / "index", encoder)
    retriever = hybrid(index, encoder)
    passages = [
        one for file in sorted(index.files())[:40] for one in index.file_passages(file, limit=50)
    ]
    taken = []
    for question in questions_about(passages, SEARCHES):
        begun = time.process_time()
        retriever.search([Query(question)], 10)
        taken.append(1000 * (time.process_time() - begun))
    return {
        "passages": index.count(),
        "cpu ms": round(float(np.median(taken[SEARCHES // 5 :])), 2),
        "memory": max(0.0, _resident() - before),
    }


def _first_use(work: Path, encoder: object) -> None:
    """Search a tiny index, so that the libraries are loaded before memory is compared."""
    tiny = create_index(work / "tiny", encoder)  # type: ignore[arg-type]
    hybrid(tiny, encoder).search([Query("When was it founded?")], 10)  # type: ignore[arg-type]


def _resident() -> float:
    """Bytes of this process in memory (Linux)."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return float(pages * os.sysconf("SC_PAGE_SIZE"))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--articles", type=int, nargs="+", default=[150, 600, 1800])
    parser.add_argument("--work", type=Path, default=Path(".seminar/bench/capacity"))
    parser.add_argument("--rate", type=float, default=10.0, help="questions a second")
    parser.add_argument("--p95", type=float, default=5.0, help="seconds for an answer")
    parser.add_argument("--node-cores", type=int, default=2)
    parser.add_argument("--node-memory", type=float, default=32.0, help="GiB")
    parser.add_argument("--build-cores", type=int, default=16)
    for name in ("node", "disk", "build"):
        parser.add_argument(f"--price-{name}", type=float, default=0.0)
    parser.add_argument("--keep", action="store_true", help="plan from what was measured before")
    parser.add_argument("--search", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    if chosen.search:
        print(json.dumps(search(chosen.search)))
        return 0
    earlier = read_result("capacity")
    if chosen.keep and earlier:
        measured = [Measured(**one) for one in earlier["measured"]]  # type: ignore[attr-defined]
    else:
        articles = list(islice(documents("wikispeedia"), max(chosen.articles)))
        measured = [measure(articles[:one], chosen.work) for one in sorted(chosen.articles)]
    wish = Wish(
        chosen.rate, chosen.p95, chosen.node_cores, chosen.node_memory * GIB, chosen.build_cores
    )
    prices = Prices(chosen.price_node, chosen.price_disk, chosen.price_build)
    write_result("capacity", report(measured, wish, prices))
    return 0


def report(measured: Sequence[Measured], wish: Wish, prices: Prices) -> dict[str, object]:
    """What was measured, the costs per passage, and the plans."""
    answer, _ = quiet()
    searched = searched_before()
    exponent = search_exponent(searched)
    plans = {
        name: plan(passages, measured, answer, wish, exponent) for name, passages in TARGETS.items()
    }
    formula = f"nodes * {HOURS} * price of a node hour + disk GB * price of a GB month"
    return {
        "measured": [asdict(one) for one in measured],
        "per passage": {name: asdict(line) for name, line in growth(measured).items()},
        "searches, ms by passages": searched,
        "search grows with passages to the power of": round(exponent, 3),
        "answer ms": answer,
        "wish": asdict(wish),
        "plans": plans,
        "cost a month": formula,
        "cost of a build": "core hours * price of a core hour",
        "prices": asdict(prices),
        "at these prices": {name: monthly(found, prices) for name, found in plans.items()},
    }


if __name__ == "__main__":
    sys.exit(main())
