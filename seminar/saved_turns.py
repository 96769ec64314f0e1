"""Turns as `Session.save` and `seminar ask --json` write them, checked field by field when read."""

from __future__ import annotations

from typing import Annotated, TypeVar

import msgspec

from seminar.answering.records import Record
from seminar.errors import SeminarError
from seminar.types import Affirmation, Continuation, Role, Switch

Offset = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
_Saved = TypeVar("_Saved")


class SavedSpan(msgspec.Struct, kw_only=True):
    """Quoted words and where they stand."""

    text: str
    id: str = ""
    source: str
    document: str = ""
    start: Offset
    end: Offset
    title: str
    section: str
    page: int | None = None
    line: int | None = None
    column: int | None = None
    place: str | None = None
    speaker: str | None = None
    time: str | None = None


class SavedExtra(SavedSpan, kw_only=True):
    """Words that were not asked for, and why they were added."""

    role: Role


class SavedAlternative(msgspec.Struct):
    """A further answer."""

    text: str
    reading: str
    score: float
    span: SavedSpan


class SavedSegment(msgspec.Struct):
    """A sentence that a language model wrote."""

    text: str
    spans: list[SavedSpan]
    score: float
    side: str = ""
    role: Role | None = None


class SavedTokens(msgspec.Struct):
    """What a language model read and wrote."""

    read: int
    written: int


class SavedProse(msgspec.Struct):
    """The prose of a language model."""

    text: str
    segments: list[SavedSegment]
    left_out: int
    tokens: SavedTokens
    clarification: str = ""


class SavedRepresentation(msgspec.Struct):
    """A form of the question that was searched."""

    text: str
    weight: float


class SavedHit(msgspec.Struct):
    """A passage that was found."""

    id: str
    source: str
    start: Offset
    end: Offset
    title: str
    section: str
    score: float


class SavedTurn(msgspec.Struct, kw_only=True):
    """A turn with the fields of `reply_record`, in their order; earlier versions wrote fewer."""

    question: str
    text: str
    answerable: bool
    literal: list[SavedSpan]
    pragmatic: list[SavedExtra]
    affirmation: Affirmation = "neither"
    continuation: Continuation = "maybe"
    alternatives: list[SavedAlternative] = []
    followups: list[str]
    topic: str
    switch: Switch | None
    score: float | None = None
    meta: bool = False
    nearest: SavedSpan | None = None
    prose: SavedProse | None = None
    query: str
    representations: list[SavedRepresentation] = []
    notes: list[str] = []
    hits: list[SavedHit] = []
    seconds: float = 0.0

    @property
    def record(self) -> Record:
        """The turn as plain data, every field present."""
        return msgspec.to_builtins(self)  # type: ignore[no-any-return]


class SavedQuestion(msgspec.Struct):
    """A turn of which only the question is wanted."""

    question: str


def decode_saved(line: str, kind: type[_Saved], place: str) -> _Saved:
    """What a line holds; an error names the field that is not as it was saved."""
    try:
        return msgspec.json.decode(line, type=kind)
    except (ValueError, RecursionError) as error:
        raise _unfit(place, error) from None


def convert_saved(record: object, place: str) -> SavedTurn:
    """A turn that was decoded already, as from an export."""
    try:
        return msgspec.convert(record, SavedTurn)
    except (ValueError, RecursionError) as error:
        raise _unfit(place, error) from None


def _unfit(place: str, error: Exception) -> SeminarError:
    reason = str(error).replace(" - at `$.", " at `").replace(" - at `$`", "")
    return SeminarError(
        f"{place}: not a turn as /save or seminar ask --json writes it ({reason[:200]})"
    )
