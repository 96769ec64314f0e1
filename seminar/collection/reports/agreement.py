"""How far annotators agree with each other, by the measures of each paper."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass

from seminar.collection.exports.conversations import Conversation, conversations
from seminar.collection.records import (
    FreeAnswer,
    SpanAnswer,
    StudyRecords,
    WrittenQuestion,
)
from seminar.collection.reports.kappa import fleiss_kappa
from seminar.collection.rules.qaconv import alikeness
from seminar.datasets.dialogues.quac import CANNOT_ANSWER
from seminar.datasets.dialogues.topiocqa import UNANSWERABLE
from seminar.metrics.official.quac import human_f1, resolve_cannot_answer
from seminar.types import Affirmation, Continuation

Answer = SpanAnswer | FreeAnswer | WrittenQuestion
Answers = list[Answer]  # of one question, the original one first
Measure = Callable[[Sequence[Answers]], float | None]


@dataclass(frozen=True, slots=True)
class Agreement:
    """A measure over the questions that several people answered; None where it has no value."""

    name: str
    value: float | None
    turns: int


def agreement(records: StudyRecords) -> tuple[Agreement, ...]:
    """The measures that fit the study's protocol, in percent but for kappa.

    QuAC: leave-one-out F1 and kappa of both acts. TopiOCQA: leave-one-out F1. QAConv: the mean
    FZ-R of the original answer and each other one. Kappa of answerability in all three.
    """
    return answer_agreement(records.protocol, conversations(records))


def answer_agreement(protocol: str, dialogs: Sequence[Conversation]) -> tuple[Agreement, ...]:
    """The measures over these dialogs."""
    answered = [answers for one in dialogs for answers in _answers(one) if len(answers) > 1]
    measures = _MEASURES.get(protocol, {})
    return tuple(
        Agreement(name, measure(answered) if answered else None, len(answered))
        for name, measure in measures.items()
    )


def _answers(conversation: Conversation) -> Iterator[Answers]:
    """The answers of each turn: the original one, and those of annotators."""
    for turn in conversation.turns:
        given = (
            one.answer
            for one in conversation.annotations.get(turn.number, ())
            if not one.option and not one.trap
        )
        yield [answer for answer in (turn.answer, *given) if isinstance(answer, Answer)]


def _leave_one_out_f1(answered: Sequence[Answers]) -> float:
    """QuAC's human F1 after its vote on answerability, in percent (section 4.1)."""
    scores = [human_f1(resolve_cannot_answer(list(map(_text, answers)))) for answers in answered]
    return 100 * sum(scores) / len(scores)


def _fuzzy_ratio(answered: Sequence[Answers]) -> float:
    scores = [alikeness(_text(first), _text(one)) for first, *others in answered for one in others]
    return sum(scores) / len(scores)


def _kappa_of(category: Callable[[Answer], Hashable]) -> Measure:
    return lambda answered: fleiss_kappa([list(map(category, answers)) for answers in answered])


def _text(answer: Answer) -> str:
    """The words of an answer, and one word for none in every protocol."""
    if isinstance(answer, SpanAnswer):
        return answer.span.text if answer.span else CANNOT_ANSWER
    if isinstance(answer, FreeAnswer):
        is_answer = answer.rationale is not None and answer.text != UNANSWERABLE
        return answer.text if is_answer else CANNOT_ANSWER
    return answer.answers[0] if answer.answers else CANNOT_ANSWER


def _is_answerable(answer: Answer) -> bool:
    return _text(answer) != CANNOT_ANSWER


def _affirmation(answer: Answer) -> Affirmation | None:
    return answer.affirmation if isinstance(answer, SpanAnswer) else None


def _continuation(answer: Answer) -> Continuation | None:
    return answer.continuation if isinstance(answer, SpanAnswer) else None


_ANSWERABLE = {"answerable: kappa": _kappa_of(_is_answerable)}
_MEASURES: dict[str, dict[str, Measure]] = {
    "quac": {
        "leave-one-out F1": _leave_one_out_f1,
        "yes or no: kappa": _kappa_of(_affirmation),
        "follow up: kappa": _kappa_of(_continuation),
        **_ANSWERABLE,
    },
    "topiocqa": {"leave-one-out F1": _leave_one_out_f1, **_ANSWERABLE},
    "qaconv": {"FZ-R": _fuzzy_ratio, **_ANSWERABLE},
}
