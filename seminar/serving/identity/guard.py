"""What identity needs of a process: passwords, limits by time, the OIDC provider."""

from __future__ import annotations

from dataclasses import dataclass

from authlib.integrations.starlette_client import StarletteOAuth2App
from fastapi import Request

from seminar.serving.identity.limits import Limit, address_key
from seminar.serving.identity.oidc import open_provider
from seminar.serving.identity.passwords import Passwords
from seminar.serving.settings import ServiceSettings


@dataclass(frozen=True)
class Guard:
    """What one process has of them."""

    passwords: Passwords
    logins: Limit
    requests: Limit
    provider: StarletteOAuth2App | None


def open_guard(settings: ServiceSettings) -> Guard:
    """Empty counts, with the limits of the settings."""
    return Guard(
        Passwords(settings),
        Limit(settings.logins_per_minute),
        Limit(settings.requests_per_minute),
        open_provider(settings),
    )


def address_of(request: Request) -> str:
    """The address of the client; a proxy's word counts only if the settings trust it."""
    return address_key(request.client.host if request.client else "")
