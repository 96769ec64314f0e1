"""AmbigQA's questions whose answers stand in the passages at hand.

AmbigQA comes without passages. An answer counts as standing where one of its aliases, normalised,
is in one of the first 50 hits for its question, words and vectors fused, that has at least half of
the question's content words. A question counts where all answers of one annotator stand, or at
least two of them.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from pathlib import Path

from benchmarks.corpora import natural_questions
from benchmarks.results import progress
from benchmarks.retrieval import index
from seminar.datasets.catalog import load
from seminar.io import write_atomic
from seminar.metrics.normalisation import normalise
from seminar.models.encoders import load_encoder
from seminar.protocols import Retriever
from seminar.retrieval.hybrid import hybrid
from seminar.text import terms
from seminar.types import Example, Hit, Query

READ = 10  # hits that the reader is given, as the assistant gives them
DEPTH = 50
SHARE = 0.5
BATCH = 64
TUNING_QUESTIONS = 2000  # a sample of AmbigQA train, of which the standing ones are kept


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and the hits that are read for it."""

    example: Example
    hits: list[Hit]


def standing_questions(part: str, work: Path) -> list[Asked]:
    """The questions of a part whose answers stand, with their hits; which they are is kept."""
    encoder = load_encoder("static")
    retriever = hybrid(index(natural_questions(), encoder, work / "nq" / encoder.name), encoder)
    examples = list(load(f"ambigqa/{part}"))
    if part == "train":
        examples = random.Random(1).sample(examples, TUNING_QUESTIONS)
    known = work / f"ambigqa-{part}.json"
    if known.exists():
        kept = set(json.loads(known.read_text(encoding="utf-8")))
        return _searched([one for one in examples if one.id in kept], retriever)
    asked = _searched(examples, retriever, depth=DEPTH)
    found = [one for one in asked if stands(one)]
    write_atomic(known, json.dumps([one.example.id for one in found]).encode())
    return [Asked(one.example, one.hits[:READ]) for one in found]


def _searched(examples: list[Example], retriever: Retriever, depth: int = READ) -> list[Asked]:
    asked: list[Asked] = []
    for start in progress(range(0, len(examples), BATCH), "search"):
        batch = examples[start : start + BATCH]
        hits = retriever.search([Query(one.question, one.question) for one in batch], depth)
        asked += [Asked(*pair) for pair in zip(batch, hits, strict=True)]
    return asked


def stands(asked: Asked) -> bool:
    """Whether all answers of one annotator stand in the hits, or at least two."""
    wanted = terms(asked.example.question)
    passages = [hit.passage.searched for hit in asked.hits]
    texts = [
        f" {normalise(text)} "
        for text in passages
        if len(wanted & terms(text)) >= SHARE * len(wanted)
    ]

    def found(aliases: tuple[str, ...]) -> bool:
        spelled = [f" {normalise(alias)} " for alias in aliases if normalise(alias)]
        return any(alias in text for alias in spelled for text in texts)

    counts = [
        (sum(found(reading.aliases) for reading in annotation), len(annotation))
        for annotation in asked.example.gold.annotations
    ]
    return any(count == total or count >= 2 for count, total in counts)
