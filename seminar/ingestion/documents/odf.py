"""What OpenDocument files share: the content as a stream of XML, and the title."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from seminar.errors import IngestionError
from seminar.ingestion.streams import packages
from seminar.ingestion.streams.decoding import clean
from seminar.ingestion.streams.xml_stream import FieldText, XmlStream

CONTENT = "content.xml"
_MANIFEST = "META-INF/manifest.xml"
_META = "meta.xml"
_META_LIMIT = 10_000_000  # bytes
_TITLE_LIMIT = 1_000


@contextmanager
def open_content(path: Path) -> Iterator[zipfile.ZipFile]:
    """The package of an OpenDocument file that has content and no password."""
    with packages.open_package(path) as archive:
        names = set(archive.namelist())
        if CONTENT not in names:
            raise IngestionError("damaged, or no OpenDocument file: it holds no content.xml")
        if _MANIFEST in names:
            manifest = packages.content(archive, _MANIFEST, _META_LIMIT)
            if b"encryption-data" in manifest:
                raise IngestionError("encrypted: it opens only with a password")
        yield archive


def title_of(archive: zipfile.ZipFile) -> str:
    """The title of the properties; empty where there is none."""
    if _META not in archive.namelist():
        return ""
    found: list[str] = []
    field = FieldText(_TITLE_LIMIT)

    def start(tag: str, attributes: dict[str, str]) -> None:
        if tag == "dc:title":
            field.begin(tag)

    def end(tag: str) -> None:
        found.append(field.end(tag) or "")

    for _ in packages.parse_entry(archive, _META, XmlStream(start, end, characters=field.add)):
        pass
    return " ".join(clean("".join(found)).split())


def count(attributes: dict[str, str], name: str, limit: int) -> int:
    """The count in an attribute, from 1 to the limit; 1 where it is missing or none."""
    value = attributes.get(name, "")
    if not value.isascii() or not value.isdigit():
        return 1
    return max(min(int(value[:9]), limit), 1)
