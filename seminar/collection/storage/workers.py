"""Workers in the database: who they are to the study, their tokens, and their forms."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from seminar.collection.records import Inclination, Survey, Worker
from seminar.collection.storage.schema import (
    IdentityRow,
    NoticeRow,
    SurveyRow,
    TokenRow,
    WorkerRow,
)
from seminar.serving.identity.secret import hash_of, new_secret
from seminar.serving.storage.schema import new_id, now

MOST_TOKENS = 20  # of a worker; the oldest end
CODE_BYTES = 5


@dataclass(frozen=True, slots=True)
class Identity:
    """Who somebody is at a platform, and what its link had."""

    platform: str
    external: str
    parameters: Mapping[str, str]


def join(session: Session, identity: Identity) -> tuple[str, str]:
    """The worker of an identity, who is made if need be, and a new token."""
    row = session.scalar(
        select(IdentityRow).where(
            IdentityRow.platform == identity.platform, IdentityRow.external == identity.external
        )
    )
    if row is None:
        worker = WorkerRow(id=f"w{secrets.token_hex(6)}", platform=identity.platform)
        worker.code = secrets.token_hex(CODE_BYTES).upper()
        session.add(worker)
        session.flush()
        row = IdentityRow(worker=worker.id, platform=identity.platform, external=identity.external)
        session.add(row)
    row.parameters = dict(identity.parameters)
    return row.worker, _new_token(session, row.worker)


def _new_token(session: Session, worker: str) -> str:
    secret = new_secret()
    session.add(TokenRow(secret_hash=hash_of(secret), worker=worker))
    session.flush()
    tokens = session.scalars(
        select(TokenRow).where(TokenRow.worker == worker).order_by(TokenRow.created.desc())
    )
    for old in list(tokens)[MOST_TOKENS:]:
        session.delete(old)
    return secret


def worker_of(session: Session, token: str) -> str | None:
    """The worker who has a token."""
    row = session.get(TokenRow, hash_of(token))
    return row.worker if row else None


def find_worker(session: Session, worker: str) -> WorkerRow | None:
    return session.get(WorkerRow, worker)


def platform_parameters(session: Session, worker: str) -> dict[str, str]:
    """The parameters of the link by which a worker came last."""
    row = session.get(IdentityRow, worker)
    return dict(row.parameters) if row else {}


def forget(session: Session, worker: str) -> None:
    """Delete a worker who has done nothing, as after a refused consent."""
    session.execute(delete(TokenRow).where(TokenRow.worker == worker))
    session.execute(delete(IdentityRow).where(IdentityRow.worker == worker))
    session.execute(delete(WorkerRow).where(WorkerRow.id == worker))


def add_survey(session: Session, survey: Survey) -> None:
    """Keep what somebody answered to a form."""
    session.add(
        SurveyRow(
            id=new_id(),
            worker=survey.worker,
            kind=survey.kind,
            answers=dict(survey.answers),
            time=survey.time,
            dialog=survey.dialog,
            topic=survey.topic,
            score=survey.score,
            passed=survey.passed,
        )
    )


def surveys_of(session: Session, worker: str, kind: str) -> list[Survey]:
    """A worker's answers to forms of a kind, the oldest first."""
    rows = session.scalars(
        select(SurveyRow)
        .where(SurveyRow.worker == worker, SurveyRow.kind == kind)
        .order_by(SurveyRow.time, SurveyRow.id)
    )
    return [survey_of(row) for row in rows]


def survey_of(row: SurveyRow) -> Survey:
    return Survey(
        worker=row.worker,
        kind=row.kind,
        answers=row.answers,
        time=row.time,
        dialog=row.dialog,
        topic=row.topic,
        score=row.score,
        passed=row.passed,
    )


def inclinations_of(session: Session, worker: str) -> dict[str, Inclination]:
    """A worker's newest inclinations, by topic."""
    found: dict[str, Inclination] = {}
    for survey in surveys_of(session, worker, "inclinations"):
        found |= survey.answers
    return found


def background_results(session: Session, worker: str) -> dict[str, bool]:
    """Of each topic whose test was handed in, whether it was passed."""
    tests = surveys_of(session, worker, "background")
    return {test.topic: bool(test.passed) for test in tests}


def add_notice(session: Session, worker: str, text: str) -> None:
    session.add(NoticeRow(id=new_id(), worker=worker, text=text))


def notices_of(session: Session, worker: str, most: int = 5) -> tuple[str, ...]:
    """The newest messages of the admin to a worker, the newest first."""
    rows = session.scalars(
        select(NoticeRow)
        .where(NoticeRow.worker == worker)
        .order_by(NoticeRow.time.desc())
        .limit(most)
    )
    return tuple(row.text for row in rows)


def worker_record(row: WorkerRow, surveys: Sequence[Survey]) -> Worker:
    """A worker as exports have them."""
    own = [survey for survey in surveys if survey.worker == row.id]
    levels: dict[str, Any] = {}
    for survey in own:
        if survey.kind == "inclinations":
            levels |= survey.answers
    passed = {survey.topic: survey.passed for survey in own if survey.kind == "background"}
    return Worker(
        id=row.id,
        joined=row.joined,
        platform=row.platform,
        qualified=row.qualified,
        blocked=row.blocked,
        may_teach=tuple(sorted(topic for topic, yes in passed.items() if yes)),
        inclinations=levels,
    )


def agree(session: Session, worker: str, version: str) -> None:
    """Keep that a worker agreed to a version of the consent text."""
    row = session.get_one(WorkerRow, worker)
    row.consent = version


def qualify(session: Session, worker: str, *, qualified: bool) -> None:
    session.get_one(WorkerRow, worker).qualified = qualified


def current_time() -> datetime:
    return now()
