"""Counts, logs and traces every request by its route: addresses may hold secrets and questions."""

from __future__ import annotations

import json
import logging
import time
from datetime import UTC, datetime

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from seminar.serving.addresses import PREFIX
from seminar.serving.observing.metrics import REQUEST_SECONDS, REQUESTS
from seminar.serving.observing.tracing import span

log = logging.getLogger("seminar.access")

UNKNOWN = "(unknown)"
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class Observed:
    """An ASGI application in front of another one."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        status = 500

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        method = scope["method"] if scope["method"] in METHODS else UNKNOWN
        try:
            with span("request", {"http.request.method": method}):
                await self._app(scope, receive, noting)
        finally:
            _note(scope, method, status, time.perf_counter() - began)


def _note(scope: Scope, method: str, status: int, seconds: float) -> None:
    route = _route(scope)
    REQUESTS.labels(method, route, status).inc()
    REQUEST_SECONDS.labels(route).observe(seconds)
    entry = {
        "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "method": method,
        "route": route,
        "status": status,
        "seconds": round(seconds, 4),
    }
    log.info(json.dumps(entry))


def _route(scope: Scope) -> str:
    """The path of the route with its parameters unfilled."""
    path: str | None = getattr(scope.get("route"), "path", None)
    if path is None:
        return UNKNOWN
    within = scope["path"].startswith(f"{PREFIX}/") and not path.startswith(PREFIX)
    return f"{PREFIX}{path}" if within else path
