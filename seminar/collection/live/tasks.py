"""Tasks that one person does alone: writing, further annotations, verification, practice."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence, Set
from functools import lru_cache
from typing import Any

from seminar.collection.live.matching import StudySoFar, first_setup, free_subject
from seminar.collection.records import ASSISTANT, Dialog, Role, Seat, WrittenQuestion
from seminar.collection.rules.qaconv import is_uncertain, settled_answers
from seminar.collection.storage.questions import QuestionsSoFar
from seminar.collection.study.loading import Study
from seminar.serving.storage.schema import new_id, now

QACONV = "qaconv"
WRITE, VALIDATION, VERIFICATION, PRACTICE = "write", "validation", "verification", "practice"


def open_tasks(study: Study, worker: str, so_far: StudySoFar) -> tuple[str, ...]:
    """The tasks that a worker may begin alone now."""
    tasks = []
    if writes(study) and may_begin(study, worker, so_far):
        tasks.append(WRITE)
    for task in (VALIDATION, VERIFICATION):
        if task in study.protocol.tasks and next_about(study, worker, task, so_far):
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
    study: Study, worker: str, task: str, role: Role, so_far: StudySoFar
) -> Dialog | None:
    """A task for a worker, if there is one left."""
    chance = random.SystemRandom()
    if task == PRACTICE:
        return _practice(study, worker, role, so_far, chance)
    if task == WRITE:
        subject = free_subject(study, [worker], so_far, chance)
        if subject is None or not writes(study):
            return None
        return _alone(study, worker, "dialog", subject, setup=_writing(study, subject, chance))
    if task not in study.protocol.tasks:
        return None
    about = next_about(study, worker, task, so_far)
    if about is None:
        return None
    setup = _judged(study, task, about, so_far, chance) if judges(study) else {}
    return _alone(study, worker, task, about.subject, about=about.id, setup=setup)


def next_about(study: Study, worker: str, task: str, so_far: StudySoFar) -> Dialog | None:
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
    distrusted = so_far.distrusted()
    counted = {
        about: [one for one in tasks if _counts(one, distrusted)] for about, tasks in made.items()
    }
    candidates.sort(key=lambda one: (len(counted.get(one.id, ())), one.began))
    return next(
        (one for one in candidates if _needs_more(study, one, task, counted, so_far.questions)),
        None,
    )


def _took_part(worker: str, dialogs: Sequence[Dialog]) -> bool:
    return any(seat.worker == worker for dialog in dialogs for seat in dialog.seats)


def _is_chosen(study: Study, dialog: Dialog) -> bool:
    """Whether a dialog is in the share that is annotated; the same each time."""
    return random.Random(f"{study.table.seed}/{dialog.id}").random() * 100 < (
        study.table.validation.share
    )


def _counts(task: Dialog, distrusted: Set[str]) -> bool:
    """Whether a task answers what it was made for, and its answer is not thrown away."""
    if task.review == "rejected" or task.setup.get("trap"):
        return False
    return task.task != VERIFICATION or not any(seat.worker in distrusted for seat in task.seats)


def _needs_more(
    study: Study,
    dialog: Dialog,
    task: str,
    made: Mapping[str, Sequence[Dialog]],
    questions: QuestionsSoFar,
) -> bool:
    done = made.get(dialog.id, ())
    if not judges(study):
        return len(done) < study.table.validation.annotations
    written = questions.written.get(dialog.id)
    if written is None or not written.answers:
        return False
    if task == VERIFICATION:
        return not done and _is_to_verify(study, dialog, written, questions)
    return bool(study.table.validation.annotations) and _needs_answer(written, done, questions)


def _needs_answer(
    written: WrittenQuestion, done: Sequence[Dialog], questions: QuestionsSoFar
) -> bool:
    """QAConv's rule for dev and test: a second answer, and a third where the two differ."""
    if any(dialog.state == "live" for dialog in done):
        return False
    answers = [questions.again.get(dialog.id, "") for dialog in done]
    if not answers:
        return True
    return _settled(written.answers[0], *answers[:2]).needs == "third annotator"


def _is_to_verify(
    study: Study, dialog: Dialog, written: WrittenQuestion, questions: QuestionsSoFar
) -> bool:
    """All questions, or those of which no two answers of writer, generator and reader agree."""
    if not finds_uncertain(study):
        return bool(study.options["verify"] == "all")
    read = questions.by_reader.get(dialog.id)
    if read is None:
        return False  # the reader has not come to it yet
    answers = (*written.answers, read, *_generated(study, dialog, written))
    return _uncertain(answers)


def _generated(study: Study, dialog: Dialog, written: WrittenQuestion) -> tuple[str, ...]:
    """The answer from which the chosen question was generated, unless the corpus has changed."""
    if written.chosen is None:
        return ()
    chunk = study.index.chunks[dialog.subject]
    answers = dict(zip(chunk.questions, chunk.answers, strict=False))
    answer = answers.get(written.offered[written.chosen])
    return () if answer is None else (answer,)


# Comparing texts takes long beside everything else here, and they don't change.
_uncertain = lru_cache(maxsize=50_000)(is_uncertain)
_settled = lru_cache(maxsize=50_000)(settled_answers)


def writes(study: Study) -> bool:
    """Whether one person alone makes what the study collects."""
    return len(study.protocol.tasks["dialog"].roles) == 1


def judges(study: Study) -> bool:
    """Whether others judge written questions, by QAConv's rules."""
    return study.protocol.name == QACONV


def finds_uncertain(study: Study) -> bool:
    """Whether the reader answers what was written, to find questions that are to be verified."""
    return judges(study) and study.options["verify"] == "uncertain"


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


def _judged(
    study: Study, task: str, about: Dialog, so_far: StudySoFar, chance: random.Random
) -> dict[str, Any]:
    """The question that is judged or answered again; sometimes one of another conversation."""
    planted = task == VERIFICATION and chance.random() * 100 < study.options["traps"]
    source = (_strange(study, about, so_far, chance) if planted else None) or about
    written = so_far.questions.written[source.id]
    setup: dict[str, Any] = {"question": written.question, "answers": list(written.answers)}
    return setup if source is about else {**setup, "trap": True, "of": source.id}


def _strange(
    study: Study, about: Dialog, so_far: StudySoFar, chance: random.Random
) -> Dialog | None:
    """A question about another conversation, which this one doesn't answer."""
    chunks = study.index.chunks
    others = [
        dialog
        for dialog in so_far.dialogs
        if dialog.id in so_far.questions.written
        and so_far.questions.written[dialog.id].answers  # as those have that are to be verified
        and chunks[dialog.subject].source != chunks[about.subject].source
    ]
    return chance.choice(others) if others else None


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
