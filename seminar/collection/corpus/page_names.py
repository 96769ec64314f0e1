"""The page that a hyperlink means, however the folder, dump or saved site writes it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

_PAGE_SUFFIXES = frozenset({".html", ".htm", ".xhtml", ".md", ".mht", ".php", ".asp", ".aspx"})


class PageNames:
    """The names under which links and people mention pages, each with the page's id.

    >>> names = PageNames([("wiki/Neo.html", "Neo"), ("dump.xml#The Matrix", "The Matrix")])
    >>> names.find("https://matrix.example.org/wiki/Neo?so=1#Early_life")
    'wiki/Neo.html'
    >>> names.find("dump.xml#the_Matrix"), names.find("wiki/Zion")
    ('dump.xml#The Matrix', '')
    """

    def __init__(self, pages: Iterable[tuple[str, str]]) -> None:
        self._ids: dict[str, str] = {}
        self._titles: dict[str, str] = {}
        for page, title in pages:
            self._titles.setdefault(title.casefold(), page)
            for name in _own_names(page):
                self._ids.setdefault(name, page)

    def find(self, target: str) -> str:
        """The id of the page that a link leads to, or "" where it isn't among them."""
        return next((self._ids[name] for name in _link_names(target) if name in self._ids), "")

    def choose(self, text: str) -> str:
        """The id of the page that a person names by id, address or title, or ""."""
        return self.find(text) or self._titles.get(text.strip().casefold(), "")


def _own_names(page: str) -> list[str]:
    file, mark, title = page.partition("#")
    if mark:  # an article of a dump
        return [page, f"{file}#{_article(title)}"]
    path = PurePosixPath(file)
    names = [file]
    if path.suffix.lower() in _PAGE_SUFFIXES:
        names.append(file.removesuffix(path.suffix))
        if path.stem == "index":
            names.append(str(path.parent))
    return names


def _link_names(target: str) -> list[str]:
    """What a link may be called among the pages, the most exact first."""
    file, mark, fragment = target.partition("#")
    names = [target]
    if mark:
        title = _article(unquote(fragment))
        names += [f"{file}#{title}", f"{file}#{title.partition('#')[0]}"]
    parts = urlsplit(file) if "://" in file or file.startswith("//") else None
    paths = [f"{parts.netloc}{parts.path}", parts.path] if parts else [file]
    if parts and parts.query:
        paths.insert(0, f"{parts.path}?{parts.query}")
    for path in paths:
        plain = unquote(path).strip("/")
        names += [plain, plain.partition("?")[0]]
        names.append(f"{plain.partition('?')[0]}.html")
    return [name for name in dict.fromkeys(names) if name]


def _article(title: str) -> str:
    """A title as MediaWiki stores it: spaces, the first letter large."""
    plain = " ".join(title.replace("_", " ").split())
    return plain[:1].upper() + plain[1:]
