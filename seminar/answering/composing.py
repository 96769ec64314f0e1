"""Compose a reply from candidate answers: the answer, what helps beside it, or a refusal.

Every word of an answer is a passage's own, but for the fixed phrases that this module names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from seminar.answering.acts import affirmation_of, continuation_of, probable
from seminar.answering.already_told import Shown, asks, sentence_spans, shown_in
from seminar.answering.interpretations import readings
from seminar.answering.pragmatic import Pragmatics
from seminar.answering.topics import switch_of
from seminar.text import terms
from seminar.types import (
    Affirmation,
    Alternative,
    Answer,
    Dialogue,
    Hit,
    Pragmatic,
    Query,
    Reply,
    Span,
)

EXTRAS_BAR = 0.4  # an answer that is less probable is given without extras
NOT_FOUND = "I can't find that in these files."
SPOKEN: dict[Affirmation, str] = {"yes": "Yes. ", "no": "No. ", "neither": ""}


class Composer:
    """Replies with the best answer's own words, or with `NOT_FOUND` below the threshold.

    An answer's score is the probability that it is right, and the threshold the least probability
    of an answer that is given. With `several` the reader's further answers are alternatives, each
    with its interpretation of the question; otherwise they are ignored. `pragmatics` adds what the
    asker may want next.
    """

    def __init__(
        self,
        threshold: float = 0.5,
        *,
        several: bool = False,
        pragmatics: Pragmatics | None = None,
    ) -> None:
        self.threshold = threshold
        self.several = several
        self.pragmatics = pragmatics

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
        if not probable(answers[:1], self.threshold):
            near = nearest_sentence(query, hits)
            return Reply(NOT_FOUND, query, hits=hits, continuation="don't", nearest=near)
        best = answers[0]
        affirmation = affirmation_of(query.typed, best)
        reply = Reply(
            text=SPOKEN[affirmation] + best.text,
            query=query,
            hits=hits,
            answerable=True,
            literal=best.spans,
            affirmation=affirmation,
            alternatives=self._alternatives(query, answers),
            topic=best.span.passage.title,
            switch=switch_of(dialogue, best.span.passage.source),
            score=best.score,
        )
        return self._with_what_helps(dialogue, reply)

    def _alternatives(self, query: Query, answers: Sequence[Answer]) -> tuple[Alternative, ...]:
        if not self.several:
            return ()
        given = probable(answers, self.threshold)
        meanings = readings(query.typed, given)
        return tuple(Alternative(*pair) for pair in zip(given[1:], meanings[1:], strict=True))

    def _with_what_helps(self, dialogue: Dialogue, reply: Reply) -> Reply:
        """Add extras to a reply, and whether there is more to ask for."""
        query, hits, literal = reply.query, reply.hits, reply.literal[0]
        shown = shown_with(dialogue, reply)
        extras = (
            self.pragmatics.choose(query, hits, literal=literal, shown=shown)
            if self.pragmatics and (reply.score or 0.0) >= EXTRAS_BAR
            else ()
        )
        return with_extras(reply, extras, shown)


def shown_with(dialogue: Dialogue, reply: Reply) -> Shown:
    """What the asker has seen once a reply's answers are shown."""
    others = [one.answer.span for one in reply.alternatives]
    return shown_in(dialogue).add([*reply.literal, *others])


def with_extras(reply: Reply, extras: tuple[Pragmatic, ...], shown: Shown) -> Reply:
    """Add extras to a reply, and whether there is more to ask for after them."""
    shown = shown.add(one.span for one in extras)
    continuation = continuation_of(reply.query, reply.hits, literal=reply.literal[0], shown=shown)
    return replace(reply, pragmatic=extras, continuation=continuation)


def nearest_sentence(query: Query, hits: Sequence[Hit]) -> Span | None:
    """The sentence that shares most terms with the question, from the best hit among equals.

    Sentences that are questions themselves don't count; None where no sentence shares a term.
    """
    wanted = terms(query.typed)
    sentences = [span for hit in hits for span in sentence_spans(hit.passage)]
    shared = [0 if asks(span.text) else len(terms(span.text) & wanted) for span in sentences]
    return sentences[shared.index(max(shared))] if any(shared) else None
