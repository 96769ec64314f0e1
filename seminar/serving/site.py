"""The static files of an application's pages, and the one document that loads them.

The files stand below a folder named by the hash of all of them, so browsers keep them for good and
a new release is loaded whole.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from posixpath import dirname, join, normpath

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from seminar.serving.problems import not_found

WEB = Path(__file__).parent / "web"  # of the web chat; other applications share its parts
TYPES: Mapping[str, str] = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
HTML = "text/html; charset=utf-8"

_KEPT = "public, max-age=31536000, immutable"
_ASKED_AGAIN = "no-cache"  # kept, but compared by its ETag each time
_IMPORT = re.compile(r"""^(?:import|export|\}).*?"(\.[^"]+\.js)";$""", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Site:
    """The files by their path, the hash of all of them, and the document that loads them."""

    files: Mapping[str, bytes]
    version: str
    document: bytes


def read_site(document: Path, folders: Mapping[str, Path], *, main: str = "main.js") -> Site:
    """The files of folders, each below its prefix, and a document that begins with `main`.

    In the document `{{base}}` becomes the address of the files, `{{modules}}` the links that load
    every module that `main` imports.
    """
    files: dict[str, bytes] = {}
    for prefix, folder in folders.items():
        for path in sorted(path for path in folder.rglob("*") if path.suffix in TYPES):
            files[prefix + path.relative_to(folder).as_posix()] = path.read_bytes()
    template = document.read_text(encoding="utf-8")
    digest = hashlib.sha256(template.encode())
    for name, content in files.items():
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    version = digest.hexdigest()[:16]
    preloads = "\n".join(
        f'<link rel="modulepreload" href="/static/{version}/{escape(name)}">'
        for name in _imported(files, main)
    )
    page = template.replace("{{base}}", f"/static/{version}").replace("{{modules}}", preloads)
    return Site(files, version, page.encode())


def _imported(files: Mapping[str, bytes], main: str) -> list[str]:
    """A module and all that it imports, also by others."""
    found, waiting = {main}, [main]
    while waiting:
        name = waiting.pop()
        for target in _IMPORT.findall(files[name].decode()):
            other = normpath(join(dirname(name), target))
            if other in files and other not in found:
                found.add(other)
                waiting.append(other)
    return sorted(found)


def site_router(site: Callable[[], Site], pages: Iterable[str]) -> APIRouter:
    """The routes of a site: its document at the addresses of all pages, and its files."""
    router = APIRouter(include_in_schema=False)

    def page(request: Request) -> Response:
        """The document; what it shows is decided by the path, in the browser."""
        return _cached(request, site().document, HTML, _ASKED_AGAIN)

    def icon() -> Response:
        return RedirectResponse(f"/static/{site().version}/icon.svg")

    def file(request: Request, version: str, name: str) -> Response:
        """A file of the site; only names that are listed are ever read."""
        content = site().files.get(name)
        if content is None or version != site().version:
            raise not_found("file", name)
        return _cached(request, content, TYPES[Path(name).suffix], _KEPT)

    for path in pages:
        router.add_api_route(path, page, methods=["GET"])
    router.add_api_route("/favicon.ico", icon, methods=["GET"])
    router.add_api_route("/static/{version}/{name:path}", file, methods=["GET"])
    return router


def _cached(request: Request, content: bytes, media_type: str, control: str) -> Response:
    tag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": control}
    known = request.headers.get("if-none-match", "")
    if tag in (one.strip().removeprefix("W/") for one in known.split(",")):
        return Response(status_code=304, headers=headers)
    return Response(content, media_type=media_type, headers=headers)
