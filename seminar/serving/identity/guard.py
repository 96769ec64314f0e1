"""What identity needs of a process: how passwords are hashed, and the limits by time."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import Request

from seminar.serving.identity.limits import Limit, address_key
from seminar.serving.identity.passwords import Passwords
from seminar.serving.settings import ServiceSettings


@dataclass(frozen=True)
class Guard:
    """The counts of one process."""

    passwords: Passwords
    logins: Limit
    requests: Limit


def open_guard(settings: ServiceSettings) -> Guard:
    """Empty counts, with the limits of the settings."""
    return Guard(
        Passwords(settings), Limit(settings.logins_per_minute), Limit(settings.requests_per_minute)
    )


def address_of(request: Request) -> str:
    """The address of the client; a proxy's word counts only if the settings trust it."""
    return address_key(request.client.host if request.client else "")
