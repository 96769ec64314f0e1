"""MTurk shows external tasks in a frame of its site, which the service's headers forbid."""

from __future__ import annotations

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

ANCESTORS = "frame-ancestors https://worker.mturk.com https://workersandbox.mturk.com"


class Framed:
    """An ASGI application in front of another one, whose pages may stand in frames of MTurk."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def framed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                policy = headers.get("content-security-policy", "")
                headers["content-security-policy"] = policy.replace(
                    "frame-ancestors 'none'", ANCESTORS
                )
                del headers["x-frame-options"]
            await send(message)

        await self._app(scope, receive, framed if scope["type"] == "http" else send)
