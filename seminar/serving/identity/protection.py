"""The outermost layer: unknown hosts and foreign pages are turned away, every response is guarded.

It is plain ASGI, so that streams pass through it unbuffered.
"""

from __future__ import annotations

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from seminar.serving.identity.origins import is_from_elsewhere, is_known_host
from seminar.serving.problems import UNEXPECTED, Problem, error_response
from seminar.serving.settings import ServiceSettings

POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",  # the paths of links are secrets
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
HSTS = "max-age=31536000"
PRIVATE = ("/api/", "/v1/", "/metrics", "/invitation/", "/link/")


class Protection:
    """An ASGI application in front of another one."""

    def __init__(self, app: ASGIApp, settings: ServiceSettings) -> None:
        self._app, self._settings = app, settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        has_started = False

        async def guarded(message: Message) -> None:
            nonlocal has_started
            has_started = True
            if message["type"] == "http.response.start":
                self._add_headers(scope, MutableHeaders(scope=message))
            await send(message)

        problem = self._problem(scope)
        app = self._app if problem is None else error_response(scope["path"], problem)
        try:
            await app(scope, receive, guarded)
        except Exception:
            if not has_started:
                response = error_response(scope["path"], Problem(500, UNEXPECTED))
                await response(scope, receive, guarded)
            raise

    def _problem(self, scope: Scope) -> Problem | None:
        headers, settings = Headers(scope=scope), self._settings
        if "\0" in scope["path"] or b"%00" in scope["query_string"]:
            return Problem(400, "An address may not contain the character NUL.")
        host = headers.get("host", "")
        if not is_known_host(host, settings):
            return Problem(
                421,
                f"This service doesn't answer for the host {host[:200]!r}; name it in the "
                "settings ('address' or 'hosts') if it should.",
            )
        if is_from_elsewhere(scope["method"], headers, scope["scheme"], settings):
            return Problem(403, "A page of another site may not change anything here.")
        return None

    def _add_headers(self, scope: Scope, headers: MutableHeaders) -> None:
        for name, value in HEADERS.items():
            headers[name] = value
        if is_https(scope["scheme"], self._settings):
            headers["Strict-Transport-Security"] = HSTS
        if scope["path"].startswith(PRIVATE):
            headers["Cache-Control"] = "no-store"


def is_https(scheme: str, settings: ServiceSettings) -> bool:
    """Whether browsers reach the service with HTTPS, perhaps through a proxy."""
    return scheme == "https" or settings.address.startswith("https://")
