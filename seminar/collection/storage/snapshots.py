"""Everything of a study at one moment, from its stored actions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from sqlalchemy import select
from sqlalchemy.orm import Session

from seminar.collection.protocols.activity import Scene
from seminar.collection.protocols.progress import Progress, replayed
from seminar.collection.records import Action, Annotation, Dialog, StudyRecords, Turn
from seminar.collection.storage.dialogs import (
    action_record,
    actions_of,
    dialogs_where,
    entries_of,
    find_dialog,
    flags_where,
)
from seminar.collection.storage.schema import ActionRow, SurveyRow, WorkerRow
from seminar.collection.storage.workers import survey_of, worker_record
from seminar.collection.study.loading import Study


def scene_of(study: Study, dialog: Dialog, about: tuple[Turn, ...]) -> Scene:
    """What a dialog began with."""
    return Scene(
        index=study.index,
        dialog=dialog.id,
        subject=dialog.subject,
        began=dialog.began,
        setup=dialog.setup,
        options=study.options,
        about=about,
        workers={seat.role: seat.worker for seat in dialog.seats},
        about_dialog=dialog.about,
    )


def turns_of(session: Session, study: Study, dialog: str) -> tuple[Turn, ...]:
    """The complete turns of a stored dialog."""
    found = find_dialog(session, study.protocol.name, dialog)
    if found is None:
        return ()
    scene = scene_of(study, found, ())
    progress = replayed(study.protocol, found.task, scene, actions_of(session, dialog))
    return progress.activity.turns()


def stored_progress(session: Session, study: Study, dialog: Dialog) -> Progress:
    """The state of a stored dialog or task."""
    about = turns_of(session, study, dialog.about) if dialog.about else ()
    scene = scene_of(study, dialog, about)
    return replayed(study.protocol, dialog.task, scene, actions_of(session, dialog.id))


def records_of(session: Session, study: Study) -> StudyRecords:
    """Workers, dialogs, turns, annotations, surveys, pay and flags, as exports take them."""
    dialogs = dialogs_where(session, study.protocol.name)
    actions: defaultdict[str, list[Action]] = defaultdict(list)
    for row in session.scalars(select(ActionRow).order_by(ActionRow.dialog, ActionRow.number)):
        actions[row.dialog].append(action_record(row))
    turns, annotations = _derived(study, dialogs, actions)
    rows = session.scalars(select(SurveyRow).order_by(SurveyRow.time, SurveyRow.id))
    surveys = tuple(survey_of(row) for row in rows)
    workers = session.scalars(select(WorkerRow).order_by(WorkerRow.joined, WorkerRow.id))
    return StudyRecords(
        name=study.table.name,
        protocol=study.protocol.name,
        corpus=study.index.corpus,
        workers=tuple(worker_record(row, surveys) for row in workers if row.consent),
        dialogs=tuple(dialogs),
        turns=tuple(turn for dialog in dialogs for turn in turns.get(dialog.id, ())),
        annotations=tuple(annotations),
        surveys=surveys,
        pay=tuple(entries_of(session)),
        flags=tuple(flags_where(session)),
        currency=study.plan.currency,
    )


def _derived(
    study: Study, dialogs: list[Dialog], actions: Mapping[str, list[Action]]
) -> tuple[dict[str, tuple[Turn, ...]], list[Annotation]]:
    """The turns of dialogs, and from these the annotations of tasks about them."""
    turns: dict[str, tuple[Turn, ...]] = {}
    annotations: list[Annotation] = []
    for dialog in sorted(dialogs, key=lambda one: one.task != "dialog"):
        scene = scene_of(study, dialog, turns.get(dialog.about, ()))
        stored = actions.get(dialog.id, [])
        activity = replayed(study.protocol, dialog.task, scene, stored).activity
        if dialog.task == "dialog":
            turns[dialog.id] = activity.turns()
        elif dialog.kept:
            annotations += activity.annotations()
    return turns, annotations
