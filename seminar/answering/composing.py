"""Candidate answers to a reply: the best one that is sure enough, or an honest 'not here'."""

from __future__ import annotations

from collections.abc import Sequence

from seminar.answering.topics import switch_of
from seminar.types import Answer, Dialogue, Hit, Query, Reply

NOT_FOUND = "I can't find that in these files."


class Extractive:
    """Replies with the best answer's own words, or with `NOT_FOUND` below the threshold.

    An answer's score is the probability that it is right, so the threshold is the least
    probability at which the asker is still told.
    """

    def __init__(self, threshold: float = 0.5) -> None:
        self.threshold = threshold

    def respond(
        self,
        dialogues: Sequence[Dialogue],
        queries: Sequence[Query],
        hits: Sequence[Sequence[Hit]],
        answers: Sequence[Sequence[Answer]],
    ) -> list[Reply]:
        return [
            self._reply(dialogue, query, tuple(ranking), candidates)
            for dialogue, query, ranking, candidates in zip(
                dialogues, queries, hits, answers, strict=True
            )
        ]

    def _reply(
        self,
        dialogue: Dialogue,
        query: Query,
        hits: tuple[Hit, ...],
        answers: Sequence[Answer],
    ) -> Reply:
        if not answers or answers[0].score < self.threshold:
            return Reply(text=NOT_FOUND, query=query, hits=hits)
        best = answers[0]
        return Reply(
            text=best.text,
            query=query,
            hits=hits,
            answerable=True,
            literal=best.spans,
            affirmation=best.affirmation,
            topic=best.span.passage.title,
            switch=switch_of(dialogue, best.span.passage.source),
        )
