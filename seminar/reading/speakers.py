"""Reading by who speaks: a named speaker's own words, or the name of whoever said something."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from seminar.attribution import Attribution, attribute
from seminar.protocols import Encoder, Reader
from seminar.reading.utterances import View, speakers_of, statements, views_of
from seminar.reading.voices import name_answers
from seminar.text import terms
from seminar.types import Answer, Hit, Query, Span

STATEMENTS = 3
# What remains of an answer's odds where another gives it than the one whose words are asked for:
# of 92 such questions of QAConv's dev set, 81 are answered by what he said.
OTHER_SPEAKER = 0.5
STATEMENT_SHARE = 0.5  # of the best statement's probability: a further one must come near it


@dataclass(frozen=True, slots=True)
class _Asked:
    """A query, its hits, and where a speaker's statements are wanted the views that hold them.

    A question with a shorter answer is read with what the others say: of 90 such questions of
    QAConv's dev set, the trained reader answered fewer when it saw the speaker's words alone.
    """

    query: Query
    hits: Sequence[Hit]
    of: Attribution
    views: dict[str, View]

    @property
    def read(self) -> Sequence[Hit]:
        """What the reader is shown: documents whole, of conversations only who is asked about."""
        if not self.of.open:
            return self.hits
        return [
            Hit(view.part, hit.score) if view else hit
            for hit in self.hits
            for view in (_own(hit, self.views) if hit.passage.utterances else [None])
        ]


class Speakers:
    """A reader that knows who speaks; whatever isn't asked by speaker is read as before."""

    def __init__(self, reader: Reader, encoder: Encoder) -> None:
        self.reader = reader
        self.encoder = encoder

    def read(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[Answer]]:
        asked = [_asked(*pair) for pair in zip(queries, hits, strict=True)]
        answers = self.reader.read(queries, [one.read for one in asked])
        return [self._answers(*pair) for pair in zip(asked, answers, strict=True)]

    def _answers(self, asked: _Asked, answers: list[Answer]) -> list[Answer]:
        if asked.of.open:
            return _stated([_back(answer, asked.views) for answer in answers], asked.of)
        if asked.of.wanted == "speaker":
            names = name_answers(asked.of, asked.hits, self.encoder)
            documents = [one for one in answers if one.span.utterance is None]
            return _sorted([*names, *documents])
        return _sorted(_weighed(answer, asked.of) for answer in answers)


def _asked(query: Query, hits: Sequence[Hit]) -> _Asked:
    of = attribute(query.question or query.text, speakers_of(hits))
    views = {
        view.part.id: view
        for hit in hits
        for view in (views_of(hit.passage, of.speakers) if of.open else ())
    }
    return _Asked(query, hits, of, views)


def _sorted(answers: Iterable[Answer]) -> list[Answer]:
    return sorted(answers, key=lambda answer: -answer.score)


def _weighed(answer: Answer, of: Attribution) -> Answer:
    """The answer, less likely where a speaker's words are asked for and somebody else says it."""
    said = answer.span.utterance
    if of.wanted != "words" or said is None or said.speaker in of.speakers:
        return answer
    odds = OTHER_SPEAKER * answer.score / max(1e-9, 1 - answer.score)
    return replace(answer, score=odds / (1 + odds))


def _own(hit: Hit, views: dict[str, View]) -> list[View]:
    return [view for view in views.values() if view.whole == hit.passage]


def _back(answer: Answer, views: dict[str, View]) -> Answer:
    """The answer in the passage that was found, not in the view of it that was read."""
    view = views.get(answer.span.passage.id)
    return replace(answer, span=view.back(answer.span)) if view else answer


def _stated(answers: list[Answer], of: Attribution) -> list[Answer]:
    """Whole statements, the best one with the others of that speaker on the same matter."""
    whole: dict[Span, Answer] = {}
    for answer in answers:
        statement = _statement(answer.span)
        whole.setdefault(statement, replace(answer, span=statement))
    best, *others = whole.values() if whole else (None,)
    if best is None or best.span.utterance is None:
        return list(whole.values())
    speaker, matter = best.span.utterance.speaker, terms(of.topic)
    further = [
        one.span
        for one in others
        if one.score >= STATEMENT_SHARE * best.score
        and one.span.utterance is not None
        and one.span.utterance.speaker == speaker
        and terms(one.span.text) & matter
    ]
    first, *also = sorted([best.span, *further[: STATEMENTS - 1]], key=_place)
    return [replace(best, span=first, also=tuple(also)), *others]


def _statement(span: Span) -> Span:
    """The sentence of the utterance that the span is in."""
    said = span.utterance
    if said is None:
        return span
    found = statements(span.passage, said)
    return next((one for one in found if span.start < one.end), span)


def _place(span: Span) -> tuple[str, int]:
    return span.passage.source, span.passage.start + span.start
