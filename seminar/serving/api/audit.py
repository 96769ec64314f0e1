"""The route of the audit log."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from pydantic import BaseModel
from sqlalchemy import select

from seminar.serving.api.accounts import Named
from seminar.serving.api.pages import Limit, Page
from seminar.serving.identity.access import Administering
from seminar.serving.state import State, state_of
from seminar.serving.storage.schema import Account, AuditEntry

router = APIRouter(tags=["audit"])


class AuditRecord(BaseModel):
    """Who did what to what; `account` is null for strangers, its name for a deleted one is ""."""

    id: int
    time: datetime
    account: Named | None
    action: str
    target: str
    details: dict[str, Any]


@router.get("/audit")
def list_audit(
    caller: Administering,
    state: Annotated[State, Depends(state_of)],
    account: Annotated[str | None, Query(max_length=200)] = None,
    action: Annotated[str | None, Query(max_length=60)] = None,
    limit: Limit = 50,
    after: Annotated[int | None, Query(ge=0, le=2**62, description="`next` of before.")] = None,
) -> Page[AuditRecord]:
    """The audit log, newest first; `action` is the beginning of one, such as "login"."""
    rows = (
        select(AuditEntry, Account)
        .outerjoin(Account, Account.id == AuditEntry.account_id)
        .order_by(AuditEntry.id.desc())
        .limit(limit + 1)
    )
    if account is not None:
        rows = rows.where(AuditEntry.account_id == account)
    if action is not None:
        rows = rows.where(AuditEntry.action.startswith(action, autoescape=True))
    if after is not None:
        rows = rows.where(AuditEntry.id < after)
    with state.reads() as db:
        found = db.execute(rows).all()
    shown = [_audit_record(*row) for row in found[:limit]]
    return Page(items=shown, next=str(shown[-1].id) if len(found) > limit else None)


def _audit_record(entry: AuditEntry, account: Account | None) -> AuditRecord:
    named = None
    if entry.account_id is not None:
        named = Named(id=entry.account_id, name="" if account is None else account.name)
    return AuditRecord(
        id=entry.id,
        time=entry.time,
        account=named,
        action=entry.action,
        target=entry.target,
        details=entry.details,
    )
