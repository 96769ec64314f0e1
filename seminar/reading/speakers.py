"""Reading by who speaks: a named speaker's own words, or the name of whoever said something."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from seminar.protocols import Encoder, Reader
from seminar.reading.attribution import Attribution, attribute
from seminar.reading.speaker_evidence import name_answers, statement_answers
from seminar.text import terms
from seminar.types import Answer, Hit, Query, Span

STATEMENTS = 3
STATEMENT_SHARE = 0.5  # of the best statement's probability: a further one must come near it
# What remains of an answer's odds where another gives it than the one whose words are asked for:
# of 92 such questions of QAConv's dev set, 81 are answered by what he said.
OTHER_SPEAKER = 0.5


class Speakers:
    """A reader that knows who speaks; whatever isn't asked by speaker is read as before.

    A question with a short answer ("How much did Ada propose?") is read with what the others say:
    on QAConv's dev set the trained reader answered fewer when it saw the speaker's words alone.
    """

    def __init__(self, reader: Reader, encoder: Encoder) -> None:
        self.reader = reader
        self.encoder = encoder

    def read(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[Answer]]:
        read = self.reader.read(queries, hits)
        return [
            self._answers(_attribution(query, ranking), ranking, answers)
            for query, ranking, answers in zip(queries, hits, read, strict=True)
        ]

    def _answers(self, of: Attribution, hits: Sequence[Hit], answers: list[Answer]) -> list[Answer]:
        if of.wanted == "speaker":
            return _in_place(name_answers(of, hits, self.encoder), answers)
        if of.open and terms(of.topic):
            return _in_place(_joined(statement_answers(of, hits, self.encoder), of), answers)
        return _sorted(_weighed(answer, of) for answer in answers)


def _attribution(query: Query, hits: Sequence[Hit]) -> Attribution:
    speakers = [message.speaker for hit in hits for message in hit.passage.utterances]
    return attribute(query.typed, list(dict.fromkeys(speakers)))


def _sorted(answers: Iterable[Answer]) -> list[Answer]:
    return sorted(answers, key=lambda answer: -answer.score)


def _in_place(voiced: Sequence[Answer], read: Sequence[Answer]) -> list[Answer]:
    """What speakers give in the place of what was read of them, with its notes; documents stay."""
    notes, replaced = (read[0].notes, read[0].replaced) if read else ((), False)
    documents = [one for one in read if one.span.utterance is None]
    noted = [replace(one, notes=notes, replaced=replaced) for one in voiced]
    told = _sorted([*noted, *documents])
    # Where nobody is named, what was read is no answer, but its notes are still to be told.
    return told or [replace(one, score=0.0) for one in read[:1] if notes]


def _weighed(answer: Answer, of: Attribution) -> Answer:
    """The answer, less likely where a speaker's words are asked for and somebody else says it."""
    said = answer.span.utterance
    if of.wanted != "words" or said is None or said.speaker in of.speakers:
        return answer
    odds = OTHER_SPEAKER * answer.score / max(1e-9, 1 - answer.score)
    return replace(answer, score=odds / (1 + odds))


def _joined(statements: list[Answer], of: Attribution) -> list[Answer]:
    """The statements, the best one with the others that come near it and touch the same matter."""
    if not statements:
        return []
    best, *others = statements
    matter = terms(of.topic)
    further = [
        one
        for one in others
        if one.score >= STATEMENT_SHARE * best.score
        and terms(one.span.text) & matter
        and _speaker(one.span) == _speaker(best.span)
    ][: STATEMENTS - 1]
    first, *also = sorted((one.span for one in (best, *further)), key=_place)
    rest = [one for one in others if one not in further]
    return [replace(best, span=first, also=tuple(also)), *rest]


def _speaker(span: Span) -> str:
    return span.utterance.speaker if span.utterance else ""


def _place(span: Span) -> tuple[str, int]:
    return span.passage.source, span.passage.start + span.start
