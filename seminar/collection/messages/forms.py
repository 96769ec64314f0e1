"""The bodies of the HTTP requests and responses of workers."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import msgspec

from seminar.collection.records import Inclination

Short = Annotated[str, msgspec.Meta(max_length=200)]


class Form(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base of what clients send in requests."""


class Join(Form, frozen=True):
    """Who comes from where: the parameters of the platform's link, as the address has them.

    Prolific: PROLIFIC_PID, STUDY_ID, SESSION_ID. MTurk: workerId, assignmentId, hitId,
    turkSubmitTo. Without a platform: `code`, if the study asks for one, or nothing.
    """

    parameters: Annotated[dict[Short, Short], msgspec.Meta(max_length=20)] = msgspec.field(
        default_factory=dict
    )


class Joined(msgspec.Struct, frozen=True, kw_only=True):
    """The worker's token for all further requests (`Authorization: Bearer`) and the socket."""

    token: str
    standing: Standing


class Consent(Form, frozen=True):
    """Agreement to the consent text of that version."""

    version: Short
    agreed: bool


class Inclinations(Form, frozen=True):
    """PragmatiCQA's survey: -2 really want to learn ... 2 really want to teach, by topic's id."""

    levels: Annotated[dict[Short, Inclination], msgspec.Meta(min_length=1, max_length=100)]


class BackgroundAnswers(Form, frozen=True):
    """Of each title, by its place in the list: "related", "unrelated" or "unknown"."""

    answers: Annotated[tuple[Short, ...], msgspec.Meta(max_length=50)]


class QualificationAnswers(Form, frozen=True):
    """Of each item, by its place in the list, the chosen option's place."""

    answers: Annotated[tuple[int, ...], msgspec.Meta(max_length=100)]


class SurveyAnswers(Form, frozen=True):
    """By the names of the survey's questions: a number from 1 to 5, an option or a text."""

    answers: Annotated[
        dict[Short, int | Annotated[str, msgspec.Meta(max_length=2_000)]],
        msgspec.Meta(max_length=50),
    ]


class Begin(Form, frozen=True):
    """Begin a task alone: "write" (QAConv), "validation", "verification" or "practice".

    `role` is that of the practice.
    """

    task: Short
    role: Short = ""


class Begun(msgspec.Struct, frozen=True):
    """The dialog that was begun; its view comes by the socket."""

    dialog: str


class Withdrawal(Form, frozen=True):
    """`confirmed` must be true: everything of the worker is deleted."""

    confirmed: bool


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """Where a worker is in the study.

    `step` names the page to show: "consent", "qualification", "unqualified", "inclinations",
    "background", "lobby", "waiting", "dialog", "exit survey", "done", "blocked", "closed".
    """

    worker: str
    step: str
    dialog: str = ""  # the live one, or the one whose exit survey is open
    topic: str = ""  # of the open background test
    roles: tuple[str, ...] = ()  # that may be taken now
    tasks: tuple[str, ...] = ()  # that may be begun alone: "write", "validation", "practice" ...
    earned: int = 0
    currency: str = "USD"
    completion_code: str = ""  # for the platform, once there is work to hand in
    completion_url: str = ""
    notices: tuple[str, ...] = ()


class Option(msgspec.Struct, frozen=True):
    """A topic of the survey of inclinations."""

    id: str
    title: str
    genre: str


class InclinationSurvey(msgspec.Struct, frozen=True):
    """The topics, of which all are to be answered."""

    topics: tuple[Option, ...]


class BackgroundTest(msgspec.Struct, frozen=True):
    """Titles to be sorted into related and unrelated; `passed` once it was answered."""

    topic: str
    title: str
    titles: tuple[str, ...]
    score: int | None = None
    passed: bool | None = None


class QualificationItem(msgspec.Struct, frozen=True):
    """A question with its options."""

    text: str
    options: tuple[str, ...]


class Qualification(msgspec.Struct, frozen=True, kw_only=True):
    """The study's test; `attempts_left` before one is refused."""

    text: str
    items: tuple[QualificationItem, ...]
    attempts_left: int
    score: int | None = None
    passed: bool | None = None


class SurveyQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """`kind` is "scale" (1 to 5), "choice" (of `options`) or "text"."""

    name: str
    text: str
    kind: str
    options: tuple[str, ...] = ()
    required: bool = True


class SurveyForm(msgspec.Struct, frozen=True):
    """The exit survey of a dialog, for one's role in it."""

    dialog: str
    questions: tuple[SurveyQuestion, ...]


class StudyTexts(msgspec.Struct, frozen=True, kw_only=True):
    """What anybody may know of a study; texts are Markdown, to be shown without raw HTML."""

    name: str
    title: str
    protocol: str
    state: str  # "open", "paused", "closed"
    platform: str  # "", "prolific", "mturk"
    needs_code: bool
    introduction: str
    consent: str
    consent_version: str
    instructions: dict[str, str]  # by role
    currency: str
    report_problems: tuple[str, ...]
    practice: tuple[str, ...]  # roles that may be practised
    minimum_turns: int
    contact: str


class PayLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the worker's pay, in minor units."""

    time: datetime
    kind: str
    amount: int
    dialog: str
    note: str


class PayStatement(msgspec.Struct, frozen=True, kw_only=True):
    """All lines and their sum."""

    currency: str
    lines: tuple[PayLine, ...]
    total: int
