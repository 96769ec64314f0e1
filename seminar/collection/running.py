"""Runs a study: one process, which holds its folder for itself."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import uvicorn
from filelock import FileLock, Timeout

from seminar.collection.app import StudyServer, create_app
from seminar.collection.messages.live import LONGEST_MESSAGE
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
    lock = FileLock(server.folder / "lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise ConfigurationError(
            f"{server.folder}: another process serves this study; stop it, or name another folder "
            "with --folder"
        ) from None
    with lock:
        server = replace(server, hosts=(*server.hosts, host))
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
