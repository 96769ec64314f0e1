"""Hard negatives for DPR: passages that BM25 or the model itself ranks high and that are wrong.

They come from the pool of passages that the pairs name, or from an index of a whole corpus.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

import numpy as np

from seminar.assembly import open_index
from seminar.io import content_hash
from seminar.metrics.measures.containment import has_answer
from seminar.networks.checkpoints import WEIGHTS
from seminar.networks.papers.dpr.bi_encoder import Sides, load
from seminar.protocols import Retriever
from seminar.retrieval.dense import Dense
from seminar.retrieval.lexical import Lexical
from seminar.training.papers.dpr.pairs import Pair, Pool
from seminar.training.reader.negatives import search
from seminar.types import SEPARATOR, Hit, Matrix, Passage, Query

QUERIES = 2_048  # searched at once: all their hits are held together


class PoolWords:
    """BM25 over passages in memory."""

    def __init__(self, pool: Sequence[Passage]) -> None:
        self._pool = pool

    def search(self, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        if not queries or not self._pool:
            return [[] for _ in queries]
        texts = [query.text.replace(SEPARATOR, " ") for query in queries]
        rows = search(texts, [one.searched for one in self._pool], depth=min(k, len(self._pool)))
        return [[Hit(self._pool[at], 1 / rank) for rank, at in enumerate(row, 1)] for row in rows]


class PoolVectors:
    """A bi-encoder's dot products with passages in memory; of equal ones the earlier is first."""

    def __init__(self, pool: Sequence[Passage], sides: Sides) -> None:
        self._pool, self._sides = pool, sides

    @cached_property
    def _vectors(self) -> Matrix:
        return self._sides.passages.encode([one.searched for one in self._pool])

    def search(self, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        if not queries:
            return []
        asked = self._sides.questions.encode([query.text for query in queries])
        scores = asked @ self._vectors.T  # (queries, pool)
        best = np.argsort(-scores, axis=1, kind="stable")[:, :k]
        return [
            [Hit(self._pool[at], float(row[at])) for at in places]
            for row, places in zip(scores, best, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class Mining:
    """How many negatives to find of each kind, among how many of the best ranked, and where.

    `model` is a trained bi-encoder's folder, `index` that of an index with the whole corpus; where
    both are given, that bi-encoder must have made the index.
    """

    count: int
    depth: int = 100
    model: str = ""
    index: str = ""


@dataclass(frozen=True, slots=True)
class Mined:
    """Each question's negatives as places in the pool, which the passages of an index join."""

    negatives: tuple[tuple[int, ...], ...]
    pool: tuple[Passage, ...]


def mine(pairs: Sequence[Pair], pool: Sequence[Passage], mining: Mining, *, cache: Path) -> Mined:
    """Each question's hard negatives, the hardest first: a trained model's and BM25's in turn.

    They are kept in the cache under what they were made from, since to search takes minutes.
    """
    made_from = [str(mining), *(f"{pair.id} {pair.query} {pair.positive}" for pair in pairs)]
    made_from += [passage.id for passage in pool]
    joined = Pool(pool)
    found = []
    for name, retriever in retrievers(pool, mining).items():
        path = cache / f"hard-negatives-{_digest([name, *made_from])}.json"
        find = partial(hard_negatives, pairs, pool, retriever, mining=mining)
        passages = _cached(path, find)
        found.append([[joined.place(one) for one in wrong] for wrong in passages])
    negatives = tuple(_in_turn(rows) for rows in zip(*found, strict=True))
    return Mined(negatives, tuple(joined.passages))


def retrievers(pool: Sequence[Passage], mining: Mining) -> dict[str, Retriever]:
    """What finds negatives, each by a name that tells what it depends on; a model comes first."""
    sides = load(Path(mining.model)) if mining.model else None
    weights = content_hash(Path(mining.model) / WEIGHTS) if mining.model else ""
    if not mining.index:
        vectors: dict[str, Retriever] = {weights: PoolVectors(pool, sides)} if sides else {}
        return {**vectors, "words": PoolWords(pool)}
    index = open_index(Path(mining.index), sides.questions if sides else None)
    held = f"of {index.count()} indexed"
    near: dict[str, Retriever] = (
        {f"{weights} {held}": Dense(index, sides.questions)} if sides else {}
    )
    return {**near, f"words {held}": Lexical(index)}


def hard_negatives(
    pairs: Sequence[Pair], pool: Sequence[Passage], retriever: Retriever, *, mining: Mining
) -> list[list[Passage]]:
    """For each question the best ranked passages that are not its own and hold no answer."""
    chosen = []
    for at in range(0, len(pairs), QUERIES):
        few = pairs[at : at + QUERIES]
        rankings = retriever.search([Query(pair.query) for pair in few], mining.depth)
        for pair, hits in zip(few, rankings, strict=True):
            wrong = (hit.passage for hit in hits if _is_wrong(hit.passage, pair, pool))
            chosen.append([one for one, _ in zip(wrong, range(mining.count), strict=False)])
    return chosen


def _is_wrong(passage: Passage, pair: Pair, pool: Sequence[Passage]) -> bool:
    own = pool[pair.positive]
    # An empty answer stands in every text, and would leave no negative.
    answers = [answer for answer in pair.answers if answer.strip()]
    another = passage.id != own.id and passage.text != own.text
    return another and not has_answer(answers, passage.text)


def _in_turn(rows: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """The places of all lists in turn, each place once.

    >>> _in_turn([(1, 2, 3), (2, 4)])
    (1, 2, 4, 3)
    """
    longest = max(len(row) for row in rows)
    turns = (row[at] for at in range(longest) for row in rows if at < len(row))
    return tuple(dict.fromkeys(turns))


def _digest(made_from: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(made_from).encode("utf-8", "replace")).hexdigest()[:16]


def _cached(path: Path, find: Callable[[], list[list[Passage]]]) -> list[list[Passage]]:
    """Negatives from a file of the cache, found and written first if it isn't there."""
    if not path.exists():
        pool = Pool()
        places = [[pool.place(one) for one in wrong] for wrong in find()]
        passages = [_record(one) for one in pool.passages]
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_suffix(".partial")
        beside.write_text(json.dumps({"passages": passages, "places": places}), encoding="utf-8")
        beside.replace(path)
    cached = json.loads(path.read_text(encoding="utf-8"))
    known = [Passage(*record) for record in cached["passages"]]
    return [[known[place] for place in row] for row in cached["places"]]


def _record(passage: Passage) -> tuple[object, ...]:
    """What a network reads of a passage, and what it is known by."""
    return passage.source, passage.start, passage.end, passage.text, passage.title, passage.section
