"""How long a whole answer takes on the Wikispeedia index, and what each stage takes of it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from benchmarks.corpora import Task
from benchmarks.reading_tasks import chosen
from benchmarks.results import peak_memory_mib, progress
from benchmarks.retrieval import index
from seminar.assembly import assemble
from seminar.assistant import Assistant
from seminar.datasets.catalog import documents, load
from seminar.ingestion.passages import split
from seminar.models.encoders.registry import load_encoder
from seminar.protocols import Reader
from seminar.settings import Settings
from seminar.types import Dialogue, Hit, Query

WARM_UP = 5
QUESTIONS = 200
USUAL_TOKENS = 384  # what question-answering pipelines read of a passage at once
STAGES = ("rewriting", "retrieval", "reading", "responding")


@dataclass(frozen=True)
class Timed:
    """A question's query and hits, and the seconds of each stage."""

    query: Query
    hits: list[Hit]
    stages: list[float]


def latency(
    reader: Reader, work: Path, limit: int | None, usually: tuple[Path, str | None] | None
) -> dict[str, object]:
    """Milliseconds at the median and the 95th percentile, by stage, and memory.

    `usually` are the reader's checkpoint and the encoder it was begun from, if not MiniLM-L6.
    """
    settings = Settings()
    encoder = load_encoder(settings.encoder)
    passages = [one for document in documents("wikispeedia") for one in split(document)]
    task = Task("Wikispeedia", passages, [], [])
    made = assemble(index(task, encoder, work / "wikispeedia" / encoder.name), encoder, settings)
    made.reader = reader
    asked = chosen(load("nq_gold_passages/oracle"), min(limit or QUESTIONS, QUESTIONS) + WARM_UP)
    timed = [_timed(made, asked[at].question) for at in progress(range(len(asked)), "latency")]
    taken = 1000 * np.array([one.stages for one in timed[WARM_UP:]])  # (questions, stages)
    result: dict[str, object] = {
        "passages": len(passages),
        "questions": len(taken),
        "whole answer": _spread(taken.sum(axis=1)),
        "share of the time": dict(
            zip(STAGES, (taken.sum(axis=0) / taken.sum()).round(3).tolist(), strict=True)
        ),
        **{name: _spread(taken[:, at]) for at, name in enumerate(STAGES)},
        "peak memory, MiB": peak_memory_mib(),
    }
    if usually is not None:
        usual = 1000 * _usual_way(*usually, timed[WARM_UP:])
        before = taken[:, :2].sum(axis=1)
        result["reading by transformers on PyTorch"] = _spread(usual)
        result["ratio of reading"] = _ratio(taken[:, 2], usual)
        result["ratio of the whole answer"] = _ratio(taken.sum(axis=1), before + usual)
    return result


def _timed(made: Assistant, question: str) -> Timed:
    clock = [time.perf_counter()]
    queries = made.rewriter.rewrite([Dialogue()], [question])
    clock.append(time.perf_counter())
    hits = made.retriever.search(queries, k=made.k)
    clock.append(time.perf_counter())
    answers = made.reader.read(queries, hits)
    clock.append(time.perf_counter())
    made.responder.respond([Dialogue()], queries, hits, answers)
    clock.append(time.perf_counter())
    return Timed(queries[0], hits[0], [end - start for start, end in pairwise(clock)])


def _usual_way(checkpoint: Path, encoder: str | None, timed: Sequence[Timed]) -> np.ndarray:
    """Seconds for the same float weights in PyTorch: all hits, whole, in one padded batch."""
    import torch

    from seminar.networks.checkpoints import TINY, encoder_folder, tokenizer_of
    from seminar.training.export import load_reader

    torch.set_num_threads(2)
    network = load_reader(checkpoint, encoder or str(encoder_folder()))
    tokenizer = tokenizer_of(TINY)  # BERT's word pieces

    def read(one: Timed) -> None:
        made = tokenizer(
            [one.query.question] * len(one.hits),
            [hit.passage.searched for hit in one.hits],
            truncation="only_second",
            max_length=USUAL_TOKENS,
            padding=True,
            return_tensors="pt",
        )
        ids = made["input_ids"]
        with torch.inference_mode():
            network(ids, made["attention_mask"], made["token_type_ids"], torch.zeros_like(ids))

    read(timed[0])
    seconds = []
    for one in timed:
        start = time.perf_counter()
        read(one)
        seconds.append(time.perf_counter() - start)
    return np.array(seconds)


def _spread(milliseconds: np.ndarray) -> dict[str, float]:
    return {
        "p50 ms": round(float(np.percentile(milliseconds, 50)), 1),
        "p95 ms": round(float(np.percentile(milliseconds, 95)), 1),
    }


def _ratio(ours: np.ndarray, theirs: np.ndarray) -> float:
    return round(float(np.median(ours) / np.median(theirs)), 3)
