"""Hard negatives for DPR: passages that BM25 or the model itself ranks high and that are wrong."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from seminar.io import content_hash
from seminar.metrics.containment import has_answer
from seminar.networks.bi_encoder import Sides, load
from seminar.networks.checkpoints import WEIGHTS
from seminar.training.bi_encoder_pairs import Pair
from seminar.training.negatives import search
from seminar.types import SEPARATOR, Passage

Rankings = list[list[int]]

QUERY_BATCH = 256


def by_words(pairs: Sequence[Pair], pool: Sequence[Passage], *, depth: int) -> Rankings:
    """The best places in the pool for each question by BM25."""
    if not pairs:
        return []
    texts = [one.query.replace(SEPARATOR, " ") for one in pairs]
    return search(texts, [one.searched for one in pool], depth=min(depth, len(pool)))


def by_vectors(
    pairs: Sequence[Pair], pool: Sequence[Passage], *, sides: Sides, depth: int
) -> Rankings:
    """The best places in the pool for each question by a trained bi-encoder; ties by place."""
    passages = sides.passages.encode([one.searched for one in pool])
    found: Rankings = []
    for at in range(0, len(pairs), QUERY_BATCH):
        questions = sides.questions.encode([one.query for one in pairs[at : at + QUERY_BATCH]])
        scores = questions @ passages.T  # (questions, pool)
        found += np.argsort(-scores, axis=1, kind="stable")[:, :depth].tolist()
    return found


def hard_negatives(
    pairs: Sequence[Pair], pool: Sequence[Passage], rankings: Rankings, *, count: int
) -> list[tuple[int, ...]]:
    """For each question the best ranked places that are not its passage and hold no answer."""
    return [
        _wrong(pair, pool, ranking, count) for pair, ranking in zip(pairs, rankings, strict=True)
    ]


def _wrong(
    pair: Pair, pool: Sequence[Passage], ranking: Sequence[int], count: int
) -> tuple[int, ...]:
    # An empty answer stands in every text, and would leave no negative.
    answers = [answer for answer in pair.answers if answer.strip()]
    chosen: list[int] = []
    for place in ranking:
        if len(chosen) == count:
            break
        if place != pair.positive and not has_answer(answers, pool[place].text):
            chosen.append(place)
    return tuple(chosen)


def mine(
    pairs: Sequence[Pair],
    pool: Sequence[Passage],
    *,
    count: int,
    depth: int,
    model: str = "",
    cache: Path,
) -> list[tuple[int, ...]]:
    """Each question's hard negatives, the hardest first: BM25's, and in turn a trained model's.

    `count` bounds those of each; they are looked for among the `depth` best ranked.
    """
    made_from = [str(depth), str(count)]
    made_from += [f"{pair.id} {pair.query} {pair.positive}" for pair in pairs]
    made_from += [passage.id for passage in pool]

    def words() -> list[tuple[int, ...]]:
        return hard_negatives(pairs, pool, by_words(pairs, pool, depth=depth), count=count)

    found = _cached(cache, ["words", *made_from], words)
    if not model:
        return found
    sides = load(Path(model))

    def vectors() -> list[tuple[int, ...]]:
        rankings = by_vectors(pairs, pool, sides=sides, depth=depth)
        return hard_negatives(pairs, pool, rankings, count=count)

    weights = content_hash(Path(model) / WEIGHTS)
    others = _cached(cache, [weights, *made_from], vectors)
    return [_in_turn(*rows) for rows in zip(others, found, strict=True)]


def _cached(
    cache: Path, made_from: Sequence[str], make: Callable[[], list[tuple[int, ...]]]
) -> list[tuple[int, ...]]:
    """Negatives kept under what they were made from: a search of a large pool takes minutes."""
    digest = hashlib.sha256("\n".join(made_from).encode("utf-8", "replace")).hexdigest()[:16]
    path = cache / f"hard-negatives-{digest}.json"
    if not path.exists():
        cache.mkdir(parents=True, exist_ok=True)
        beside = path.with_suffix(".partial")
        beside.write_text(json.dumps(make()), encoding="utf-8")
        beside.replace(path)
    return [tuple(row) for row in json.loads(path.read_text(encoding="utf-8"))]


def _in_turn(first: tuple[int, ...], second: tuple[int, ...]) -> tuple[int, ...]:
    """Both lists' places in turn, each place once.

    >>> _in_turn((1, 2, 3), (2, 4))
    (1, 2, 4, 3)
    """
    longest = max(len(first), len(second))
    turns = (one[at] for at in range(longest) for one in (first, second) if at < len(one))
    return tuple(dict.fromkeys(turns))
