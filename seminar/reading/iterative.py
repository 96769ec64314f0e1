"""Several answers, found one after another: read again, told what was found, until nothing is new.

After AmbigPrompt (Sun et al., 2023): p(answers) is the product over t of p(answer t | the answers
before it), and the reader itself says when it has come to the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from seminar.protocols import Reader
from seminar.reading.equivalence import same
from seminar.reading.evidence import kind_agreement
from seminar.types import Answer, Hit, Query

DIVERSITY = 0.2
ROUNDS = 5
PROMISE = 0.05  # of the first answer's probability: what has less on first sight isn't read again


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

    def is_new(self, answer: Answer) -> bool:
        """Whether it is none of those found, and of the kind asked for as much as the first is."""
        if answer.affirmation != "neither" or any(same(answer, one) for one in self.found):
            return False
        first, other = (
            # A name that begins the span doesn't begin a sentence, where any word is capital.
            kind_agreement(self.query.typed, f"the {one.span.text}")
            for one in (self.found[0], answer)
        )
        return other >= first

    def add(self, answer: Answer) -> _Search:
        """The search with one more answer, and the hits that have yet another on first sight."""
        found = replace(self, found=(*self.found, answer))
        first = found.found[0]
        if first.affirmation != "neither":  # a yes or a no is the whole answer
            return replace(found, hits=())
        hopeful = [one for one in self.seen if one.score >= PROMISE * first.score]
        places = {one.span.passage.id for one in hopeful if found.is_new(one)}
        ranked = enumerate(self.hits, start=1)
        kept = [replace(hit, rank=hit.rank or n) for n, hit in ranked if hit.passage.id in places]
        return replace(found, hits=kept)


class IterativeReader:
    """Asks its reader again, told the answers found so far, until the best new one is too weak.

    `diversity` is between 0 and 1: a further answer is accepted down to (1 - diversity) times the
    first one's probability, so 0 asks for equals and 1 takes whatever is found. All queries of a
    round are read in one call, each from the hits that promise more.
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
                searches[at] = self._step(searches[at], told)
        return [list(one.found) for one in searches]

    def _step(self, search: _Search, answers: Sequence[Answer]) -> _Search:
        """The search with the round's best new answer, or at its end, where no hits are left."""
        if not search.found:
            begun = replace(search, seen=tuple(answers))
            if not answers or answers[0].also:
                # Who said it was weighed among all who speak: fewer of them would seem surer.
                return replace(begun, found=tuple(distinct(answers, self.diversity)), hits=())
            return begun.add(answers[0])
        best = next((one for one in answers if search.is_new(one)), None)
        if best is None or best.score < (1 - self.diversity) * search.found[0].score:
            return replace(search, hits=())
        # The first round weighed every answer and chose the first: none is more probable than it.
        return search.add(replace(best, score=min(best.score, search.found[-1].score)))


class OnePassReader:
    """Every answer of one reading whose probability comes near enough to the best one's."""

    def __init__(self, reader: Reader, *, diversity: float = DIVERSITY) -> None:
        self.reader = reader
        self.diversity = diversity

    def read(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[Answer]]:
        return [distinct(answers, self.diversity) for answers in self.reader.read(queries, hits)]


def distinct(answers: Sequence[Answer], diversity: float) -> list[Answer]:
    """Each answer once whose probability comes near the best one's; a yes or no stands alone."""
    best = answers[:1]
    if not best or best[0].affirmation != "neither":
        return list(best)
    kept: list[Answer] = []
    for one in answers:
        near = one.score >= (1 - diversity) * best[0].score and one.affirmation == "neither"
        if near and not any(same(one, known) for known in kept):
            kept.append(one)
    return kept
