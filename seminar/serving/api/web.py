"""The pages of the web chat: one document for every page, and the files that it loads."""

from __future__ import annotations

from functools import cache

from fastapi import Request
from fastapi.responses import Response

from seminar.serving.problems import Problem, error_response
from seminar.serving.site import HTML, WEB, Site, read_site, site_router

PAGES = (
    "/",
    "/collections/{name}",
    "/ask/{name}",
    "/dialogues/{name}",
    "/login",
    "/invitation/{name}",
    "/link/{name}",
    "/tokens",
    "/admin",
)

PROGRAMS = ("/api/", "/v1/", "/static/")  # whose unknown addresses are no pages


@cache
def site() -> Site:
    """The site as it is on disk when it is first asked for."""
    return read_site(WEB / "index.html", {"": WEB})


def unknown_address(request: Request, _: Exception) -> Response:
    """For a browser the document, which shows that nothing is there; for programs a problem."""
    path = request.url.path
    accepted = request.headers.get("accept", "")
    if request.method == "GET" and "text/html" in accepted and not path.startswith(PROGRAMS):
        return Response(site().document, status_code=404, media_type=HTML)
    return error_response(path, Problem(404, f"There is nothing at {path[:200]!r}."))


router = site_router(site, PAGES)
