"""Several answers, found one after another: read again, told what was found, until nothing is new.

After AmbigPrompt (Sun et al., 2023): p(answers) is the product over t of p(answer t | the answers
before it), and the reader itself says when it has come to the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from seminar.protocols import Reader
from seminar.reading.equivalence import same
from seminar.types import Answer, Hit, Query

DIVERSITY = 0.5
ROUNDS = 5
PROMISE = 0.1  # of the first answer's score: a passage whose best other answer is below is left out


@dataclass(frozen=True, slots=True)
class _Search:
    """How far the answers of one query are found, and the hits that promise more."""

    query: Query
    hits: Sequence[Hit]
    found: tuple[Answer, ...] = ()
    ended: bool = False

    def asked(self) -> Query:
        """The query with what is known already."""
        return replace(self.query, found=(*self.query.found, *(one.text for one in self.found)))


class IterativeReader:
    """Asks its reader again, told the answers found so far, until the best new one is too weak.

    `diversity` is between 0 and 1: a further answer is accepted down to (1 - diversity) times the
    first one's probability, so 0 asks for equals and 1 takes whatever is found. All queries of a
    round are read in one call, each from the hits that promised more in the round before.
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
            going = [one for one in searches if not one.ended and one.hits]
            if not going:
                break
            answers = self.reader.read([one.asked() for one in going], [one.hits for one in going])
            stepped = iter([self._step(*pair) for pair in zip(going, answers, strict=True)])
            searches = [one if one.ended or not one.hits else next(stepped) for one in searches]
        return [list(one.found) for one in searches]

    def _step(self, search: _Search, answers: Sequence[Answer]) -> _Search:
        """The search with the round's best new answer, or at its end."""
        new = [one for one in answers if not any(same(one, known) for known in search.found)]
        if not new:
            return replace(search, ended=True)
        best, *others = new
        if search.found:
            first = search.found[0]
            if best.affirmation != "neither" or best.score < (1 - self.diversity) * first.score:
                return replace(search, ended=True)
            # The first round weighed every answer and chose the first: no other is more probable.
            best = replace(best, score=min(best.score, search.found[-1].score))
        promising = _promising(search.hits, [one for one in others if not same(one, best)], best)
        # A yes or a no is the whole answer.
        ended = best.affirmation != "neither"
        return replace(search, hits=promising, found=(*search.found, best), ended=ended)


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


def _promising(hits: Sequence[Hit], others: Sequence[Answer], first: Answer) -> list[Hit]:
    """The hits with another answer that isn't hopeless."""
    places = {one.span.passage.id for one in others if one.score >= PROMISE * first.score}
    return [hit for hit in hits if hit.passage.id in places]
