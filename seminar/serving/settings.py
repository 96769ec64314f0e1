"""Settings of the service, apart from those of the assistant."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path

from seminar.errors import ConfigurationError, unknown
from seminar.index_url import IndexUrl
from seminar.settings import Settings, fits_default, home

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
    indexes: tuple[IndexUrl, ...] = ()  # that others write, a collection each
    address: str = ""
    multi_user: bool = False
    assistant: Settings = field(default_factory=lambda: Settings(encoder="auto", followups=True))
    session_days: int = 30
    largest_upload: int = 2_000 * MEGABYTE
    quota: int = 20_000 * MEGABYTE  # of all files that an account has uploaded
    largest_batch: int = 8  # questions that are read together; 1 turns batching off
    requests_per_minute: int = 3_000  # of each account; a folder takes two for each file
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


# Fields that a file of settings may not have: options of the command, secrets, and the assistant's.
_OPTIONS = frozenset({"paths", "indexes", "assistant", "folder", "database", "oidc_secret"})


def load_service_settings(file: Path | None, **explicit: object) -> ServiceSettings:
    """Read settings from a TOML file; explicit ones override it, except those that are None."""
    values = _read(file) if file else {}
    if secret := os.environ.get("SEMINAR_OIDC_SECRET", "").strip():
        values["oidc_secret"] = secret
    values |= {name: value for name, value in explicit.items() if value is not None}
    settings = ServiceSettings(**values)  # type: ignore[arg-type]
    if bool(settings.oidc_issuer) != bool(settings.oidc_client):
        raise ConfigurationError(
            "oidc_issuer and oidc_client go together: name both, and the secret in "
            "SEMINAR_OIDC_SECRET"
        )
    return settings


def _read(file: Path) -> dict[str, object]:
    try:
        found = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigurationError(f"{file}: can't be read ({error.strerror})") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{file}: not TOML ({error})") from error
    usual = {one.name: one.default for one in fields(ServiceSettings) if one.name not in _OPTIONS}
    return {name: _checked(file, name, value, usual) for name, value in found.items()}


def _checked(file: Path, name: str, value: object, usual: Mapping[str, object]) -> object:
    """A value of a file, which has the type of its default."""
    if name not in usual:
        raise unknown(f"setting in {file}:", name, usual)
    if isinstance(usual[name], tuple):
        if isinstance(value, list) and all(isinstance(one, str) for one in value):
            return tuple(value)
        raise ConfigurationError(f"{file}: {name} = {value!r} is not a list of words")
    if not fits_default(value, usual[name]):
        raise ConfigurationError(f"{file}: {name} = {value!r} is not like {usual[name]!r}")
    if isinstance(value, int) and not isinstance(value, bool) and value < 1:
        raise ConfigurationError(f"{file}: {name} = {value} must be at least 1")
    return value
