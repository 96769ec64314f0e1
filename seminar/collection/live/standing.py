"""Where a worker stands in the study: which step comes next, and what there is to do."""

from __future__ import annotations

from urllib.parse import urlencode
from weakref import WeakKeyDictionary

from sqlalchemy import select
from sqlalchemy.orm import Session

from seminar.collection.assignment.inclinations import survey_topics
from seminar.collection.live.closings import survey_items
from seminar.collection.live.matching import StudySoFar
from seminar.collection.live.tasks import PRACTICE, judges, may_begin, open_tasks
from seminar.collection.messages.forms import Standing
from seminar.collection.records import Dialog, Role
from seminar.collection.storage.dialogs import dialogs_where, entries_of, flags_where
from seminar.collection.storage.lobby import DECIDING, decisions_state, waits
from seminar.collection.storage.questions import QuestionsSoFar, questions_so_far
from seminar.collection.storage.schema import FlagRow, Setting, WorkerRow
from seminar.collection.storage.workers import (
    background_results,
    find_worker,
    inclinations_of,
    notices_of,
    platform_parameters,
    surveys_of,
)
from seminar.collection.study.loading import Study

PROLIFIC = "https://app.prolific.com/submissions/complete"
MTURK = frozenset({"https://www.mturk.com", "https://workersandbox.mturk.com"})


_known: WeakKeyDictionary[Study, tuple[object, StudySoFar]] = WeakKeyDictionary()


def so_far(session: Session, study: Study) -> StudySoFar:
    """The dialogs and reports of a study, for decisions about what comes next.

    It is read again when a dialog began, ended, was reviewed or deleted, or somebody was reported:
    with thousands of dialogs it takes a second.
    """
    state = decisions_state(session)
    earlier = _known.get(study)
    if earlier is None or earlier[0] != state:
        known = dialogs_where(session, study.protocol.name)
        questions = questions_so_far(session, known) if judges(study) else QuestionsSoFar()
        found = StudySoFar(known, flags_where(session, FlagRow.kind.in_(DECIDING)), questions)
        earlier = _known[study] = (state, found)
    return earlier[1]


def study_state(session: Session) -> str:
    """ "open", "paused" or "closed"."""
    row = session.scalar(select(Setting.value).where(Setting.name == "state"))
    return row or "open"


def standing_of(session: Session, study: Study, worker: str) -> Standing | None:
    """Where a worker stands; None for one who isn't there (any more)."""
    row = find_worker(session, worker)
    if row is None:
        return None
    known = so_far(session, study)
    step, dialog = _step(session, study, row, known)
    entries = entries_of(session, worker)
    code, url = _completion(session, study, row) if entries else ("", "")
    free = step in ("lobby", "done")
    return Standing(
        worker=worker,
        step=step,
        dialog=dialog.id if dialog else "",
        topic=dialog.subject if dialog and step == "background" else "",
        roles=_roles(study) if step == "lobby" and may_begin(study, worker, known) else (),
        tasks=open_tasks(study, worker, known) if free else (),
        earned=sum(entry.amount for entry in entries),
        currency=study.plan.currency,
        completion_code=code,
        completion_url=url,
        notices=notices_of(session, worker),
    )


def _step(
    session: Session, study: Study, row: WorkerRow, known: StudySoFar
) -> tuple[str, Dialog | None]:
    """The step, and the dialog that it is about."""
    if row.blocked:
        return "blocked", None
    if row.consent != study.consent_version:
        return "consent", None
    own = [one for one in known.dialogs if any(seat.worker == row.id for seat in one.seats)]
    live = next((one for one in own if one.state == "live"), None)
    if live is not None:
        return _live_step(session, study, row.id, live), live
    if not row.qualified and study.table.qualification.items:
        tried = len(surveys_of(session, row.id, "qualification"))
        left = tried < study.table.qualification.attempts
        return ("qualification" if left else "unqualified"), None
    open_survey = _open_survey(session, study, row.id, own)
    if open_survey is not None:
        return "exit survey", open_survey
    if study_state(session) == "closed":
        return "closed", None
    if missing_topics(session, study, row.id):
        return "inclinations", None
    if waits(session, row.id):
        return "waiting", None
    tasks = open_tasks(study, row.id, known)
    if may_begin(study, row.id, known) or set(tasks) - {PRACTICE}:
        return "lobby", None
    return "done", None


def _live_step(session: Session, study: Study, worker: str, dialog: Dialog) -> str:
    """The dialog, or the background test that its teacher has yet to pass."""
    role = role_in(dialog, worker)
    if not dialog.setup.get("background_test") or role != study.protocol.knower:
        return "dialog"
    passed = background_results(session, worker).get(dialog.subject, False)
    return "dialog" if passed else "background"


def _open_survey(session: Session, study: Study, worker: str, own: list[Dialog]) -> Dialog | None:
    """The newest dialog whose exit survey is to be answered."""
    answered = {survey.dialog for survey in surveys_of(session, worker, "exit")}
    for dialog in reversed(own):
        counts = dialog.task == "dialog" and not dialog.practice and dialog.turns
        if counts and survey_items(study, role_in(dialog, worker)):
            return None if dialog.id in answered else dialog
    return None


def missing_topics(session: Session, study: Study, worker: str) -> tuple[str, ...]:
    """The topics that PragmatiCQA's survey asks a worker about, unless it was answered."""
    if study.protocol.needs != "topics":
        return ()
    topics = asked_topics(study)
    known = inclinations_of(session, worker)
    return () if all(topic in known for topic in topics) else topics


def asked_topics(study: Study) -> tuple[str, ...]:
    """The topics of the survey, the same for everybody, so that two have topics in common."""
    usable = [study.index.topics[subject] for subject in study.subjects]
    count = int(study.options["survey_topics"])
    return tuple(one.id for one in survey_topics(usable, count=count, seed=study.table.seed))


def role_in(dialog: Dialog, worker: str) -> Role:
    return next((seat.role for seat in dialog.seats if seat.worker == worker), "")


def _roles(study: Study) -> tuple[str, ...]:
    """The roles that may be chosen; by inclinations there is nothing to choose."""
    roles = study.protocol.tasks["dialog"].roles
    if len(roles) == 1:
        return ()
    return ("",) if study.protocol.needs == "topics" else roles


def _completion(session: Session, study: Study, row: WorkerRow) -> tuple[str, str]:
    """The code to hand in at the platform, and where."""
    platform = study.table.platform
    if row.platform == "prolific":
        code = platform.completion_code
        return code, f"{PROLIFIC}?{urlencode({'cc': code})}"
    if row.platform != "mturk":
        return row.code, ""
    known = platform_parameters(session, row.id)
    host = known.get("turkSubmitTo", "").rstrip("/")
    if host not in MTURK:
        return row.code, ""
    query = urlencode({"assignmentId": known.get("assignmentId", ""), "code": row.code})
    return row.code, f"{host}/mturk/externalSubmit?{query}"
