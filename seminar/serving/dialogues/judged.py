"""The judged turns of a service, read from its database without starting it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from seminar.errors import SeminarError
from seminar.evaluation.feedback import JudgedTurn, judged_turns
from seminar.serving.collections.folders import index_folder
from seminar.serving.dialogues import store
from seminar.serving.dialogues.records import dialogue_record, turn_record
from seminar.serving.settings import ServiceSettings
from seminar.serving.storage.engines import open_engine
from seminar.serving.storage.schema import Collection, Feedback, StoredDialogue


def judged_by_index(folder: Path) -> dict[Path, list[JudgedTurn]]:
    """The judged turns by the index that they were asked in; each judgement is one."""
    settings = ServiceSettings(folder=folder)
    if not (folder / "service.sqlite").is_file():
        raise SeminarError(f"{folder}: not the folder of a service (it has no service.sqlite)")
    engine: Engine = open_engine(settings.database_url).execution_options(reads=True)
    found: dict[Path, list[JudgedTurn]] = {}
    try:
        with Session(engine) as session:
            for collection, turns in _judged(session):
                found.setdefault(index_folder(folder, collection), []).extend(turns)
    finally:
        engine.dispose()
    return found


def _judged(session: Session) -> Iterator[tuple[str, list[JudgedTurn]]]:
    """The judged turns of each dialogue and person, with the dialogue's collection."""
    present = select(Collection.id).where(Collection.deleted.is_(None))
    judged = select(Feedback.dialogue_id)
    dialogues = select(StoredDialogue).where(
        StoredDialogue.collection_id.in_(present), StoredDialogue.id.in_(judged)
    )
    for dialogue in session.scalars(dialogues.order_by(StoredDialogue.created)):
        turns = store.turns_of(session, dialogue)
        said = session.scalars(select(Feedback).where(Feedback.dialogue_id == dialogue.id)).all()
        for person in sorted({one.account_id or "" for one in said}):
            own = {one.number: one for one in said if (one.account_id or "") == person}
            shown = [turn_record(turn, own.get(turn.number)) for turn in turns]
            yield (
                dialogue.collection_id,
                judged_turns({**dialogue_record(dialogue), "turns": shown}),
            )
