"""What a study saves: its workers, their dialogs and actions, and what is derived from these.

Every record is frozen and holds plain values, so that msgspec writes it as JSON and reads it back.
What workers read is in `corpus.records`, what they are paid in `pay.ledger`: whole minor units.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from seminar.collection.corpus.records import Corpus
from seminar.collection.pay.ledger import Entry
from seminar.types import Affirmation, Continuation

ProtocolName = str  # "quac", "topiocqa", "pragmaticqa", "qaconv", or a module of one's own
Task = Literal["dialog", "validation", "verification"]
Role = str  # "student", "teacher", "questioner", "answerer", "writer", "annotator", "verifier"
SERVER: Role = "server"  # of what the program itself did
ASSISTANT = "assistant"  # the worker in a seat that the program has
DialogState = Literal["live", "ended"]
Review = Literal["pending", "approved", "rejected"]
LiteralAnswer = Literal["yes", "no", "don't know"]  # of PragmatiCQA, in place of spans
Inclination = Literal[-2, -1, 0, 1, 2]  # really want to learn, ..., really want to teach
FAILED_TRAP = "failed trap"  # the kind of a flag: a verifier took a planted question for real
RATINGS = ("natural", "literal", "next_questions", "leads", "faithful")  # 5: fully


# Choices inside actions ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CorpusSpan:
    """Words of a page: `text` is exactly `page.text[start:end]`; keys are of the elements."""

    page: str
    start: int
    end: int
    text: str
    start_key: str = ""
    end_key: str = ""


@dataclass(frozen=True, slots=True)
class SpanAnswer:
    """A teacher's answer of QuAC; no span means that the section does not answer."""

    span: CorpusSpan | None
    continuation: Continuation
    affirmation: Affirmation


@dataclass(frozen=True, slots=True)
class FreeAnswer:
    """An answer of TopiOCQA: free text with its rationale; no rationale means unanswerable."""

    text: str
    rationale: CorpusSpan | None


@dataclass(frozen=True, slots=True)
class PragmaticAnswer:
    """A teacher's answer of PragmatiCQA, in its three steps."""

    literal: tuple[CorpusSpan, ...]
    literal_answer: LiteralAnswer | None  # in place of spans
    pragmatic: tuple[CorpusSpan, ...]
    text: str


@dataclass(frozen=True, slots=True)
class WrittenQuestion:
    """A question and answer of QAConv; without answers it is unanswerable."""

    question: str
    answers: tuple[str, ...]
    offered: tuple[str, ...] = ()  # the generated questions that were shown
    chosen: int | None = None  # which of them was answered, perhaps modified


# People and what they did ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Worker:
    """A person under an id that says nothing of who they are."""

    id: str
    joined: datetime
    platform: str = ""  # "prolific", "mturk", or empty for a plain link
    qualified: bool = False
    blocked: bool = False
    may_teach: tuple[str, ...] = ()  # topics whose background test was passed
    inclinations: Mapping[str, Inclination] = field(default_factory=dict)  # by topic


@dataclass(frozen=True, slots=True)
class Seat:
    """Who has which role in a dialog; `worker` is `assistant` for the program's own part."""

    role: Role
    worker: str


@dataclass(frozen=True, slots=True)
class Dialog:
    """One piece of joint work: a dialog of two, or the task of one annotator.

    `subject` names what it is about: for QuAC `page#number of section`, for TopiOCQA a page, for
    PragmatiCQA a topic, for QAConv a chunk. `about` is the dialog that a validation or
    verification annotates. `arms` are the techniques that were on in it.
    """

    id: str
    protocol: ProtocolName
    task: Task
    subject: str
    seats: tuple[Seat, ...]
    began: datetime
    state: DialogState = "live"
    ended: datetime | None = None
    reason: str = ""  # why it ended
    turns: int = 0  # completed ones
    kept: bool = False  # has the turns that the protocol asks for, and nobody withdrew
    practice: bool = False
    assisted: bool = False  # a person edited the assistant's drafts
    about: str = ""
    arms: Mapping[str, bool] = field(default_factory=dict)
    setup: Mapping[str, Any] = field(default_factory=dict)  # what the protocol drew at the start
    review: Review = "pending"


@dataclass(frozen=True, slots=True)
class Action:
    """One accepted act, in the order of `number`; the state of a dialog is a fold over them."""

    id: str  # chosen by the client; the same id again is the same action
    dialog: str
    number: int
    role: Role
    worker: str
    kind: str
    fields: Mapping[str, Any]
    time: datetime


@dataclass(frozen=True, slots=True)
class Turn:
    """A completed turn of a kept or discarded dialog, as `protocols` read it from the actions."""

    dialog: str
    number: int  # from 1
    question: str
    answer: SpanAnswer | FreeAnswer | PragmaticAnswer | WrittenQuestion
    asked: datetime
    answered: datetime
    ratings: Mapping[str, int] | None = None  # PragmatiCQA, by the names of RATINGS


@dataclass(frozen=True, slots=True)
class Annotation:
    """A further answer to a turn by somebody else, from a validation or verification."""

    dialog: str  # the annotated one
    number: int  # the turn
    worker: str
    task: str  # id of the dialog in which it was made
    time: datetime
    answer: SpanAnswer | FreeAnswer | WrittenQuestion | None = None
    option: Literal["", "A", "B", "C", "D"] = ""  # of a verification
    trap: bool = False  # the question was planted, and B is right


@dataclass(frozen=True, slots=True)
class Survey:
    """A worker's answers to a form: `exit`, `qualification` or `background`."""

    worker: str
    kind: str
    answers: Mapping[str, Any]
    time: datetime
    dialog: str = ""
    topic: str = ""
    score: float | None = None
    passed: bool | None = None


@dataclass(frozen=True, slots=True)
class Flag:
    """Something for the admin to look at: a report of the partner, a failed trap, a timeout."""

    id: str
    kind: str
    worker: str  # whom it is about
    time: datetime
    by: str = ""
    dialog: str = ""
    text: str = ""
    resolved: bool = False


@dataclass(frozen=True, slots=True)
class StudyRecords:
    """Everything of a study at one moment: what exports, statements and figures are made from."""

    name: str
    protocol: ProtocolName
    corpus: Corpus
    workers: tuple[Worker, ...] = ()
    dialogs: tuple[Dialog, ...] = ()
    turns: tuple[Turn, ...] = ()
    annotations: tuple[Annotation, ...] = ()
    surveys: tuple[Survey, ...] = ()
    pay: tuple[Entry, ...] = ()
    flags: tuple[Flag, ...] = ()
    currency: str = "USD"
