"""Runs the service: in this process, or in several workers that share its address."""

from __future__ import annotations

import functools
import ipaddress
import socket
from collections.abc import Callable
from dataclasses import replace

import uvicorn
from sqlalchemy.orm import Session
from uvicorn.supervisors import Multiprocess

from seminar.errors import ConfigurationError
from seminar.serving.app import create_app
from seminar.serving.collections.places import check_places
from seminar.serving.identity.invitations import first_admin_path
from seminar.serving.observing.metrics import share
from seminar.serving.settings import ServiceSettings
from seminar.serving.storage.engines import open_engine, reaching
from seminar.serving.storage.migrating import migrate, wait_for_others

BACKLOG = 2_048
PATIENCE = 20  # seconds for requests to end after the service was told to stop
LOOPBACK_NAMES = frozenset({"localhost"})


def check_host(host: str, settings: ServiceSettings, *, without_accounts: bool) -> None:
    """Raise an error for an address that others reach, if anybody there could do everything."""
    if not (settings.multi_user or without_accounts or is_loopback(host)):
        raise ConfigurationError(
            f"--host {host} lets others on the network read, change and delete everything: add "
            "--multi-user for accounts, or --without-accounts if all of them may"
        )


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches an address.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host in LOOPBACK_NAMES


def serve(
    settings: ServiceSettings,
    *,
    host: str,
    port: int,
    workers: int,
    announce: Callable[[str], None],
) -> None:
    """Serve until the process is told to stop; `announce` gets the address, then a first link."""
    check_places(settings.paths, settings.indexes)
    settings = replace(settings, hosts=(*settings.hosts, host))  # it may be a name
    listening = listen(host, port)
    address = settings.address or local_address(host, listening)
    settings.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    link = _prepare(settings)
    announce(address)
    if link:
        announce(
            f"Make the first admin's account (the link is new with each start): {address}{link}"
        )
    config = uvicorn.Config(
        functools.partial(create_app, settings),
        factory=True,
        workers=workers,
        log_config=LOGGING,
        access_log=False,  # it would have whole addresses: questions and secrets
        server_header=False,
        proxy_headers=False,  # the settings name the proxies that are trusted
        timeout_worker_healthcheck=60,
        timeout_graceful_shutdown=PATIENCE,
        timeout_keep_alive=30,
        h11_max_incomplete_event_size=64_000,
    )
    if workers == 1:
        uvicorn.Server(config).run(sockets=[listening])
        return
    share(settings.folder / "metrics")
    Multiprocess(config, sockets=[listening]).run()


def _prepare(settings: ServiceSettings) -> str | None:
    """Bring the database up to date; the path of the link that makes the first admin."""
    engine = open_engine(settings.database_url)
    try:
        with reaching(engine):
            migrate(engine)
            if not settings.multi_user:
                return None
            with Session(engine) as session, session.begin():
                wait_for_others(session.connection())
                return first_admin_path(session)
    finally:
        engine.dispose()


def listen(host: str, port: int) -> socket.socket:
    """A listening socket, which worker processes inherit."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listening = socket.create_server((host, port), family=family, backlog=BACKLOG)
    except (OSError, OverflowError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise ConfigurationError(
            f"can't listen on {host} port {port}: {reason}. Name another --port or --host"
        ) from None
    listening.set_inheritable(True)
    return listening


def local_address(host: str, listening: socket.socket) -> str:
    """The URL of a socket that listens at a host."""
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{listening.getsockname()[1]}"


LOGGING: dict[str, object] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "lines": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"},
        "plain": {"format": "%(message)s"},
    },
    "handlers": {
        "lines": {"class": "logging.StreamHandler", "formatter": "lines"},
        "plain": {"class": "logging.StreamHandler", "formatter": "plain"},
    },
    "loggers": {
        "uvicorn": {"handlers": ["lines"], "level": "WARNING", "propagate": False},
        "seminar": {"handlers": ["lines"], "level": "WARNING", "propagate": False},
        "seminar.access": {"handlers": ["plain"], "level": "INFO", "propagate": False},
    },
}
