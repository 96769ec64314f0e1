"""AmbigQA's questions whose answers stand in the passages at hand.

AmbigQA comes without passages. An answer stands where a sentence of the first 50 hits for its
question, words and vectors fused, has one of its aliases, normalised, and with its heading and the
sentence before it at least three fifths of the question's content words. A question counts where
all answers of one annotator stand, or at least two of them.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.corpora import natural_questions
from benchmarks.results import progress
from benchmarks.retrieval import index
from seminar.datasets.catalog import load
from seminar.examples import Example
from seminar.io import write_atomic
from seminar.metrics.measures.normalisation import normalise
from seminar.models.encoders.registry import load_encoder
from seminar.protocols import Retriever
from seminar.retrieval.hybrid import hybrid
from seminar.text import sentences, terms
from seminar.types import Hit, Passage, Query

READ = 10  # hits that the reader is given, as the assistant gives them
DEPTH = 50
SHARE = 0.6
BATCH = 64
TUNING_QUESTIONS = 5000  # a sample of AmbigQA train, of which the standing ones are kept


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and the hits that are read for it."""

    example: Example
    hits: list[Hit]


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence, normalised, and the content words of it, of the one before and of the heading."""

    text: str
    terms: set[str]


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
    spelled = {f" {normalise(alias)} " for alias in asked.example.gold.answers} - {"  "}
    # Sentences are split only where an answer's words are, which is seldom.
    texts = {hit.passage: f" {normalise(hit.passage.text)} " for hit in asked.hits}
    holders = [one for one, text in texts.items() if any(alias in text for alias in spelled)]
    told = [one for passage in holders for one in _sentences(passage)]

    def found(aliases: tuple[str, ...]) -> bool:
        return any(_tells(wanted, alias, sentence) for alias in aliases for sentence in told)

    counts = [
        (sum(found(reading.aliases) for reading in annotation), len(annotation))
        for annotation in asked.example.gold.annotations
    ]
    return any(count == total or count >= 2 for count, total in counts)


def _sentences(passage: Passage) -> Iterator[_Sentence]:
    heading, before = terms(passage.heading), set[str]()
    for start, end in sentences(passage.text):
        text = passage.text[start:end]
        own = terms(text)
        yield _Sentence(f" {normalise(text)} ", heading | before | own)
        before = own


def _tells(wanted: set[str], alias: str, sentence: _Sentence) -> bool:
    spelled, others = normalise(alias), wanted - terms(alias)
    if not spelled or f" {spelled} " not in sentence.text:
        return False
    return len(others & sentence.terms) >= SHARE * len(others)
