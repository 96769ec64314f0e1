"""Growth of an index with its passages, engine by engine: build, size, memory, latency, recall.

    scripts/bench scale                                    0.1 and 1 million passages, every engine
    scripts/bench scale --sizes 100000 --engines lance s3  needs SEMINAR_DATA

The passages are made of sentences of the Wikispeedia articles, each of several articles, so that
words and lengths are those of real text and no passage is there twice. Recall is that of the
vector search against an exact search over the same vectors. Each measurement is a process of its
own, whose memory is measured; results are added to those that are there. S3 is moto's server on
loopback in another process: its latency is that of the server, not of a network.

Then the plan for more passages and for load is made (`benchmarks.queueing`, `benchmarks.capacity`),
which can also be run by themselves; `--growth-only` leaves it out.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.results import peak_memory_mib, read_result, write_result
from seminar.assembly import create_index
from seminar.datasets.catalog import documents
from seminar.index_url import IndexUrl, Place, parse_index_url
from seminar.ingestion.passages import split
from seminar.models.encoders.registry import load_encoder
from seminar.protocols import Encoder, Retriever
from seminar.retrieval.dense import Dense
from seminar.retrieval.file_index import FileIndex, IndexedFile
from seminar.retrieval.hybrid import hybrid
from seminar.retrieval.lexical import Lexical
from seminar.types import Matrix, Passage, Query

NAME = "scale"
PLANS = ("queueing", "capacity")
BATCH = 5_000
PUBLISHED = 50_000  # passages after which the writer publishes
PARTS = 100  # scopes of equal size, of which the filtered search takes one
QUERIES = 200
NEAREST = 20
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


class Corpus:
    """Passages of the sentences of real articles, the same for the same number."""

    def __init__(self) -> None:
        found = [one for article in documents("wikispeedia") for one in split(article)]
        self._templates = [one for one in found if len(one.text.split()) >= 10]
        self._sentences = [
            sentence
            for one in self._templates
            for sentence in _SENTENCE_END.split(one.text)
            if 4 <= len(sentence.split()) <= 60
        ]

    def batches(self, count: int) -> Iterator[list[Passage]]:
        for start in range(0, count, BATCH):
            yield [self.passage(number) for number in range(start, min(start + BATCH, count))]

    def passage(self, number: int) -> Passage:
        """As many sentences as the template has, each from anywhere."""
        chance = random.Random(number)
        template = self._templates[number % len(self._templates)]
        length = len(template.text)
        text = chance.choice(self._sentences)
        while len(text) < length:
            text += " " + chance.choice(self._sentences)
        source = f"part-{number % PARTS}/{number // 20}.html"
        start = 1_000 * (number % 20)
        return replace(
            template,
            source=source,
            scope=source,
            start=start,
            end=start + len(text),
            text=text,
            links=(),
            lines=(),
        )

    def questions(self, count: int) -> list[str]:
        """Questions of a title and four words of a passage among the first."""
        chance = random.Random(7)
        chosen = [self.passage(chance.randrange(20_000)) for _ in range(count)]
        return [
            f"What of {one.title}: {' '.join(chance.sample(one.text.split(), 4))}?"
            for one in chosen
        ]


class Exact:
    """The nearest passages to each of some vectors, over all that were seen."""

    def __init__(self, queries: Matrix) -> None:
        self._queries = queries
        self._best: list[list[tuple[float, str]]] = [[] for _ in queries]

    def see(self, passages: Sequence[Passage], vectors: Matrix) -> None:
        scores = self._queries @ vectors.T  # (queries, passages)
        for best, row in zip(self._best, scores, strict=True):
            top = np.argpartition(-row, min(NEAREST, len(row) - 1))[:NEAREST]
            best += [(-float(row[at]), passages[at].id) for at in top]
            best.sort()
            del best[NEAREST:]

    def recall(self, rankings: Sequence[Sequence[str]]) -> float:
        shares = [
            len({id for _, id in best} & set(ranking)) / len(best)
            for best, ranking in zip(self._best, rankings, strict=True)
        ]
        return round(statistics.mean(shares), 4)


@contextmanager
def folder(work: Path) -> Iterator[Place]:
    yield work / "index"


@contextmanager
def s3(work: Path) -> Iterator[Place]:
    from tests.s3_server import storage

    with storage() as server:
        yield server.new_place()


@contextmanager
def milvus_lite(work: Path) -> Iterator[Place]:
    yield parse_index_url(f"milvus://{work}/index.db/passages")


ENGINES: dict[str, Callable[[Path], object]] = {
    "lance": folder,
    "s3": s3,
    "milvus-lite": milvus_lite,
}
LARGEST = {"milvus-lite": 100_000}  # it keeps its words in Python's memory


def size_of(place: Place) -> float | None:
    """MiB of the files of an index, and None where they are not files of this machine."""
    if isinstance(place, IndexUrl) and place.scheme == "milvus":
        place = Path(place.parts.path).parent
    if not isinstance(place, Path):
        return stored_objects(place)
    return round(sum(p.stat().st_size for p in place.rglob("*") if p.is_file()) / 2**20, 1)


def stored_objects(place: Place) -> float | None:
    """MiB of the objects below the URL of an index on S3."""
    if not str(place).startswith("s3://"):
        return None
    from pyarrow import fs

    endpoint = os.environ["AWS_ENDPOINT_URL"].removeprefix("http://")
    files = fs.S3FileSystem(endpoint_override=endpoint, scheme="http", region="us-east-1")
    found = files.get_file_info(fs.FileSelector(str(place)[len("s3://") :], recursive=True))
    return round(sum(one.size for one in found if one.is_file) / 2**20, 1)


def build(index: FileIndex, encoder: Encoder, corpus: Corpus, count: int, exact: Exact) -> float:
    """Fill an index; the seconds of writing and indexing, without making and encoding passages."""
    seconds, written = 0.0, 0
    begun = time.perf_counter()
    with index.writer(timeout=60) as writer:
        seconds += time.perf_counter() - begun
        for number, batch in enumerate(corpus.batches(count)):
            vectors = encoder.encode([one.searched for one in batch])
            exact.see(batch, vectors)
            written += len(batch)
            begun = time.perf_counter()
            writer.add([IndexedFile(str(number), "1", tuple(batch))], vectors)
            if written % PUBLISHED == 0:
                writer.publish()
            seconds += time.perf_counter() - begun
        begun = time.perf_counter()
    return seconds + time.perf_counter() - begun


def latencies(retriever: Retriever, queries: Sequence[Query]) -> dict[str, float]:
    """Milliseconds of one search at a time, after some to warm up."""
    retriever.search(list(queries[:10]), 10)
    taken = []
    for query in queries:
        begun = time.perf_counter()
        retriever.search([query], 10)
        taken.append(1_000 * (time.perf_counter() - begun))
    cuts = statistics.quantiles(taken, n=20)
    return {"p50": round(cuts[9], 1), "p95": round(cuts[18], 1)}


def measure(place: Place, count: int, queries: int) -> dict[str, object]:
    encoder = load_encoder("static")
    corpus = Corpus()
    questions = corpus.questions(queries)
    vectors = encoder.encode(questions)
    exact = Exact(vectors)
    index = create_index(place, encoder)
    cpu = time.process_time()
    seconds = build(index, encoder, corpus, count, exact)
    memory = peak_memory_mib()
    asked = [Query(one, vector=vector) for one, vector in zip(questions, vectors, strict=True)]
    within = [replace(query, scope=f"part-{n % PARTS}") for n, query in enumerate(asked)]
    near = index.search_vector(asked, NEAREST)
    return {
        "passages": index.count(),
        "build seconds": round(seconds, 1),
        "CPU seconds with making and encoding": round(time.process_time() - cpu, 1),
        "index MiB": size_of(place),
        "peak RSS MiB": memory,
        "words ms": latencies(Lexical(index), asked),
        "vectors ms": latencies(Dense(index, encoder), asked),
        "fused ms": latencies(hybrid(index, encoder), asked),
        "filtered ms": latencies(hybrid(index, encoder), within),
        f"recall@{NEAREST} of vectors": exact.recall(
            [[hit.passage.id for hit in ranking] for ranking in near]
        ),
        "load average": round(os.getloadavg()[0], 1),
    }


def measure_alone(engine: str, count: int, queries: int) -> dict[str, object]:
    """One measurement in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.scale", "--one", engine, str(count)]
    done = subprocess.run(
        [*command, "--queries", str(queries)], stdout=subprocess.PIPE, check=True, text=True
    )
    return dict(json.loads(done.stdout.splitlines()[-1]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[100_000, 1_000_000])
    parser.add_argument("--engines", nargs="+", choices=ENGINES, default=list(ENGINES))
    parser.add_argument("--queries", type=int, default=QUERIES)
    parser.add_argument("--growth-only", action="store_true", help="make no plan")
    parser.add_argument("--one", nargs=2, metavar=("ENGINE", "SIZE"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        engine, size = options.one
        work = Path(tempfile.mkdtemp(prefix="seminar-scale-"))
        try:
            with ENGINES[engine](work) as place:  # type: ignore[attr-defined]
                print(json.dumps(measure(place, int(size), options.queries)))
        finally:
            shutil.rmtree(work)
        return
    result = read_result(NAME)
    growth = dict(result.get("growth", {}))  # type: ignore[call-overload]
    for engine in options.engines:
        for size in [one for one in options.sizes if one <= LARGEST.get(engine, one)]:
            measured = measure_alone(engine, size, options.queries)
            growth[engine] = {**growth.get(engine, {}), str(size): measured}
            write_result(NAME, {**result, "growth": growth})
    if not options.growth_only:
        for plan in PLANS:
            subprocess.run([sys.executable, "-m", f"benchmarks.{plan}"], check=True)


if __name__ == "__main__":
    main()
