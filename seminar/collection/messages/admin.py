"""The bodies of the HTTP requests and responses of the study's admin."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

import msgspec

from seminar.collection.messages.forms import Form, Short
from seminar.collection.records import Review

StudyState = Literal["open", "paused", "closed"]
Note = Annotated[str, msgspec.Meta(max_length=2_000)]


class ChangeState(Form, frozen=True):
    """Pause: live dialogs go on, none begins. Close: joining ends too."""

    state: StudyState


class ChangeWorker(Form, frozen=True):
    """What is to change; None leaves it as it is."""

    blocked: bool | None = None
    qualified: bool | None = None
    note: Note = ""


class ReviewDialog(Form, frozen=True):
    """Approve or reject a dialog; a rejected one is not exported, what was paid stays paid."""

    review: Review
    note: Note = ""


class ResolveFlag(Form, frozen=True):
    """Mark a flag as looked at."""

    note: Note = ""


class Message(Form, frozen=True):
    """A notice to one worker, or to all who are there."""

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=1_000)]
    worker: Short = ""


class Bonus(Form, frozen=True):
    """An amount beside the plan, in minor units; `key` makes a repeated request harmless."""

    key: Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9_-]{1,60}$")]
    worker: Short
    amount: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
    note: Note = ""


class FunnelStep(msgspec.Struct, frozen=True):
    """How many workers got as far as this."""

    name: str
    workers: int


class LiveSeat(msgspec.Struct, frozen=True, kw_only=True):
    """A role in a dialog, who has it, and whether they are connected."""

    role: str
    worker: str
    here: bool


class DialogLine(msgspec.Struct, frozen=True, kw_only=True):
    """A dialog in a list."""

    id: str
    task: str
    subject: str
    title: str
    seats: tuple[LiveSeat, ...]
    state: str
    reason: str
    turns: int
    kept: bool
    practice: bool
    assisted: bool
    review: Review
    began: datetime
    changed: datetime
    about: str


class FlagLine(msgspec.Struct, frozen=True, kw_only=True):
    """Something to look at."""

    id: str
    kind: str
    worker: str
    by: str
    dialog: str
    text: str
    time: datetime
    resolved: bool


class WorkerLine(msgspec.Struct, frozen=True, kw_only=True):
    """A worker in a list."""

    id: str
    platform: str
    joined: datetime
    step: str
    here: bool
    qualified: bool
    blocked: bool
    dialogs: int
    turns: int
    flags: int
    earned: int


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """A measure over the annotated turns; `value` is None where there are none yet."""

    name: str
    value: float | None
    turns: int


class Overview(msgspec.Struct, frozen=True, kw_only=True):
    """The dashboard's first page; to be asked for again every few seconds."""

    name: str
    protocol: str
    state: StudyState
    currency: str
    time: datetime
    funnel: tuple[FunnelStep, ...]
    waiting: int
    live: tuple[DialogLine, ...]
    dialogs: dict[str, int]  # "kept", "discarded", "live", "wanted"
    turns: int
    flags: tuple[FlagLine, ...]  # those not resolved
    agreement: tuple[Agreement, ...]
    owed: int  # minor units, of all workers
    exports: tuple[str, ...]  # names for `GET admin/exports/{name}`


class DialogPage(msgspec.Struct, frozen=True):
    """A list of dialogs, newest first; `next` continues it as `before`, or is empty."""

    dialogs: tuple[DialogLine, ...]
    next: str


class WorkerPage(msgspec.Struct, frozen=True):
    """A list of workers, newest first; `next` continues it as `before`, or is empty."""

    workers: tuple[WorkerLine, ...]
    next: str


class StoredAction(msgspec.Struct, frozen=True, kw_only=True):
    """An action as it is stored."""

    number: int
    role: str
    worker: str
    kind: str
    fields: dict[str, object]
    time: datetime


class DialogDetails(msgspec.Struct, frozen=True):
    """A dialog with every action of it."""

    dialog: DialogLine
    actions: tuple[StoredAction, ...]
