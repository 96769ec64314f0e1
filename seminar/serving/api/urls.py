"""Full URLs of pages, as links for people have them."""

from __future__ import annotations

from fastapi import Request

from seminar.serving.settings import ServiceSettings


def page_url(request: Request, settings: ServiceSettings, path: str) -> str:
    """The URL of a page: below the address of the settings, or where the request came in."""
    return (settings.address.rstrip("/") or str(request.base_url).rstrip("/")) + path
