"""Runs a study: one process holds its folder for itself, or several share a PostgreSQL."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path

import uvicorn
from filelock import FileLock, Timeout

from seminar.collection.app import StudyServer, create_app
from seminar.collection.messages.live import LONGEST_MESSAGE
from seminar.collection.storage.database import open_database
from seminar.collection.storage.processes import check_alike
from seminar.collection.study.loading import Study
from seminar.errors import ConfigurationError
from seminar.serving.identity.secret import new_secret
from seminar.serving.running import LOGGING, listen, local_address

TOKEN_FILE = "admin-token"
PATIENCE = 5  # seconds for requests to end after the server was told to stop


def serve_study(
    study: Study,
    server: StudyServer,
    *,
    host: str,
    port: int,
    announce: Callable[[str], None],
) -> None:
    """Serve until the process is told to stop; `announce` gets the workers' and admin's links."""
    server.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with nullcontext() if server.is_shared else _alone(server.folder):
        server = replace(server, hosts=(*server.hosts, host))
        _check_database(study, server)
        listening = listen(host, port)
        address = server.address or local_address(host, listening)
        app = create_app(study, server)
        announce(f"Workers: {address}/")
        announce(f"Admin:   {address}/admin#token={server.admin_token}")
        config = uvicorn.Config(
            app,
            log_config=LOGGING,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            ws="websockets-sansio",
            ws_max_size=LONGEST_MESSAGE,
            ws_ping_interval=20,
            ws_ping_timeout=20,
            timeout_graceful_shutdown=PATIENCE,
            h11_max_incomplete_event_size=64_000,
        )
        uvicorn.Server(config).run(sockets=[listening])


def _check_database(study: Study, server: StudyServer) -> None:
    """Raise the error for a database that can't be used, before anything is started."""
    database = open_database(server.database_url, study)
    try:
        if database.is_shared:
            serves = study.digest(server.admin_token)
            database.write_now(lambda session: check_alike(session, serves))
    finally:
        database.close()


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Hold a folder, so that no other process serves what is in it."""
    lock = FileLock(folder / "lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise ConfigurationError(
            f"{folder}: another process serves this study; stop it, or name another folder with "
            "--folder, or a PostgreSQL with --database, which several may serve"
        ) from None
    with lock:
        yield


def admin_token(folder: Path) -> str:
    """The admin's token of a folder, which is made once and readable by its owner alone."""
    file = folder / TOKEN_FILE
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        token = file.read_text(encoding="ascii").strip()
        if not token:
            raise ConfigurationError(f"{file}: empty; remove it to have a new token made") from None
        return token
    token = new_secret()
    with os.fdopen(descriptor, "w", encoding="ascii") as opened:
        opened.write(token + "\n")
    return token
