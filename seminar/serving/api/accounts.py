"""Routes of accounts and of the invitations that make them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import BaseModel, Field
from sqlalchemy import delete, select

from seminar.serving.api.pages import After, Limit, Page
from seminar.serving.api.session import SessionRecord, check_multi_user, start_session
from seminar.serving.api.urls import page_url
from seminar.serving.identity.access import Administering, Reading
from seminar.serving.identity.accounts import account_named, change_account, delete_account
from seminar.serving.identity.audit import record
from seminar.serving.identity.guard import address_of
from seminar.serving.identity.invitations import (
    accept,
    invitation_path,
    invite,
    open_invitation,
)
from seminar.serving.problems import Problem, not_found
from seminar.serving.state import State, state_of
from seminar.serving.storage.schema import Account, Invitation, now

router = APIRouter(tags=["accounts"])
StateOf = Annotated[State, Depends(state_of)]


class Named(BaseModel):
    """An account or a group, as others see it."""

    id: str
    name: str


class AccountRecord(Named):
    """An account, as admins see it; `login` is how it logs in."""

    is_admin: bool
    is_active: bool
    login: Literal["password", "oidc", "none"]
    created: datetime


class AccountChange(BaseModel):
    is_active: bool | None = None
    is_admin: bool | None = None


class Deletion(BaseModel):
    """What became of a deleted account's collections."""

    collections_given: int
    heir: str | None


class NewInvitation(BaseModel):
    purpose: Literal["account", "password"] = "account"
    account_id: str | None = Field(None, max_length=200)


class InvitationRecord(BaseModel):
    """An invitation that is not used yet; `url` is there only when it is made."""

    id: str
    purpose: str
    account: str | None
    expires: datetime
    url: str | None = None


class OpenInvitation(BaseModel):
    """What the page of an invitation shows; `name` is that of the account, for a new password."""

    purpose: str
    name: str | None
    expires: datetime


class Acceptance(BaseModel):
    name: str = Field("", max_length=1000, examples=["alice"])
    password: str = Field(max_length=1000)


def account_record(account: Account) -> AccountRecord:
    login: Literal["password", "oidc", "none"]
    login = "password" if account.password else "oidc" if account.subject else "none"
    return AccountRecord(
        id=account.id,
        name=account.name,
        is_admin=account.is_admin,
        is_active=account.is_active,
        login=login,
        created=account.created,
    )


@router.get("/accounts")
def list_accounts(
    caller: Reading,
    state: StateOf,
    q: Annotated[str | None, Query(max_length=200)] = None,
    limit: Limit = 50,
    after: After = None,
) -> Page[AccountRecord | Named]:
    """Names to share with, which begin with `q`; admins may leave it out, and see more."""
    if caller.account_id is None or (not q and not caller.is_admin):
        raise Problem(403, "Only an admin may list accounts; others search with '?q='.")
    rows = select(Account).order_by(Account.name).limit(limit + 1)
    if q:
        rows = rows.where(Account.name.istartswith(q, autoescape=True))
    if not caller.is_admin:
        rows = rows.where(Account.is_active)
    if after is not None:
        rows = rows.where(Account.name > after)
    with state.reads() as db:
        found = db.scalars(rows).all()
    shown = found[:limit]
    return Page(
        items=[
            account_record(one) if caller.is_admin else Named(id=one.id, name=one.name)
            for one in shown
        ],
        next=shown[-1].name if len(found) > limit else None,
    )


@router.patch("/accounts/{account_id}")
def patch_account(
    account_id: str, change: AccountChange, caller: Administering, state: StateOf
) -> AccountRecord:
    """Deactivate or activate an account, make it an admin or no longer one."""
    with state.transactions.begin() as db:
        account = account_named(db, account_id)
        change_account(db, account, is_active=change.is_active, is_admin=change.is_admin)
        changes = change.model_dump(exclude_none=True)
        record(db, "account.changed", caller, account_id, **changes)
        db.flush()
        return account_record(account)


@router.delete("/accounts/{account_id}")
def remove_account(
    account_id: str,
    caller: Administering,
    state: StateOf,
    heir: Annotated[str | None, Query(max_length=200)] = None,
) -> Deletion:
    """Delete an account, its dialogues, tokens and grants; the heir gets its collections."""
    with state.transactions.begin() as db:
        account = account_named(db, account_id)
        name = account.name
        given = delete_account(db, account, heir)
        record(db, "account.deleted", caller, account_id, name=name, heir=heir, collections=given)
    return Deletion(collections_given=given, heir=heir if given else None)


@router.get("/invitations")
def list_invitations(caller: Administering, state: StateOf) -> Page[InvitationRecord]:
    """The newest 200 invitations that are open."""
    opened = select(Invitation).where(Invitation.used.is_(None), Invitation.expires > now())
    with state.reads() as db:
        rows = db.scalars(opened.order_by(Invitation.created.desc()).limit(200)).all()
    return Page(items=[invitation_record(one) for one in rows])


def invitation_record(invitation: Invitation, url: str | None = None) -> InvitationRecord:
    return InvitationRecord(
        id=invitation.id,
        purpose=invitation.purpose,
        account=invitation.account_id,
        expires=invitation.expires,
        url=url,
    )


@router.post("/invitations", status_code=201)
def create_invitation(
    new: NewInvitation, request: Request, caller: Administering, state: StateOf
) -> InvitationRecord:
    """Make a link for a new account, or for a new password of an account."""
    check_multi_user(state)
    if (new.purpose == "password") != (new.account_id is not None):
        raise Problem(422, "'account_id' goes with the purpose 'password', and only with it.")
    with state.transactions.begin() as db:
        if new.account_id is not None:
            account_named(db, new.account_id)
        invitation, secret = invite(db, new.purpose, new.account_id)
        record(
            db, f"invitation.created.{new.purpose}", caller, invitation.id, account=new.account_id
        )
    url = page_url(request, state.settings, invitation_path(secret))
    return invitation_record(invitation, url)


@router.delete("/invitations/{invitation_id}", status_code=204)
def withdraw_invitation(invitation_id: str, caller: Administering, state: StateOf) -> None:
    """Withdraw an invitation that was not used."""
    with state.transactions.begin() as db:
        gone = delete(Invitation).where(Invitation.id == invitation_id, Invitation.used.is_(None))
        if db.scalar(gone.returning(Invitation.id)) is None:
            raise not_found("invitation", invitation_id)
        record(db, "invitation.withdrawn", caller, invitation_id)


@router.get("/invitations/{secret}")
def show_invitation(secret: str, request: Request, state: StateOf) -> OpenInvitation:
    """What a link is for; it needs no login."""
    state.guard.logins.spend(("invitation", address_of(request)), "links opened from this address")
    with state.reads() as db:
        invitation = open_invitation(db, secret)
        account = db.get(Account, invitation.account_id) if invitation.account_id else None
    return OpenInvitation(
        purpose=invitation.purpose,
        name=None if account is None else account.name,
        expires=invitation.expires,
    )


@router.post("/invitations/{secret}")
def accept_invitation(
    secret: str, acceptance: Acceptance, request: Request, response: Response, state: StateOf
) -> SessionRecord:
    """Accept a link with a name and a password, and log in; it needs no login before."""
    check_multi_user(state)
    state.guard.logins.spend(("invitation", address_of(request)), "links opened from this address")
    with state.reads() as db:
        open_invitation(db, secret)
    password = state.guard.passwords.hash(acceptance.password)
    with state.transactions.begin() as db:
        account = accept(db, secret, acceptance.name, password)
    if not account.is_active:
        raise Problem(403, "The password is set, but an admin has deactivated the account.")
    return start_session(state, request, response, account=account)
