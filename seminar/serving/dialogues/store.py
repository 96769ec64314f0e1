"""Dialogues and turns in the database; every statement has the caller's rights as a condition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Select, and_, func, or_, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from seminar.serving.dialogues.records import Record
from seminar.serving.identity.callers import Caller
from seminar.serving.identity.rights import own_dialogues
from seminar.serving.problems import Problem, not_found
from seminar.serving.storage.schema import (
    NAME_LENGTH,
    Collection,
    Feedback,
    StoredDialogue,
    StoredTurn,
    now,
)
from seminar.text import truncate

TITLE = 80  # characters of the first question that become the title
AROUND = 40  # characters before and after a match


class NumberTaken(Exception):
    """Another turn got the number, or has the idempotency key, in the meantime."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The part of a list: what it is searched for, and where it continues."""

    q: str = ""
    collection: str = ""
    limit: int = 50
    after: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """A dialogue of a list, and the turn that matched."""

    dialogue: StoredDialogue
    turn: StoredTurn | None = None


def find_dialogue(session: Session, caller: Caller, name: str) -> StoredDialogue:
    """A dialogue of the caller."""
    condition = and_(StoredDialogue.id == name, own_dialogues(caller))
    found = session.scalar(select(StoredDialogue).where(condition))
    if found is None:
        raise not_found("dialogue", name)
    return found


def turns_of(session: Session, dialogue: StoredDialogue) -> Sequence[StoredTurn]:
    """The turns of a dialogue, oldest first."""
    whose = StoredTurn.dialogue_id == dialogue.id
    return session.scalars(select(StoredTurn).where(whose).order_by(StoredTurn.number)).all()


def find_turn(session: Session, dialogue: StoredDialogue, number: int) -> StoredTurn:
    found = session.get(StoredTurn, (dialogue.id, number)) if 0 < number < 1 << 31 else None
    if found is None:
        raise not_found("turn", str(number))
    return found


def turn_with_key(session: Session, dialogue: StoredDialogue, key: str) -> StoredTurn | None:
    """The turn that an earlier request with the same idempotency key made."""
    condition = and_(StoredTurn.dialogue_id == dialogue.id, StoredTurn.key == key)
    return session.scalar(select(StoredTurn).where(condition))


def begin(
    session: Session, caller: Caller, collection: Collection, *, scope: str = "", title: str = ""
) -> StoredDialogue:
    """A new dialogue of the caller."""
    dialogue = StoredDialogue(
        account_id=caller.account_id,
        link_id=caller.link_id,
        visitor_id=caller.visitor_id,
        collection_id=collection.id,
        scope=scope,
        title=title[:NAME_LENGTH],
    )
    session.add(dialogue)
    session.flush()
    return dialogue


def fork(session: Session, caller: Caller, dialogue: StoredDialogue, number: int) -> StoredDialogue:
    """A new dialogue with the turns before a number."""
    turns = turns_of(session, dialogue)
    if not 1 <= number <= len(turns) + 1:
        raise Problem(422, f"number = {number}: name a turn from 1 to {len(turns) + 1}.")
    copy = StoredDialogue(
        account_id=caller.account_id,
        link_id=caller.link_id,
        visitor_id=caller.visitor_id,
        collection_id=dialogue.collection_id,
        scope=dialogue.scope,
        title=dialogue.title if number > 1 else "",
        forked_from=dialogue.id,
    )
    session.add(copy)
    session.flush()
    for turn in turns[: number - 1]:
        fields = {"question": turn.question, "reply": turn.reply, "created": turn.created}
        session.add(StoredTurn(dialogue_id=copy.id, number=turn.number, **fields))
    return copy


def add_turn(
    session: Session, dialogue: StoredDialogue, turn: StoredTurn
) -> tuple[StoredDialogue, StoredTurn]:
    """Add the next turn; `NumberTaken` if another one was added first."""
    turn.dialogue_id = dialogue.id
    session.add(turn)
    dialogue.title = dialogue.title or truncate(turn.question, TITLE)
    dialogue.changed = now()
    try:
        session.flush()
    except IntegrityError:
        raise NumberTaken from None
    return dialogue, turn


def count_turns(session: Session, dialogue: StoredDialogue) -> int:
    whose = StoredTurn.dialogue_id == dialogue.id
    return session.scalar(select(func.count()).select_from(StoredTurn).where(whose)) or 0


def list_dialogues(
    session: Session, caller: Caller, wanted: Wanted
) -> tuple[list[Found], str | None]:
    """The caller's dialogues, those changed last first, and the cursor of the next ones."""
    query = select(StoredDialogue).where(own_dialogues(caller))
    if wanted.collection:
        query = query.where(StoredDialogue.collection_id == wanted.collection)
    if wanted.after:
        query = query.where(_after(wanted.after))
    if wanted.q:
        of_it = StoredTurn.dialogue_id == StoredDialogue.id
        query = query.where(select(StoredTurn.number).where(of_it, _matching(wanted.q)).exists())
    query = query.order_by(StoredDialogue.changed.desc(), StoredDialogue.id.desc())
    rows = session.scalars(query.limit(wanted.limit + 1)).all()
    shown = rows[: wanted.limit]
    last = f"{shown[-1].changed.isoformat()}~{shown[-1].id}" if len(rows) > len(shown) else None
    if not wanted.q:
        return [Found(row) for row in shown], last
    return [Found(row, session.scalar(_first_turn(row, wanted.q))) for row in shown], last


def excerpt(turn: StoredTurn, q: str) -> str:
    """A few words around the first match of a search in a turn."""
    for text in (turn.question, str(turn.reply["text"])):
        at = text.lower().find(q.lower())
        if at >= 0:
            start, end = max(0, at - AROUND), min(len(text), at + len(q) + AROUND)
            left, right = "…" if start else "", "…" if end < len(text) else ""
            return f"{left}{text[start:end]}{right}"
    return truncate(turn.question, 2 * AROUND)


def feedback_of(session: Session, caller: Caller, dialogue: StoredDialogue) -> dict[int, Feedback]:
    """What the caller said of the turns of a dialogue, by number."""
    condition = and_(Feedback.dialogue_id == dialogue.id, _by(caller))
    return {one.number: one for one in session.scalars(select(Feedback).where(condition))}


def put_feedback(session: Session, caller: Caller, turn: StoredTurn, said: Record) -> Feedback:
    """Store what the caller says of a turn, in the place of what they said before."""
    condition = and_(
        Feedback.dialogue_id == turn.dialogue_id, Feedback.number == turn.number, _by(caller)
    )
    for earlier in session.scalars(select(Feedback).where(condition)):
        session.delete(earlier)
    session.flush()
    feedback = Feedback(
        dialogue_id=turn.dialogue_id,
        number=turn.number,
        account_id=caller.account_id,
        right=said["right"],
        span=said["span"],
        comment=said["comment"],
    )
    session.add(feedback)
    session.flush()
    return feedback


def _by(caller: Caller) -> ColumnElement[bool]:
    if caller.account_id is None:
        return Feedback.account_id.is_(None)
    return Feedback.account_id == caller.account_id


def _matching(q: str) -> ColumnElement[bool]:
    text = StoredTurn.reply["text"].as_string()
    return or_(
        StoredTurn.question.icontains(q, autoescape=True), text.icontains(q, autoescape=True)
    )


def _first_turn(dialogue: StoredDialogue, q: str) -> Select[StoredTurn]:
    condition = and_(StoredTurn.dialogue_id == dialogue.id, _matching(q))
    return select(StoredTurn).where(condition).order_by(StoredTurn.number).limit(1)


def _after(cursor: str) -> ColumnElement[bool]:
    time, _, name = cursor.partition("~")
    try:
        changed = datetime.fromisoformat(time)
    except ValueError:
        changed = None
    if changed is None or changed.tzinfo is None or not name:
        raise Problem(422, "after: not a cursor; take the value of 'next' from the list before.")
    return or_(
        StoredDialogue.changed < changed,
        and_(StoredDialogue.changed == changed, StoredDialogue.id < name),
    )
