"""Routes of API tokens: an account's own ones."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Depends
from pydantic import BaseModel, Field
from sqlalchemy import func, select

from seminar.serving.api.pages import Page
from seminar.serving.identity.access import Owning
from seminar.serving.identity.audit import record
from seminar.serving.identity.names import checked_name
from seminar.serving.identity.tokens import make_token
from seminar.serving.problems import Problem, not_found
from seminar.serving.state import State, state_of
from seminar.serving.storage.schema import ApiToken

MOST = 100  # of each account

router = APIRouter(tags=["tokens"])
StateOf = Annotated[State, Depends(state_of)]


class NewToken(BaseModel):
    name: str = Field(max_length=1000, examples=["nightly import"])
    scopes: list[str] = Field(max_length=20, examples=[["read", "ask"]])
    expires_days: int | None = Field(90, ge=1, le=3650)


class TokenRecord(BaseModel):
    """A token without its secret."""

    id: str
    name: str
    scopes: list[str]
    created: datetime
    expires: datetime | None
    used: datetime | None


class MadeToken(TokenRecord):
    """A new token with its secret, which is shown only now."""

    secret: str


def token_record(token: ApiToken) -> TokenRecord:
    return TokenRecord(
        id=token.id,
        name=token.name,
        scopes=token.scopes.split(),
        created=token.created,
        expires=token.expires,
        used=token.used,
    )


@router.get("/tokens")
def list_tokens(caller: Owning, state: StateOf) -> Page[TokenRecord]:
    """The caller's tokens, newest first."""
    own = select(ApiToken).where(ApiToken.account_id == caller.account_id)
    with state.reads() as db:
        tokens = db.scalars(own.order_by(ApiToken.created.desc())).all()
    return Page(items=[token_record(token) for token in tokens])


@router.post("/tokens", status_code=201)
def create_token(new: NewToken, caller: Owning, state: StateOf) -> MadeToken:
    """Make a token; its secret is shown only in this response."""
    own = select(func.count()).where(ApiToken.account_id == caller.account_id)
    with state.transactions.begin() as db:
        if (db.scalar(own) or 0) >= MOST:
            raise Problem(409, f"An account has at most {MOST} tokens: revoke one first.")
        name = checked_name(new.name)
        token, secret = make_token(db, caller, name, new.scopes, new.expires_days)
        record(db, "token.created", caller, token.id, name=name, scopes=token.scopes)
    return MadeToken(**token_record(token).model_dump(), secret=secret)


@router.delete("/tokens/{token_id}", status_code=204)
def revoke_token(token_id: str, caller: Owning, state: StateOf) -> None:
    """Revoke a token at once."""
    own = select(ApiToken).where(ApiToken.id == token_id, ApiToken.account_id == caller.account_id)
    with state.transactions.begin() as db:
        token = db.scalar(own)
        if token is None:
            raise not_found("token", token_id)
        db.delete(token)
        record(db, "token.revoked", caller, token_id, name=token.name)
