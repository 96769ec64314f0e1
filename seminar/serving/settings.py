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
    paths: tuple[Path, ...] = ()  # folders and files that are asked in place, a collection each
    address: str = ""
    multi_user: bool = False
    assistant: Settings = field(default_factory=lambda: Settings(encoder="auto", followups=True))
    session_days: int = 30
    largest_upload: int = 2_000 * MEGABYTE
    quota: int = 20_000 * MEGABYTE  # of all files that an account has uploaded
    largest_batch: int = 8  # questions that are read together; 1 turns batching off
    requests_per_minute: int = 600  # of each account
    logins_per_minute: int = 10  # of each address, and into each account
    hosts: tuple[str, ...] = ()  # names by which it may be reached, besides that of `address`
    trusted_proxies: tuple[str, ...] = ()  # whose X-Forwarded-For and X-Forwarded-Proto count
    password_rounds: int = 3  # argon2id, as RFC 9106 and argon2-cffi have it
    password_memory: int = 65_536  # KiB
    oidc_issuer: str = ""
    oidc_client: str = ""
    oidc_secret: str = ""
    oidc_domains: tuple[str, ...] = ()  # of verified e-mail addresses; empty: any
    oidc_groups: tuple[str, ...] = ()  # one of which the provider must name; empty: any
    traces: str = ""  # URL of an OTLP endpoint; none are sent without it

    @property
    def database_url(self) -> str:
        return self.database or f"sqlite:///{self.folder / 'service.sqlite'}"
