"""What workers do in a dialog: one frozen type for each kind of action, tagged by `kind`.

`act` messages carry them (`messages.live`); a protocol says which role may do which of them when.
Offsets of spans count characters of the page's `text`.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from seminar.collection.records import LiteralAnswer
from seminar.types import Affirmation, Continuation

LONGEST_TEXT = 2_000  # characters of a question or an answer
MOST_SPANS = 20

WITHOUT_NUL = r"\A[^\x00]*\Z"  # which PostgreSQL can't hold

Text = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_TEXT, pattern=WITHOUT_NUL)]
Words = Annotated[str, msgspec.Meta(max_length=LONGEST_TEXT, pattern=WITHOUT_NUL)]  # or none
Name = Annotated[str, msgspec.Meta(max_length=500, pattern=WITHOUT_NUL)]
Offset = Annotated[int, msgspec.Meta(ge=0, le=100_000_000)]
Rating = Annotated[int, msgspec.Meta(ge=1, le=5)]


class ChosenSpan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Characters `start` to `end` of a page; the server adds the words and the elements' keys."""

    page: Name
    start: Offset
    end: Offset


Spans = Annotated[tuple[ChosenSpan, ...], msgspec.Meta(max_length=MOST_SPANS)]


class ActionType(
    msgspec.Struct, frozen=True, tag_field="kind", kw_only=True, forbid_unknown_fields=True
):
    """The base of all actions; the tag is the class's name in small letters."""


# In every protocol


class Ask(ActionType, frozen=True, tag="ask"):
    """A question of the student or questioner."""

    question: Text


class End(ActionType, frozen=True, tag="end"):
    """End the dialog as the protocol allows it; both are paid in full."""


class Leave(ActionType, frozen=True, tag="leave"):
    """Go before the dialog may end; the partner is paid in part."""


class Report(ActionType, frozen=True, tag="report"):
    """Report the partner; the dialog ends, and the admin sees it."""

    problem: Annotated[str, msgspec.Meta(max_length=60, pattern=WITHOUT_NUL)]  # as the study has it
    text: Words = ""


# QuAC


class AnswerSpan(ActionType, frozen=True, tag="answer span"):
    """The teacher's answer, or an annotator's; no span means no answer in the section."""

    span: ChosenSpan | None
    continuation: Continuation
    affirmation: Affirmation


# TopiOCQA; `open`, `back` and `forward` also in PragmatiCQA


class Open(ActionType, frozen=True, tag="open"):
    """Read a page, after a click on a link or in the list of visited pages."""

    page: Name


class Back(ActionType, frozen=True, tag="back"):
    """Return to the page before."""


class Forward(ActionType, frozen=True, tag="forward"):
    """Undo `back`."""


class AnswerFree(ActionType, frozen=True, tag="answer free"):
    """The answerer's answer, or an annotator's; no rationale and no text means unanswerable."""

    text: Words = ""
    rationale: ChosenSpan | None = None


# PragmatiCQA: the teacher's three steps, and the student's ratings of the reply before


class SelectLiteral(ActionType, frozen=True, tag="select literal"):
    """Step 1: spans, or one of yes, no and don't know in their place. May be sent again."""

    spans: Spans = ()
    answer: LiteralAnswer | None = None


class SelectPragmatic(ActionType, frozen=True, tag="select pragmatic"):
    """Step 2: spans that answer what might be asked next; none is allowed. May be sent again."""

    spans: Spans = ()


class Paraphrase(ActionType, frozen=True, tag="paraphrase"):
    """Step 3: the reply that the student sees."""

    text: Text


class Rate(ActionType, frozen=True, tag="rate"):
    """The student's ratings of the reply to question `turn`, from 1, not at all, to 5, fully.

    It sounds natural; the literal spans answer the question and no more; the pragmatic spans answer
    what would be asked next, and lead on to other questions; the reply says what the spans say.
    """

    turn: Annotated[int, msgspec.Meta(ge=1)]
    natural: Rating
    literal: Rating
    next_questions: Rating
    leads: Rating
    faithful: Rating


# QAConv


class Write(ActionType, frozen=True, tag="write"):
    """A question with its answer, `chosen` of the offered ones or one's own.

    Without answers it is unanswerable.
    """

    question: Text
    answers: Annotated[tuple[Text, ...], msgspec.Meta(max_length=5)] = ()
    chosen: Annotated[int, msgspec.Meta(ge=0, le=99)] | None = None


class Judge(ActionType, frozen=True, tag="judge"):
    """A verifier's option: A good, B unanswerable, C wrong answer, D right but `answer` is better.

    `answer` is required with D alone.
    """

    option: Annotated[str, msgspec.Meta(pattern="^[ABCD]$")]
    answer: Words = ""


class AnswerChunk(ActionType, frozen=True, tag="answer chunk"):
    """A further annotator's answer to a question about a chunk; empty means unanswerable."""

    text: Words = ""


ANY_ACTION = (
    Ask
    | End
    | Leave
    | Report
    | AnswerSpan
    | Open
    | Back
    | Forward
    | AnswerFree
    | SelectLiteral
    | SelectPragmatic
    | Paraphrase
    | Rate
    | Write
    | Judge
    | AnswerChunk
)
