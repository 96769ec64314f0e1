"""A limit on the bodies of requests; chunks of uploads have their own."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from seminar.serving.addresses import PREFIX
from seminar.serving.problems import Problem, error_response

LARGEST = 1_000_000  # bytes
UPLOADS = f"{PREFIX}/uploads/"
TOO_LARGE = f"The body of the request has more than {LARGEST:,} bytes; upload long texts as files."


class BodyLimit:
    """An ASGI application in front of another one."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or _is_chunk(scope):
            await self._app(scope, receive, send)
            return
        announced = Headers(scope=scope).get("content-length", "")
        if announced.isdecimal() and int(announced) > LARGEST:
            response = error_response(scope["path"], Problem(413, TOO_LARGE))
            await response(scope, receive, send)
            return
        received = 0

        async def counting() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > LARGEST:
                raise HTTPException(413, TOO_LARGE)
            return message

        await self._app(scope, counting, send)


def _is_chunk(scope: Scope) -> bool:
    return bool(scope["method"] == "PATCH" and scope["path"].startswith(UPLOADS))
