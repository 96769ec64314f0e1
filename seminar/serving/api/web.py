"""The pages of the web chat: one document for every page, and the files that it loads.

The files stand below a folder named by the hash of all of them, so browsers keep them for good and
a new release is loaded whole.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from seminar.serving.problems import Problem, error_response, not_found

FOLDER = Path(__file__).parent.parent / "web"
TYPES: Mapping[str, str] = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
HTML = "text/html; charset=utf-8"
KEPT = "public, max-age=31536000, immutable"
ASKED_AGAIN = "no-cache"  # kept, but compared by its ETag each time
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

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class Site:
    """The files by their path, the hash of all of them, and the document that loads them."""

    files: Mapping[str, bytes]
    version: str
    document: bytes


@cache
def site() -> Site:
    """The site as it is on disk when it is first asked for."""
    paths = sorted(path for path in FOLDER.rglob("*") if path.suffix in TYPES)
    files = {path.relative_to(FOLDER).as_posix(): path.read_bytes() for path in paths}
    template = (FOLDER / "index.html").read_text(encoding="utf-8")
    digest = hashlib.sha256(template.encode())
    for name, content in files.items():
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    version = digest.hexdigest()[:16]
    modules = [name for name in files if name.endswith(".js") and name != "theme.js"]
    preloads = "\n".join(
        f'<link rel="modulepreload" href="/static/{version}/{escape(name)}">' for name in modules
    )
    document = template.replace("{{base}}", f"/static/{version}").replace("{{modules}}", preloads)
    return Site(files, version, document.encode())


def page(request: Request) -> Response:
    """The document; what it shows is decided by the path, in the browser."""
    return _cached(request, site().document, HTML, ASKED_AGAIN)


def unknown_address(request: Request, _: Exception) -> Response:
    """For a browser the document, which shows that nothing is there; for programs a problem."""
    path = request.url.path
    accepted = request.headers.get("accept", "")
    if request.method == "GET" and "text/html" in accepted and not path.startswith(PROGRAMS):
        return Response(site().document, status_code=404, media_type=HTML)
    return error_response(path, Problem(404, f"There is nothing at {path[:200]!r}."))


for path in PAGES:
    router.add_api_route(path, page, methods=["GET"])


@router.get("/favicon.ico")
def icon() -> Response:
    return RedirectResponse(f"/static/{site().version}/icon.svg")


@router.get("/static/{version}/{name:path}")
def file(request: Request, version: str, name: str) -> Response:
    """A file of the site; only names that are listed are ever read."""
    content = site().files.get(name)
    if content is None or version != site().version:
        raise not_found("file", name)
    return _cached(request, content, TYPES[Path(name).suffix], KEPT)


def _cached(request: Request, content: bytes, media_type: str, control: str) -> Response:
    tag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": control}
    known = request.headers.get("if-none-match", "")
    if tag in (one.strip().removeprefix("W/") for one in known.split(",")):
        return Response(status_code=304, headers=headers)
    return Response(content, media_type=media_type, headers=headers)
