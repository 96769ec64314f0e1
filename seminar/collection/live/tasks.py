"""Tasks that one person does alone: writing, further annotations, verification, practice."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from sqlalchemy.orm import Session

from seminar.collection.live.matching import StudySoFar, first_setup, free_subject
from seminar.collection.records import ASSISTANT, Dialog, Role, Seat, Turn, WrittenQuestion
from seminar.collection.rules.qaconv import is_uncertain, settled_answers
from seminar.collection.storage.snapshots import stored_progress, turns_of
from seminar.collection.study.loading import Study
from seminar.serving.storage.schema import new_id, now

WRITE, VALIDATION, VERIFICATION, PRACTICE = "write", "validation", "verification", "practice"


def open_tasks(session: Session, study: Study, worker: str, so_far: StudySoFar) -> tuple[str, ...]:
    """The tasks that a worker may begin alone now."""
    tasks = []
    if _writer(study) and may_begin(study, worker, so_far):
        tasks.append(WRITE)
    for task in (VALIDATION, VERIFICATION):
        if task in study.protocol.tasks and next_about(session, study, worker, task, so_far):
            tasks.append(task)
    if study.table.assistant.practice:
        tasks.append(PRACTICE)
    return tuple(tasks)


def wants_more(study: Study, worker: str, so_far: StudySoFar) -> bool:
    """Whether the study wants another dialog of a worker."""
    quotas = study.table.quotas
    if quotas.dialogs and sum(so_far.used_subjects().values()) >= quotas.dialogs:
        return False
    own = [
        dialog
        for dialog in so_far.dialogs
        if dialog.task == "dialog"
        and not dialog.practice
        and dialog.kept
        and any(seat.worker == worker for seat in dialog.seats)
    ]
    return not quotas.per_worker or len(own) < quotas.per_worker


def may_begin(study: Study, worker: str, so_far: StudySoFar) -> bool:
    """Whether another dialog is wanted of a worker, and a subject is left for it."""
    if not wants_more(study, worker, so_far):
        return False
    if study.protocol.needs == "topics":
        return True
    return free_subject(study, [worker], so_far, random.SystemRandom()) is not None


def begin_task(
    session: Session, study: Study, worker: str, task: str, role: Role, so_far: StudySoFar
) -> Dialog | None:
    """A task for a worker, if there is one left."""
    chance = random.SystemRandom()
    if task == PRACTICE:
        return _practice(study, worker, role, so_far, chance)
    if task == WRITE:
        subject = free_subject(study, [worker], so_far, chance)
        if subject is None or not _writer(study):
            return None
        return _alone(study, worker, "dialog", subject, setup=_writing(study, subject, chance))
    if task not in study.protocol.tasks:
        return None
    about = next_about(session, study, worker, task, so_far)
    if about is None:
        return None
    return _about(session, study, worker, task, about, so_far, chance)


def next_about(
    session: Session, study: Study, worker: str, task: str, so_far: StudySoFar
) -> Dialog | None:
    """A kept dialog of others that needs this worker's annotation; the least annotated first."""
    made: dict[str, list[Dialog]] = {}
    for dialog in so_far.dialogs:
        if dialog.task == task and (dialog.kept or dialog.state == "live"):
            made.setdefault(dialog.about, []).append(dialog)
    candidates = [
        dialog
        for dialog in so_far.dialogs
        if dialog.task == "dialog"
        and dialog.kept
        and dialog.state == "ended"
        and dialog.review != "rejected"
        and not _took_part(worker, [dialog, *made.get(dialog.id, ())])
        and _is_chosen(study, dialog)
    ]
    candidates.sort(key=lambda one: (len(made.get(one.id, ())), one.began))
    return next(
        (one for one in candidates if _needs_more(session, study, one, task, made.get(one.id, []))),
        None,
    )


def _took_part(worker: str, dialogs: Sequence[Dialog]) -> bool:
    return any(seat.worker == worker for dialog in dialogs for seat in dialog.seats)


def _is_chosen(study: Study, dialog: Dialog) -> bool:
    """Whether a dialog is in the share that is annotated; the same each time."""
    return random.Random(f"{study.table.seed}/{dialog.id}").random() * 100 < (
        study.table.validation.share
    )


def _needs_more(
    session: Session, study: Study, dialog: Dialog, task: str, made: Sequence[Dialog]
) -> bool:
    if study.protocol.name != "qaconv":
        return len(made) < study.table.validation.annotations
    written = _written(turns_of(session, study, dialog.id))
    if written is None:
        return False
    if task == VERIFICATION:
        return not made and _is_to_verify(study, dialog, written)
    return _needs_answer(session, study, written, made)


def _needs_answer(
    session: Session, study: Study, written: WrittenQuestion, made: Sequence[Dialog]
) -> bool:
    """QAConv's rule for dev and test: a second answer, and a third where the two differ."""
    if not study.table.validation.annotations or not written.answers:
        return False
    if any(dialog.state == "live" for dialog in made):
        return False
    answers = [
        answer
        for dialog in made
        for one in stored_progress(session, study, dialog).activity.annotations()
        if isinstance(one.answer, WrittenQuestion)
        for answer in one.answer.answers or ("",)
    ]
    if not answers:
        return not made
    needs = settled_answers(written.answers[0], answers[0], *answers[1:2]).needs
    return needs == "third annotator"


def _is_to_verify(study: Study, dialog: Dialog, written: WrittenQuestion) -> bool:
    """All questions, or those whose writer and generator answered differently."""
    if study.options.get("verify") != "uncertain":
        return study.options.get("verify") == "all" and bool(written.answers)
    if written.chosen is None or not written.answers:
        return False
    generated = study.index.chunks[dialog.subject]
    offered = written.offered[written.chosen]
    answers = dict(zip(generated.questions, generated.answers, strict=False))
    return offered in answers and is_uncertain([*written.answers, answers[offered]])


def _written(turns: Sequence[Turn]) -> WrittenQuestion | None:
    answer = turns[0].answer if turns else None
    return answer if isinstance(answer, WrittenQuestion) else None


def _writer(study: Study) -> bool:
    return len(study.protocol.tasks["dialog"].roles) == 1


def _writing(study: Study, subject: str, chance: random.Random) -> dict[str, Any]:
    """Which kind of question is written, and the generated ones that are offered."""
    options, chunk = study.options, study.index.chunks.get(subject)
    if chunk is None:
        return {}
    drawn = chance.random() * 100
    if drawn < options["unanswerable"]:
        return {"setting": "unanswerable", "offered": []}
    offered = int(options["offered"])
    if len(chunk.questions) >= offered and chance.random() * 100 < options["choosing"]:
        return {"setting": "choose", "offered": chance.sample(list(chunk.questions), offered)}
    return {"setting": "write", "offered": []}


def _about(
    session: Session,
    study: Study,
    worker: str,
    task: str,
    about: Dialog,
    so_far: StudySoFar,
    chance: random.Random,
) -> Dialog | None:
    """The annotation of a dialog; in QAConv sometimes with a planted question."""
    if study.protocol.name != "qaconv":
        return _alone(study, worker, task, about.subject, about=about.id)
    written = _written(turns_of(session, study, about.id))
    if written is None:
        return None
    setup: dict[str, Any] = {"question": written.question, "answers": list(written.answers)}
    if task == VERIFICATION and chance.random() * 100 < study.options["traps"]:
        strange = _strange_question(session, study, about, so_far, chance)
        if strange is not None:
            setup = {"question": strange.question, "answers": list(strange.answers), "trap": True}
    return _alone(study, worker, task, about.subject, about=about.id, setup=setup)


def _strange_question(
    session: Session, study: Study, about: Dialog, so_far: StudySoFar, chance: random.Random
) -> WrittenQuestion | None:
    """A question of another conversation, which can't be answered from this one."""
    others = [
        dialog
        for dialog in so_far.dialogs
        if dialog.task == "dialog" and dialog.kept and dialog.subject != about.subject
    ]
    if not others:
        return None
    return _written(turns_of(session, study, chance.choice(others).id))


def _practice(
    study: Study, worker: str, role: Role, so_far: StudySoFar, chance: random.Random
) -> Dialog | None:
    """A dialog with the assistant, about a subject that the worker will not get in earnest."""
    if role not in study.table.assistant.practice:
        return None
    used = so_far.known_subjects([worker], knower=study.protocol.knower)
    subjects = [one for one in study.subjects if one not in used] or list(study.subjects)
    subject = chance.choice(subjects)
    seats = tuple(
        Seat(one, worker if one == role else ASSISTANT)
        for one in study.protocol.tasks["dialog"].roles
    )
    return Dialog(
        id=new_id(),
        protocol=study.protocol.name,
        task="dialog",
        subject=subject,
        seats=seats,
        began=now(),
        practice=True,
        setup=first_setup(study, subject, chance),
    )


def _alone(
    study: Study,
    worker: str,
    task: str,
    subject: str,
    *,
    about: str = "",
    setup: dict[str, Any] | None = None,
) -> Dialog:
    [role] = study.protocol.tasks[task].roles
    return Dialog(
        id=new_id(),
        protocol=study.protocol.name,
        task=task,  # type: ignore[arg-type]
        subject=subject,
        seats=(Seat(role, worker),),
        began=now(),
        about=about,
        setup=setup or {},
    )
