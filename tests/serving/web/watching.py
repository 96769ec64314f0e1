"""What may never happen on a page: console errors, policy violations, requests to elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from playwright.sync_api import ConsoleMessage, Page, Request

OWN_SCHEMES = {"data", "blob"}


@dataclass
class Violations:
    """What went wrong on a page; `expected` are parts of messages that a test provokes."""

    found: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)

    def add(self, text: str) -> None:
        if not any(part in text for part in self.expected):
            self.found.append(text)


_violations: dict[int, Violations] = {}


def watch(page: Page, url: str) -> Violations:
    """Collect what goes wrong on a page of a server; a violated policy is a console error."""
    violations = Violations()
    own = urlsplit(url).netloc

    def console(message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            violations.add(f"console: {message.text}")

    def request(sent: Request) -> None:
        target = urlsplit(sent.url)
        if target.netloc != own and target.scheme not in OWN_SCHEMES:
            violations.add(f"request: {sent.url}")

    page.on("console", console)
    page.on("pageerror", lambda error: violations.add(f"error: {error}"))
    page.on("request", request)
    page.on(
        "dialog", lambda dialog: (violations.add(f"dialog: {dialog.message}"), dialog.dismiss())
    )
    _violations[id(page)] = violations
    return violations


def expect_console(page: Page, part: str) -> None:
    """Allow console messages with a part: a test provokes an error that the browser logs."""
    _violations[id(page)].expected.append(part)
