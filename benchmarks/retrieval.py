"""Retrieval quality: recall of the gold passage by words, by each encoder, and fused.

    scripts/bench retrieval                      both tasks, all questions
    scripts/bench retrieval --tune --limit 1000  fusion weights, on questions kept for tuning

Needs SEMINAR_DATA. Indexes are kept in the --work folder, so that a stopped run goes on.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from pathlib import Path

import bm25s

from benchmarks.corpora import TASKS, TUNING, Task
from benchmarks.results import progress, read_result, write_result
from seminar.assembly import create_index
from seminar.models.encoders.registry import ENCODERS, load_encoder
from seminar.protocols import Encoder, Retriever
from seminar.retrieval.dense import Dense
from seminar.retrieval.file_index import FileIndex, IndexedFile
from seminar.retrieval.fusion import Fused
from seminar.retrieval.hybrid import DENSE_WEIGHTS, RANK_CONSTANT
from seminar.retrieval.lexical import Lexical
from seminar.types import Hit, Query

CUTOFFS = (1, 5, 20)
DEPTH = 50
BATCH = 4_096
TRIALS = [(constant, weight) for constant in (5, 20, 60) for weight in (0.2, 0.3, 0.5, 0.7, 1.0)]

Rankings = list[list[Hit]]


def index(task: Task, encoder: Encoder, folder: Path) -> FileIndex:
    """The task's passages in an index, batch by batch; what a stopped run had done is kept."""
    store = create_index(folder, encoder)
    complete = store.count() == len(task.passages)
    starts = [] if complete else range(0, len(task.passages), BATCH)
    done = store.files()
    with store.writer() as writer:  # leaving it also indexes what a stopped run had only added
        for start in progress([at for at in starts if str(at) not in done], task.name):
            batch = tuple(task.passages[start : start + BATCH])
            vectors = encoder.encode([passage.searched for passage in batch])
            writer.add([IndexedFile(str(start), "1", batch)], vectors)
            writer.publish()
    return store


def rank(retriever: Retriever, questions: Sequence[str], label: str) -> Rankings:
    rankings: Rankings = []
    for start in progress(range(0, len(questions), 64), label):
        queries = [Query(question) for question in questions[start : start + 64]]
        rankings += retriever.search(queries, DEPTH)
    return rankings


def rank_bm25s(task: Task, k1: float, b: float) -> Rankings:
    """The peer: bm25s over the same text, with its own English stop words and no stemming."""
    texts = [passage.searched for passage in task.passages]
    peer = bm25s.BM25(k1=k1, b=b)
    peer.index(bm25s.tokenize(texts, stopwords="en", show_progress=False), show_progress=False)
    asked = bm25s.tokenize(task.questions, stopwords="en", show_progress=False)
    found, scores = peer.retrieve(asked, k=DEPTH, show_progress=False)
    return [
        [Hit(task.passages[at], float(score)) for at, score in zip(row, values, strict=True)]
        for row, values in zip(found, scores, strict=True)
    ]


def recall(rankings: Rankings, gold: Sequence[str]) -> dict[str, float]:
    """The share of questions whose gold passage is among the first k, in percent."""
    ids = [[hit.passage.id for hit in ranking] for ranking in rankings]
    found = {k: sum(g in row[:k] for row, g in zip(ids, gold, strict=True)) for k in CUTOFFS}
    return {f"R@{k}": round(100 * count / len(ids), 2) for k, count in found.items()}


def rankings_of(task: Task, work: Path, encoders: Sequence[str]) -> dict[str, Rankings]:
    found: dict[str, Rankings] = {}
    for name in encoders:
        encoder = load_encoder(name)
        store = index(task, encoder, work / name)
        if not found:
            found["lexical"] = rank(Lexical(store), task.questions, "lexical")
        found[name] = rank(Dense(store, encoder), task.questions, name)
    return found


class Recorded:
    """A retriever that has searched already."""

    def __init__(self, rankings: Rankings) -> None:
        self.rankings = rankings

    def search(self, queries: Sequence[Query], k: int) -> Rankings:
        return [ranking[:k] for ranking in self.rankings]


def measure(task: Task, work: Path, *, encoders: Sequence[str], tune: bool) -> dict[str, object]:
    found = rankings_of(task, work, encoders)
    rows = {name: recall(rankings, task.gold) for name, rankings in found.items()}
    queries = [Query(question) for question in task.questions]
    for name in encoders:
        chosen = [(RANK_CONSTANT, DENSE_WEIGHTS[name])]
        for constant, weight in TRIALS if tune else chosen:
            sources = [Recorded(found["lexical"]), Recorded(found[name])]
            both = Fused(sources, weights=(1.0, weight), constant=constant)
            label = f"lexical + {weight} {name}, constant {constant:g}"
            rows[label] = recall(both.search(queries, DEPTH), task.gold)
    for k1, b in ((1.2, 0.75), (0.9, 0.4)):
        rows[f"bm25s (k1 {k1}, b {b})"] = recall(rank_bm25s(task, k1, b), task.gold)
    return {"questions": len(task.questions), "passages": len(task.passages), "recall": rows}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, default=Path(".seminar/bench/retrieval"))
    parser.add_argument("--task", choices=TASKS, action="append")
    parser.add_argument("--encoder", choices=ENCODERS, action="append")
    parser.add_argument("--limit", type=int, help="ask only so many questions, drawn with seed 1")
    parser.add_argument("--tune", action="store_true", help="the tuning questions, every weight")
    options = parser.parse_args()
    file = "retrieval-tuning" if options.tune else "retrieval"
    results = read_result(file)
    for name in options.task or (TUNING if options.tune else TASKS):
        task = (TUNING if options.tune else TASKS)[name]()
        if options.limit and options.limit < len(task.questions):
            kept = random.Random(1).sample(range(len(task.questions)), options.limit)
            asked, gold = [task.questions[at] for at in kept], [task.gold[at] for at in kept]
            task = Task(task.name, task.passages, asked, gold)
        folder = options.work / (f"{name}-tune" if options.tune and name == "nq" else name)
        encoders = options.encoder or list(ENCODERS)
        results[task.name] = measure(task, folder, encoders=encoders, tune=options.tune)
        write_result(file, results)


if __name__ == "__main__":
    main()
