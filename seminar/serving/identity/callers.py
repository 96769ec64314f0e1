"""Who makes a request: an account, a program with a token, or a visitor with a public link."""

from __future__ import annotations

from dataclasses import dataclass

ALL_SCOPES = frozenset({"read", "ask", "write", "admin"})


@dataclass(frozen=True, slots=True)
class Caller:
    """The account or the public link of a request, and what its session or token may do.

    Exactly one of `account_id` and `link_id` is set; with `link_id` also `visitor_id`, which tells
    the visitors of one link apart.
    """

    account_id: str | None = None
    link_id: str | None = None
    visitor_id: str | None = None
    name: str = ""
    is_admin: bool = False
    scopes: frozenset[str] = ALL_SCOPES
