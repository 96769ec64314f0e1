"""The tables of the service: accounts and rights, collections and their jobs, dialogues and turns.

The same schema serves SQLite and PostgreSQL; `migrations/` creates it. Every id is random (a URL
can't be guessed), every time is UTC.
"""

from __future__ import annotations

import uuid
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Text,
    UniqueConstraint,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.types import TypeDecorator

ID_LENGTH = 32
NAME_LENGTH = 200


class UtcDateTime(TypeDecorator[datetime]):
    """A time in UTC, which SQLite stores without its zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value if value is None or value.tzinfo else value.replace(tzinfo=UTC)


def new_id() -> str:
    """A random id."""
    return uuid.uuid4().hex


def now() -> datetime:
    return datetime.now(UTC)


class Table(DeclarativeBase):
    """The base of all tables."""

    type_annotation_map = {datetime: UtcDateTime, dict[str, Any]: JSON}  # noqa: RUF012


class Account(Table):
    """A person: `password` is an argon2id hash, `subject` identifies them at an OIDC provider.

    The single-user mode has one account named "local", without a password.
    """

    __tablename__ = "accounts"
    id: Mapped[str] = mapped_column(String(ID_LENGTH), primary_key=True, default=new_id)
    name: Mapped[str] = mapped_column(String(NAME_LENGTH), unique=True)
    password: Mapped[str | None] = mapped_column(Text)
    issuer: Mapped[str | None] = mapped_column(String(255))
    subject: Mapped[str | None] = mapped_column(String(255))
    is_admin: Mapped[bool] = mapped_column(default=False)
    is_active: Mapped[bool] = mapped_column(default=True)
    created: Mapped[datetime] = mapped_column(default=now)
    __table_args__ = (UniqueConstraint("issuer", "subject"),)


class Group(Table):
    """A group of accounts with which collections are shared."""

    __tablename__ = "groups"
    id: Mapped[str] = mapped_column(String(ID_LENGTH), primary_key=True, default=new_id)
    name: Mapped[str] = mapped_column(String(NAME_LENGTH), unique=True)


class Membership(Table):
    __tablename__ = "memberships"
    group_id: Mapped[str] = mapped_column(
        ForeignKey("groups.id", ondelete="CASCADE"), primary_key=True
    )
    account_id: Mapped[str] = mapped_column(
        ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True
    )


class LoginSession(Table):
    """A browser's session, of an account or of a visitor with a public link.

    Only a hash of its cookie is kept. A visitor's dialogues end with the session.
    """

    __tablename__ = "login_sessions"
    id: Mapped[str] = mapped_column(String(ID_LENGTH), primary_key=True, default=new_id)
    account_id: Mapped[str | None] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"))
    link_id: Mapped[str | None] = mapped_column(ForeignKey("public_links.id", ondelete="CASCADE"))
    secret_hash: Mapped[bytes] = mapped_column(LargeBinary(32), unique=True)
    csrf: Mapped[str] = mapped_column(String(64))
    created: Mapped[datetime] = mapped_column(default=now)
    expires: Mapped[datetime]


class ApiToken(Table):
    """A token for programs; only its hash is kept. `scopes` are words such as "ask", "write"."""

    __tablename__ = "api_tokens"
    id: Mapped[str] = mapped_column(String(ID_LENGTH), primary_key=True, default=new_id)
    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(NAME_LENGTH))
    secret_hash: Mapped[bytes] = mapped_column(LargeBinary(32), unique=True)
    scopes: Mapped[str] = mapped_column(String(NAME_LENGTH))
    created: Mapped[datetime] = mapped_column(default=now)
    expires: Mapped[datetime | None]
    used: Mapped[datetime | None]


class Invitation(Table):
    """A link that makes an account, the first admin's too, or sets a new password."""

    __tablename__ = "invitations"
    id: Mapped[str] = mapped_column(String(ID_LENGTH), primary_key=True, default=new_id)
    purpose: Mapped[str] = mapped_column(String(20))  # "admin", "account", "password"
    secret_hash: Mapped[bytes] = mapped_column(LargeBinary(32), unique=True)
    account_id: Mapped[str | None] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"))
    created: Mapped[datetime] = mapped_column(default=now)
    expires: Mapped[datetime]
    used: Mapped[datetime | None]


class AuditEntry(Table):
    """Who did what to what; `details` never has secrets or the content of files."""

    __tablename__ = "audit_entries"
    id: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=True)
    time: Mapped[datetime] = mapped_column(default=now, index=True)
    account_id: Mapped[str | None] = mapped_column(String(ID_LENGTH))
    action: Mapped[str] = mapped_column(String(60))
    target: Mapped[str] = mapped_column(String(NAME_LENGTH), default="")
    details: Mapped[dict[str, Any]] = mapped_column(default=dict)


class Collection(Table):
    """Files that are asked together; `path` is a folder on the server that is asked in place.

    `version` grows with every published index, so that processes know when to reload it; `size` is
    the bytes of its uploaded files, which count for the owner's quota.
    """

    __tablename__ = "collections"
    id: Mapped[str] = mapped_column(String(ID_LENGTH), primary_key=True, default=new_id)
    owner_id: Mapped[str] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(NAME_LENGTH))
    path: Mapped[str | None] = mapped_column(Text)
    encoder: Mapped[str] = mapped_column(String(NAME_LENGTH), default="")
    version: Mapped[int] = mapped_column(default=0)
    size: Mapped[int] = mapped_column(BigInteger, default=0)
    created: Mapped[datetime] = mapped_column(default=now)
    deleted: Mapped[datetime | None]


class Grant(Table):
    """The right of an account or a group to a collection: "reader", "writer" or "owner"."""

    __tablename__ = "grants"
    id: Mapped[str] = mapped_column(String(ID_LENGTH), primary_key=True, default=new_id)
    collection_id: Mapped[str] = mapped_column(
        ForeignKey("collections.id", ondelete="CASCADE"), index=True
    )
    account_id: Mapped[str | None] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"))
    group_id: Mapped[str | None] = mapped_column(ForeignKey("groups.id", ondelete="CASCADE"))
    role: Mapped[str] = mapped_column(String(10))
    __table_args__ = (
        UniqueConstraint("collection_id", "account_id"),
        UniqueConstraint("collection_id", "group_id"),
    )


class PublicLink(Table):
    """A link with which anybody may read and ask a collection."""

    __tablename__ = "public_links"
    id: Mapped[str] = mapped_column(String(ID_LENGTH), primary_key=True, default=new_id)
    collection_id: Mapped[str] = mapped_column(ForeignKey("collections.id", ondelete="CASCADE"))
    secret_hash: Mapped[bytes] = mapped_column(LargeBinary(32), unique=True)
    created: Mapped[datetime] = mapped_column(default=now)
    expires: Mapped[datetime | None]


class Upload(Table):
    """A file on its way into a collection, in chunks; `received` bytes are on disk."""

    __tablename__ = "uploads"
    id: Mapped[str] = mapped_column(String(ID_LENGTH), primary_key=True, default=new_id)
    collection_id: Mapped[str] = mapped_column(ForeignKey("collections.id", ondelete="CASCADE"))
    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"))
    path: Mapped[str] = mapped_column(Text)
    size: Mapped[int] = mapped_column(BigInteger)
    received: Mapped[int] = mapped_column(BigInteger, default=0)
    created: Mapped[datetime] = mapped_column(default=now)


class Job(Table):
    """A run of indexing: "waiting", "running", "done" or "failed".

    The process that runs it renews `lease`; after the lease has ended another one takes it over.
    """

    __tablename__ = "jobs"
    id: Mapped[str] = mapped_column(String(ID_LENGTH), primary_key=True, default=new_id)
    collection_id: Mapped[str] = mapped_column(
        ForeignKey("collections.id", ondelete="CASCADE"), index=True
    )
    state: Mapped[str] = mapped_column(String(10), default="waiting")
    progress: Mapped[dict[str, Any]] = mapped_column(default=dict)
    error: Mapped[str | None] = mapped_column(Text)
    worker: Mapped[str | None] = mapped_column(String(ID_LENGTH))
    lease: Mapped[datetime | None]
    created: Mapped[datetime] = mapped_column(default=now)
    finished: Mapped[datetime | None]


class StoredDialogue(Table):
    """A conversation of an account, or of a visitor with a public link, over one collection."""

    __tablename__ = "dialogues"
    id: Mapped[str] = mapped_column(String(ID_LENGTH), primary_key=True, default=new_id)
    account_id: Mapped[str | None] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"))
    link_id: Mapped[str | None] = mapped_column(ForeignKey("public_links.id", ondelete="CASCADE"))
    visitor_id: Mapped[str | None] = mapped_column(
        ForeignKey("login_sessions.id", ondelete="CASCADE")
    )
    collection_id: Mapped[str] = mapped_column(ForeignKey("collections.id", ondelete="CASCADE"))
    title: Mapped[str] = mapped_column(String(NAME_LENGTH), default="")
    scope: Mapped[str] = mapped_column(Text, default="")
    forked_from: Mapped[str | None] = mapped_column(String(ID_LENGTH))
    created: Mapped[datetime] = mapped_column(default=now)
    changed: Mapped[datetime] = mapped_column(default=now)
    __table_args__ = (Index("dialogues_by_account", "account_id", "changed"),)


class StoredTurn(Table):
    """A question and its reply, as `seminar ask --json` prints it, numbered from 1.

    `key` is the client's idempotency key, so that a repeated request is not asked twice.
    """

    __tablename__ = "turns"
    dialogue_id: Mapped[str] = mapped_column(
        ForeignKey("dialogues.id", ondelete="CASCADE"), primary_key=True
    )
    number: Mapped[int] = mapped_column(primary_key=True)
    question: Mapped[str] = mapped_column(Text)
    reply: Mapped[dict[str, Any]]
    key: Mapped[str | None] = mapped_column(String(NAME_LENGTH))
    created: Mapped[datetime] = mapped_column(default=now)
    __table_args__ = (UniqueConstraint("dialogue_id", "key"),)


class Feedback(Table):
    """What a person says of a turn: right or wrong, and the words that would have been right."""

    __tablename__ = "feedback"
    id: Mapped[str] = mapped_column(String(ID_LENGTH), primary_key=True, default=new_id)
    dialogue_id: Mapped[str] = mapped_column(ForeignKey("dialogues.id", ondelete="CASCADE"))
    number: Mapped[int]
    account_id: Mapped[str | None] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"))
    right: Mapped[bool]
    span: Mapped[dict[str, Any] | None]  # source, start, end, text
    comment: Mapped[str] = mapped_column(Text, default="")
    created: Mapped[datetime] = mapped_column(default=now)
    __table_args__ = (UniqueConstraint("dialogue_id", "number", "account_id"),)
