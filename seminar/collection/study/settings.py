"""The settings of a study, as STUDY.toml has them.

Unknown keys are errors. Amounts of money are decimals in quotes; `study.loading` reads, checks and
completes them.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

Percent = Annotated[int, msgspec.Meta(ge=0, le=100)]
Count = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
Seconds = Annotated[float, msgspec.Meta(gt=0, le=86_400)]
Amount = Annotated[str, msgspec.Meta(pattern=r"^\d{1,9}(\.\d{1,3})?$")]
StudyName = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9][a-z0-9_-]{0,59}$")]
PROBLEMS = ("rude or offensive", "doesn't follow the instructions", "doesn't answer", "other")


class Table(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base of the tables of STUDY.toml."""


class Texts(Table, frozen=True):
    """What workers read, in Markdown; a value that ends in `.md` names a file beside STUDY.toml."""

    consent: str
    introduction: str = ""
    contact: str = ""
    instructions: dict[str, str] = msgspec.field(default_factory=dict)  # by role


class PayTable(Table, frozen=True):
    """The rates, as `pay.schedule.PayPlan` describes them."""

    currency: str = "USD"
    base: Amount = "0"
    turn: Amount = "0"
    extra: Amount = "0"
    growth: Amount = "0"
    minimum: Count | None = None  # turns; None: those below which a dialog is discarded
    most: Count = 1_000
    partial: Percent = 100
    annotation: Amount = "0"
    roles: dict[str, Amount] = msgspec.field(default_factory=dict)


class Quotas(Table, frozen=True):
    """How much is collected; 0 means without a limit."""

    dialogs: Count = 0  # kept ones
    per_subject: Count = 1
    per_worker: Count = 0  # dialogs, without tasks and practice


class Times(Table, frozen=True):
    """In seconds."""

    grace: Seconds = 60.0  # to come back after a connection was lost
    idle: Seconds = 300.0  # to act in a dialog of two
    task: Seconds = 3_600.0  # to act in a task that is done alone
    patience: Seconds = 60.0  # in the lobby, before one who isn't interested is a partner too


class Validation(Table, frozen=True):
    """Further annotations of kept dialogs, by others; 0 turns them off."""

    annotations: Count = 0
    share: Percent = 100  # of the kept dialogs


class QualificationQuestion(Table, frozen=True):
    """A question with its options; `answer` is the number of the right one, from 0."""

    text: str
    options: Annotated[list[str], msgspec.Meta(min_length=2, max_length=10)]
    answer: Count


class QualificationTable(Table, frozen=True):
    """A test before the first dialog; without items there is none."""

    text: str = ""
    items: list[QualificationQuestion] = []
    pass_mark: Count = 0  # right answers
    attempts: Annotated[int, msgspec.Meta(ge=1, le=10)] = 2


class Platform(Table, frozen=True):
    """Where workers come from, and how they hand in."""

    name: Literal["", "prolific", "mturk"] = ""
    completion_code: str = ""  # of Prolific, as its study page has it
    join_code: str = ""  # that workers of a plain link must know


class SurveyItem(Table, frozen=True):
    """A question of the exit survey; `roles` empty: for all."""

    name: Annotated[str, msgspec.Meta(pattern="^[a-z][a-z0-9_]{0,39}$")]
    text: str
    kind: Literal["scale", "choice", "text"] = "scale"
    options: list[str] = []
    roles: list[str] = []
    required: bool = True


class AssistantTable(Table, frozen=True):
    """What the assistant does: practice with workers, and drafts for teachers (wizard of Oz)."""

    practice: list[str] = []  # roles of people who may practise with it
    drafts: bool = False
    reader: str = "span"


class StudyTable(Table, frozen=True):
    """STUDY.toml."""

    name: StudyName
    title: str
    protocol: str
    corpus: str  # folder
    texts: Texts
    seed: Count = 0
    pay: PayTable = PayTable()
    quotas: Quotas = Quotas()
    times: Times = Times()
    validation: Validation = Validation()
    qualification: QualificationTable = QualificationTable()
    platform: Platform = Platform()
    assistant: AssistantTable = AssistantTable()
    survey: list[SurveyItem] = []
    report_problems: list[str] = msgspec.field(default_factory=lambda: list(PROBLEMS))
    options: dict[str, Any] = {}
