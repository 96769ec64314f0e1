"""Settings of the service, apart from those of the assistant."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from seminar.settings import Settings, home

MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    """Where state is kept, who may enter, and what is allowed.

    `database` is a SQLAlchemy URL; empty means a SQLite file in `folder`. `address` is the URL
    under which browsers reach the service, for links and cookies behind a proxy.
    """

    folder: Path = field(default_factory=lambda: home() / "service")
    database: str = ""
    address: str = ""
    multi_user: bool = False
    assistant: Settings = field(default_factory=lambda: Settings(encoder="auto", followups=True))
    session_days: int = 30
    largest_upload: int = 2_000 * MEGABYTE
    quota: int = 20_000 * MEGABYTE  # of all files that an account has uploaded
    requests_per_minute: int = 600  # of each account
    oidc_issuer: str = ""
    oidc_client: str = ""
    oidc_secret: str = ""
    traces: str = ""  # URL of an OTLP endpoint; none are sent without it

    @property
    def database_url(self) -> str:
        return self.database or f"sqlite:///{self.folder / 'service.sqlite'}"
