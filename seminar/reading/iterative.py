"""Several answers to a question: read again, given the answers so far, until none is new.

After AmbigPrompt (Sun et al., 2023): p(answers) is the product over t of p(answer t | the answers
before it), and the reader itself predicts the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from seminar.protocols import Reader
from seminar.reading.equivalence import equivalent
from seminar.reading.evidence import kind_agreement
from seminar.types import Answer, Hit, Query

DIVERSITY = 0.2
ROUNDS = 5
REREAD_SHARE = 0.05  # of the first answer's probability; a hit whose answers have less is dropped


@dataclass(frozen=True, slots=True)
class _Search:
    """The answers to one query so far, and the hits that may contain further ones.

    `first_round` are all answers of the first round, which was given no earlier answer.
    """

    query: Query
    hits: Sequence[Hit]
    first_round: tuple[Answer, ...] = ()
    answers: tuple[Answer, ...] = ()

    @property
    def next_query(self) -> Query:
        """The query with the answers so far."""
        texts = (answer.text for answer in self.answers)
        return replace(self.query, found=(*self.query.found, *texts))

    def is_new(self, answer: Answer) -> bool:
        """Whether an answer is not among those so far, and of the expected kind if the first is."""
        if answer.affirmation != "neither":
            return False
        if any(equivalent(answer, known) for known in self.answers):
            return False
        first_agreement, agreement = (
            # Names are recognised by capitals, which do not count at the start of a sentence.
            kind_agreement(self.query.typed, f"the {candidate.span.text}")
            for candidate in (self.answers[0], answer)
        )
        return agreement >= first_agreement

    def add(self, answer: Answer) -> _Search:
        """The search with one more answer, and the hits where the first round saw yet another."""
        extended = replace(self, answers=(*self.answers, answer))
        first = extended.answers[0]
        if first.affirmation != "neither":  # a yes or a no is the whole answer
            return replace(extended, hits=())
        least = REREAD_SHARE * first.score
        promising = {
            candidate.span.passage.id
            for candidate in self.first_round
            if candidate.score >= least and extended.is_new(candidate)
        }
        hits = [
            replace(hit, rank=hit.rank or position)
            for position, hit in enumerate(self.hits, start=1)
            if hit.passage.id in promising
        ]
        return replace(extended, hits=hits)


class IterativeReader:
    """Reads again, given the answers so far, until the best new answer is not probable enough.

    `diversity` is between 0 and 1: a further answer needs at least (1 - diversity) times the first
    one's probability, so 0 requires equals and 1 accepts any. All queries of a round are read in
    one call, each over the hits that may contain further answers.
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
            unfinished = [at for at, search in enumerate(searches) if search.hits]
            if not unfinished:
                break
            rankings = self.reader.read(
                [searches[at].next_query for at in unfinished],
                [searches[at].hits for at in unfinished],
            )
            for at, answers in zip(unfinished, rankings, strict=True):
                searches[at] = self._step(searches[at], answers)
        return [list(search.answers) for search in searches]

    def _step(self, search: _Search, answers: Sequence[Answer]) -> _Search:
        """The search with the round's best new answer, or without hits once it is finished."""
        if not search.answers:
            started = replace(search, first_round=tuple(answers))
            if not answers or answers[0].also:
                # Speakers were compared with each other; fewer hits would make each more probable.
                distinct = tuple(distinct_answers(answers, self.diversity))
                return replace(started, answers=distinct, hits=())
            return started.add(answers[0])
        best = next((answer for answer in answers if search.is_new(answer)), None)
        if best is None or best.score < (1 - self.diversity) * search.answers[0].score:
            return replace(search, hits=())
        # The first round compared all answers, so no later one counts as more probable.
        return search.add(replace(best, score=min(best.score, search.answers[-1].score)))


class OnePassReader:
    """Reads once and keeps every distinct answer that is probable enough beside the best one."""

    def __init__(self, reader: Reader, *, diversity: float = DIVERSITY) -> None:
        self.reader = reader
        self.diversity = diversity

    def read(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[Answer]]:
        rankings = self.reader.read(queries, hits)
        return [distinct_answers(answers, self.diversity) for answers in rankings]


def distinct_answers(answers: Sequence[Answer], diversity: float) -> list[Answer]:
    """Each answer of at least (1 - diversity) times the best probability, once.

    A yes or no that comes first is the only answer.
    """
    best = answers[:1]
    if not best or best[0].affirmation != "neither":
        return list(best)
    least = (1 - diversity) * best[0].score
    distinct: list[Answer] = []
    for answer in answers:
        if answer.score < least or answer.affirmation != "neither":
            continue
        if not any(equivalent(answer, known) for known in distinct):
            distinct.append(answer)
    return distinct
