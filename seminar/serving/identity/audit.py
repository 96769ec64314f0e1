"""The audit log: who changed what; never a secret, a password or the content of files."""

from __future__ import annotations

from sqlalchemy.orm import Session

from seminar.serving.identity.callers import Caller
from seminar.serving.storage.schema import NAME_LENGTH, AuditEntry


def record(
    db: Session, action: str, by: Caller | str | None, target: str = "", **details: object
) -> None:
    """Add an entry in the transaction of the change itself; `by` is a caller or an account's id."""
    if isinstance(by, Caller) and by.link_id is not None:
        details["link"] = by.link_id
    account_id = by.account_id if isinstance(by, Caller) else by
    entry = AuditEntry(
        account_id=account_id, action=action, target=target[:NAME_LENGTH], details=details
    )
    db.add(entry)
