"""Packages written by hand, as small as programs accept them."""

import zipfile
from collections.abc import Mapping
from pathlib import Path

_NAMES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for name in ("office", "text", "table", "style", "draw", "presentation", "svg")
)
_OTHERS = 'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xlink="http://www.w3.org/1999/xlink"'


def package(path: Path, entries: Mapping[str, str | bytes]) -> Path:
    """A zip of the entries, in their order."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return path


def open_document(path: Path, body: str, *, styles: str = "", title: str = "") -> Path:
    """An OpenDocument file with this body, as in `<office:text>...</office:text>`."""
    content = (
        f"<office:document-content {_NAMES} {_OTHERS}><office:automatic-styles>{styles}"
        f"</office:automatic-styles><office:body>{body}</office:body></office:document-content>"
    )
    meta = (
        f"<office:document-meta {_NAMES} {_OTHERS}><office:meta><dc:title>{title}</dc:title>"
        "</office:meta></office:document-meta>"
    )
    return package(path, {"content.xml": content, "meta.xml": meta})
