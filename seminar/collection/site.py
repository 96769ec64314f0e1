"""The pages of a study: their files, beside the parts that they share with the web chat."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from seminar.serving.site import WEB, Site, read_site, site_router

FOLDER = Path(__file__).parent / "web"
PAGES = ("/", "/admin")


@cache
def site() -> Site:
    """The site as it is on disk when it is first asked for."""
    folders = {"": WEB, "collection/": FOLDER}
    return read_site(FOLDER / "index.html", folders, main="collection/main.js")


router = site_router(site, PAGES)
