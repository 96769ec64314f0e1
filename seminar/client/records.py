"""What the service sends, as frozen data; `record` is the JSON object with all of its fields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Record = Mapping[str, Any]
StageName = Literal["searched", "quick", "writing", "answer", "followups", "done"]


@dataclass(frozen=True, slots=True)
class Span:
    """Words of a source: offsets count characters of the text extracted from `document`."""

    text: str
    source: str
    start: int
    end: int
    title: str
    section: str
    page: int | None
    line: int | None
    speaker: str | None
    time: str | None
    document: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that was found."""

    source: str
    start: int
    end: int
    text: str
    title: str
    section: str
    score: float


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply to a question, its words with their places."""

    text: str
    answerable: bool
    literal: tuple[Span, ...]
    affirmation: str
    score: float | None
    followups: tuple[str, ...]
    nearest: Span | None
    hits: tuple[Hit, ...]
    record: Record


@dataclass(frozen=True, slots=True)
class Turn:
    """A question and its reply, numbered from 1."""

    number: int
    question: str
    reply: Reply
    feedback: Record | None
    created: str


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage of a turn; `turn` is set in the last one, "done"."""

    name: StageName
    record: Record
    turn: Turn | None = None


@dataclass(frozen=True, slots=True)
class Collection:
    """Files that are asked together."""

    id: str
    name: str
    role: str
    files: int
    passages: int
    record: Record


@dataclass(frozen=True, slots=True)
class Job:
    """A run of indexing: "waiting", "running", "done" or "failed"."""

    id: str
    state: str
    stage: str
    done: int
    total: int
    error: str | None
    record: Record


@dataclass(frozen=True, slots=True)
class Dialogue:
    """A conversation with a collection."""

    id: str
    title: str
    collection: str
    scope: str
    turns: tuple[Turn, ...]
    record: Record


@dataclass(frozen=True, slots=True)
class Source:
    """A source around a place."""

    title: str
    kind: str
    blocks: tuple[Record, ...]
    before: int | None
    after: int | None


def to_span(record: Record) -> Span:
    return Span(**{name: record[name] for name in Span.__slots__})


def to_hit(record: Record) -> Hit:
    return Hit(**{name: record[name] for name in Hit.__slots__})


def to_reply(record: Record) -> Reply:
    return Reply(
        text=record["text"],
        answerable=record["answerable"],
        literal=tuple(map(to_span, record["literal"])),
        affirmation=record["affirmation"],
        score=record["score"],
        followups=tuple(record["followups"]),
        nearest=to_span(record["nearest"]) if record["nearest"] else None,
        hits=tuple(map(to_hit, record["hits"])),
        record=record,
    )


def to_turn(record: Record) -> Turn:
    return Turn(
        record["number"],
        record["question"],
        to_reply(record["reply"]),
        record["feedback"],
        record["created"],
    )


def to_stage(name: StageName, record: Record) -> Stage:
    return Stage(name, record, to_turn(record) if name == "done" else None)


def to_collection(record: Record) -> Collection:
    fields = ("id", "name", "role", "files", "passages")
    return Collection(**{name: record[name] for name in fields}, record=record)


def to_job(record: Record) -> Job:
    progress = record["progress"]
    return Job(
        id=record["id"],
        state=record["state"],
        stage=progress["stage"],
        done=progress["done"],
        total=progress["total"],
        error=record["error"],
        record=record,
    )


def to_dialogue(record: Record) -> Dialogue:
    turns = tuple(map(to_turn, record.get("turns", ())))
    fields = ("id", "title", "collection", "scope")
    return Dialogue(**{name: record[name] for name in fields}, turns=turns, record=record)


def to_source(record: Record) -> Source:
    return Source(
        record["title"],
        record["kind"],
        tuple(record["blocks"]),
        record["before"],
        record["after"],
    )
