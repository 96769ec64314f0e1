"""Several answers, found one after another: read again, told what was found, until nothing is new.

After AmbigPrompt (Sun et al., 2023): p(answers) is the product over t of p(answer t | the answers
before it), and the reader itself says when it has come to the end.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from seminar.protocols import Reader
from seminar.reading.equivalence import same
from seminar.types import Answer, Hit, Query

DIVERSITY = 0.3
ROUNDS = 5


@dataclass(frozen=True, slots=True)
class _Search:
    """How far the answers of one query are found, and the hits that promise more.

    `seen` are all answers of the first round, which knew of none.
    """

    query: Query
    hits: Sequence[Hit]
    seen: tuple[Answer, ...] = ()
    found: tuple[Answer, ...] = ()

    @property
    def asked(self) -> Query:
        """The query with what is known already."""
        return replace(self.query, found=(*self.query.found, *(one.text for one in self.found)))

    def weighed(self, answer: Answer) -> Answer:
        """The answer with both views of it: the geometric mean of its first score and this one.

        The first round weighed every answer and chose the first, so none is more probable than it;
        one that only turned up later has the least score of those that were seen.
        """
        first = self.found[0].score
        before = [one.score for one in self.seen if same(one, answer)] or [self.seen[-1].score]
        return replace(answer, score=math.sqrt(before[0] * min(answer.score, first)))


class IterativeReader:
    """Asks its reader again, told the answers found so far, until the best new one is too weak.

    `diversity` is between 0 and 1: a further answer is accepted down to (1 - diversity) times the
    first one's probability, so 0 asks for equals and 1 takes whatever is found. All queries of a
    round are read in one call, each from the hits that may still hold an answer.
    """

    def __init__(
        self, reader: Reader, *, diversity: float = DIVERSITY, rounds: int = ROUNDS
    ) -> None:
        self.reader = reader
        self.diversity = diversity
        self.rounds = rounds

    def read(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[Answer]]:
        searches = [_Search(*pair) for pair in zip(queries, hits, strict=True)]
        for _ in range(self.rounds):
            going = [at for at, one in enumerate(searches) if one.hits]
            if not going:
                break
            asked = [searches[at] for at in going]
            answers = self.reader.read([one.asked for one in asked], [one.hits for one in asked])
            for at, told in zip(going, answers, strict=True):
                step = self._go_on if searches[at].found else self._begin
                searches[at] = step(searches[at], told)
        return [list(one.found) for one in searches]

    def _begin(self, search: _Search, answers: Sequence[Answer]) -> _Search:
        if not answers:
            return replace(search, hits=())
        begun = replace(search, seen=tuple(answers), found=(answers[0],))
        return replace(begun, hits=self._promising(begun))

    def _go_on(self, search: _Search, answers: Sequence[Answer]) -> _Search:
        """The search with the round's best new answer, or at its end, where no hits are left."""
        new = [search.weighed(one) for one in answers if _is_new(one, search)]
        best = max(new, key=lambda one: one.score, default=None)
        if best is None or best.score < (1 - self.diversity) * search.found[0].score:
            return replace(search, hits=())
        best = replace(best, score=min(best.score, search.found[-1].score))
        further = replace(search, found=(*search.found, best))
        return replace(further, hits=self._promising(further))

    def _promising(self, search: _Search) -> list[Hit]:
        """The hits of answers that would be accepted if the next round were sure of them."""
        first = search.found[0]
        if first.affirmation != "neither":  # a yes or a no is the whole answer
            return []
        bar = (1 - self.diversity) ** 2 * first.score
        new = [one for one in search.seen if one.score >= bar and _is_new(one, search)]
        places = {one.span.passage.id for one in new}
        ranked = enumerate(search.hits, start=1)
        return [
            replace(hit, rank=hit.rank or rank) for rank, hit in ranked if hit.passage.id in places
        ]


def _is_new(answer: Answer, search: _Search) -> bool:
    return answer.affirmation == "neither" and not any(same(answer, one) for one in search.found)


class OnePassReader:
    """Every answer of one reading whose probability comes near enough to the best one's."""

    def __init__(self, reader: Reader, *, diversity: float = DIVERSITY) -> None:
        self.reader = reader
        self.diversity = diversity

    def read(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[Answer]]:
        return [self._distinct(answers) for answers in self.reader.read(queries, hits)]

    def _distinct(self, answers: Sequence[Answer]) -> list[Answer]:
        kept: list[Answer] = []
        for one in answers:
            near = not kept or one.score >= (1 - self.diversity) * kept[0].score
            if near and not any(same(one, known) for known in kept):
                kept.append(one)
        return kept
