"""Everything that the server sends to a page: bodies of responses and messages of sockets."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page, Response, WebSocket


@dataclass
class Traffic:
    """What a page received."""

    responses: list[Response] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)

    def text(self) -> str:
        """All of it, also what the page shows and keeps."""
        bodies = []
        for response in self.responses:
            if response.status < 300 or response.status >= 400:
                bodies.append(response.body().decode("utf-8", "replace"))
        return "\n".join([*bodies, *self.messages])


def record(page: Page) -> Traffic:
    """Record the traffic of a page from now on."""
    traffic = Traffic()

    def socket(opened: WebSocket) -> None:
        opened.on("framereceived", lambda frame: traffic.messages.append(_text(frame)))

    page.on("response", lambda response: traffic.responses.append(response))
    page.on("websocket", socket)
    return traffic


def _text(frame: str | bytes) -> str:
    return frame if isinstance(frame, str) else frame.decode("utf-8", "replace")
