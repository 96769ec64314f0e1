"""The tables of a study's database; the same for SQLite and PostgreSQL.

One database holds one study. A worker's name at the platform stands in `identities` alone.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, LargeBinary, String, Text, UniqueConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from seminar.serving.storage.schema import UtcDateTime, now

ID = String(64)
SCHEMA = 2


class StudyBase(DeclarativeBase):
    """The base of all tables of a study."""

    type_annotation_map = {datetime: UtcDateTime, dict[str, Any]: JSON}  # noqa: RUF012


class Setting(StudyBase):
    """What is true of the study: its name, protocol, schema and state."""

    __tablename__ = "settings"
    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    value: Mapped[str] = mapped_column(Text)


class WorkerRow(StudyBase):
    __tablename__ = "workers"
    id: Mapped[str] = mapped_column(ID, primary_key=True)
    platform: Mapped[str] = mapped_column(String(20), default="")
    joined: Mapped[datetime] = mapped_column(default=now)
    consent: Mapped[str] = mapped_column(String(20), default="")  # version agreed to
    qualified: Mapped[bool] = mapped_column(default=False)
    blocked: Mapped[bool] = mapped_column(default=False)
    code: Mapped[str] = mapped_column(String(40), default="")  # to hand in


class IdentityRow(StudyBase):
    """A worker's id at the platform, and the parameters of the newest assignment."""

    __tablename__ = "identities"
    worker: Mapped[str] = mapped_column(
        ForeignKey("workers.id", ondelete="CASCADE"), primary_key=True
    )
    platform: Mapped[str] = mapped_column(String(20))
    external: Mapped[str] = mapped_column(String(200))
    parameters: Mapped[dict[str, Any]] = mapped_column(default=dict)
    __table_args__ = (UniqueConstraint("platform", "external"),)


class TokenRow(StudyBase):
    """Only hashes of tokens are kept."""

    __tablename__ = "tokens"
    secret_hash: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    worker: Mapped[str] = mapped_column(ForeignKey("workers.id", ondelete="CASCADE"), index=True)
    created: Mapped[datetime] = mapped_column(default=now)


class DialogRow(StudyBase):
    """A dialog or task; `settled` changes with what others may do about it, not by actions."""

    __tablename__ = "dialogs"
    id: Mapped[str] = mapped_column(ID, primary_key=True)
    task: Mapped[str] = mapped_column(String(20))
    subject: Mapped[str] = mapped_column(Text)
    began: Mapped[datetime] = mapped_column(default=now, index=True)
    changed: Mapped[datetime] = mapped_column(default=now)
    settled: Mapped[datetime] = mapped_column(default=now, index=True)
    state: Mapped[str] = mapped_column(String(10), default="live", index=True)
    ended: Mapped[datetime | None]
    reason: Mapped[str] = mapped_column(String(40), default="")
    turns: Mapped[int] = mapped_column(default=0)
    kept: Mapped[bool] = mapped_column(default=False)
    practice: Mapped[bool] = mapped_column(default=False)
    assisted: Mapped[bool] = mapped_column(default=False)
    about: Mapped[str] = mapped_column(ID, default="", index=True)
    arms: Mapped[dict[str, Any]] = mapped_column(default=dict)
    setup: Mapped[dict[str, Any]] = mapped_column(default=dict)
    review: Mapped[str] = mapped_column(String(10), default="pending")


class SeatRow(StudyBase):
    __tablename__ = "seats"
    dialog: Mapped[str] = mapped_column(
        ForeignKey("dialogs.id", ondelete="CASCADE"), primary_key=True
    )
    role: Mapped[str] = mapped_column(String(30), primary_key=True)
    worker: Mapped[str] = mapped_column(ID, index=True)


class ActionRow(StudyBase):
    """An accepted action; its number and its id are each unique in a dialog."""

    __tablename__ = "actions"
    dialog: Mapped[str] = mapped_column(
        ForeignKey("dialogs.id", ondelete="CASCADE"), primary_key=True
    )
    number: Mapped[int] = mapped_column(primary_key=True)
    id: Mapped[str] = mapped_column(ID)
    role: Mapped[str] = mapped_column(String(30))
    worker: Mapped[str] = mapped_column(ID)
    kind: Mapped[str] = mapped_column(String(40))
    fields: Mapped[dict[str, Any]]
    time: Mapped[datetime]
    __table_args__ = (UniqueConstraint("dialog", "id"),)


class ReaderAnswerRow(StudyBase):
    """What the reader answers to a written question of QAConv; empty: it finds no answer."""

    __tablename__ = "reader_answers"
    dialog: Mapped[str] = mapped_column(
        ForeignKey("dialogs.id", ondelete="CASCADE"), primary_key=True
    )
    answer: Mapped[str] = mapped_column(Text)


class SurveyRow(StudyBase):
    """Answers to a form: "inclinations", "background", "qualification" or "exit"."""

    __tablename__ = "surveys"
    id: Mapped[str] = mapped_column(ID, primary_key=True)
    worker: Mapped[str] = mapped_column(ForeignKey("workers.id", ondelete="CASCADE"), index=True)
    kind: Mapped[str] = mapped_column(String(20))
    answers: Mapped[dict[str, Any]]
    time: Mapped[datetime] = mapped_column(default=now)
    dialog: Mapped[str] = mapped_column(ID, default="")
    topic: Mapped[str] = mapped_column(Text, default="")
    score: Mapped[float | None]
    passed: Mapped[bool | None]


class PayRow(StudyBase):
    """A line of the ledger, in minor units; lines are only ever added."""

    __tablename__ = "pay"
    key: Mapped[str] = mapped_column(String(200), primary_key=True)
    worker: Mapped[str] = mapped_column(ID, index=True)
    kind: Mapped[str] = mapped_column(String(40))
    amount: Mapped[int]
    currency: Mapped[str] = mapped_column(String(3))
    at: Mapped[datetime]
    dialogue: Mapped[str] = mapped_column(ID, default="")
    note: Mapped[str] = mapped_column(Text, default="")
    reverses: Mapped[str] = mapped_column(String(200), default="")


class FlagRow(StudyBase):
    __tablename__ = "flags"
    id: Mapped[str] = mapped_column(ID, primary_key=True)
    kind: Mapped[str] = mapped_column(String(40))
    worker: Mapped[str] = mapped_column(ID, index=True)
    time: Mapped[datetime] = mapped_column(default=now)
    by: Mapped[str] = mapped_column(ID, default="")
    dialog: Mapped[str] = mapped_column(ID, default="")
    text: Mapped[str] = mapped_column(Text, default="")
    resolved: Mapped[bool] = mapped_column(default=False)


class NoticeRow(StudyBase):
    """A message of the admin to one worker."""

    __tablename__ = "notices"
    id: Mapped[str] = mapped_column(ID, primary_key=True)
    worker: Mapped[str] = mapped_column(ForeignKey("workers.id", ondelete="CASCADE"), index=True)
    text: Mapped[str] = mapped_column(Text)
    time: Mapped[datetime] = mapped_column(default=now)


class ProcessRow(StudyBase):
    """A process that serves the study, as long as it renews `seen`; times are the database's."""

    __tablename__ = "processes"
    id: Mapped[str] = mapped_column(ID, primary_key=True)
    seen: Mapped[datetime]
    serves: Mapped[str] = mapped_column(String(64))  # hash of the study and of its admin's token


class PresenceRow(StudyBase):
    """A worker with an open socket at a process."""

    __tablename__ = "presence"
    worker: Mapped[str] = mapped_column(
        ForeignKey("workers.id", ondelete="CASCADE"), primary_key=True
    )
    process: Mapped[str] = mapped_column(
        ForeignKey("processes.id", ondelete="CASCADE"), primary_key=True, index=True
    )


class WaitingRow(StudyBase):
    """A worker in the lobby; `role` empty: any."""

    __tablename__ = "waiting"
    worker: Mapped[str] = mapped_column(
        ForeignKey("workers.id", ondelete="CASCADE"), primary_key=True
    )
    role: Mapped[str] = mapped_column(String(30), default="")
    since: Mapped[datetime] = mapped_column(default=now)


Index("surveys_by_kind", SurveyRow.worker, SurveyRow.kind)
