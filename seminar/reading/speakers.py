"""A reader for questions about who said what: a speaker's own words, or a speaker's name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from seminar.protocols import Encoder, Reader
from seminar.reading.attribution import Attribution, parse_attribution
from seminar.reading.speaker_evidence import speaker_answers, statement_answers
from seminar.text import terms
from seminar.types import Answer, Hit, Query, Span

STATEMENTS = 3
STATEMENT_SHARE = 0.5  # of the best statement's probability that a further one needs
# Factor on the odds of an answer given by another speaker than the one asked about: of 92 such
# questions of QAConv's dev set, 81 are answered by the speaker's own words.
OTHER_SPEAKER = 0.5


class SpeakerReader:
    """Answers questions about who said what, and leaves all others to the wrapped reader.

    A question with a short answer ("How much did Ada propose?") is read with all speakers' words:
    on QAConv's dev set the trained reader answered fewer when it read the speaker's words alone.
    """

    def __init__(self, reader: Reader, encoder: Encoder) -> None:
        self.reader = reader
        self.encoder = encoder

    def read(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[Answer]]:
        wrapped = self.reader.read(queries, hits)
        return [
            self._answers(_attribution(query, ranking), ranking, answers)
            for query, ranking, answers in zip(queries, hits, wrapped, strict=True)
        ]

    def _answers(
        self, attribution: Attribution, hits: Sequence[Hit], answers: list[Answer]
    ) -> list[Answer]:
        if attribution.wanted == "speaker":
            return _replace_messages(answers, speaker_answers(attribution, hits, self.encoder))
        if attribution.open and terms(attribution.topic):
            statements = statement_answers(attribution, hits, self.encoder)
            return _replace_messages(answers, _joined(statements, attribution))
        return _sorted(_discounted(answer, attribution) for answer in answers)


def _attribution(query: Query, hits: Sequence[Hit]) -> Attribution:
    speakers = [message.speaker for hit in hits for message in hit.passage.utterances]
    return parse_attribution(query.typed, list(dict.fromkeys(speakers)))


def _sorted(answers: Iterable[Answer]) -> list[Answer]:
    return sorted(answers, key=lambda answer: -answer.score)


def _replace_messages(wrapped: Sequence[Answer], spoken: Sequence[Answer]) -> list[Answer]:
    """The wrapped reader's answers from documents, and `spoken` instead of those from messages."""
    documents = [answer for answer in wrapped if answer.span.utterance is None]
    return _sorted([*spoken, *documents])


def _discounted(answer: Answer, attribution: Attribution) -> Answer:
    """The answer, less probable if another speaker gives it than the one asked about."""
    utterance = answer.span.utterance
    if attribution.wanted != "words" or utterance is None:
        return answer
    if utterance.speaker in attribution.speakers:
        return answer
    odds = OTHER_SPEAKER * answer.score / max(1e-9, 1 - answer.score)
    return replace(answer, score=odds / (1 + odds))


def _joined(statements: list[Answer], attribution: Attribution) -> list[Answer]:
    """The statements, the best one joined with the same speaker's other ones on the topic."""
    if not statements:
        return []
    best, *others = statements
    topic_terms = terms(attribution.topic)
    further = [
        statement
        for statement in others
        if statement.score >= STATEMENT_SHARE * best.score
        and terms(statement.span.text) & topic_terms
        and _speaker(statement.span) == _speaker(best.span)
    ][: STATEMENTS - 1]
    first, *also = sorted((statement.span for statement in (best, *further)), key=_position)
    rest = [statement for statement in others if statement not in further]
    return [replace(best, span=first, also=tuple(also)), *rest]


def _speaker(span: Span) -> str:
    return span.utterance.speaker if span.utterance else ""


def _position(span: Span) -> tuple[str, int]:
    return span.passage.source, span.passage.start + span.start
