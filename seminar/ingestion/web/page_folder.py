"""A folder of fetched pages, with the address of each, so that it can be indexed and continued."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec

from seminar.errors import IngestionError
from seminar.io import read_bounded, write_atomic

MANIFEST = ".seminar-pages.json"
_MANIFEST_LIMIT = 100_000_000
_SUFFIXES = {
    "text/html": ".html",
    "application/xhtml+xml": ".xhtml",
    "text/plain": ".txt",
    "text/markdown": ".md",
    "application/pdf": ".pdf",
    "text/csv": ".csv",
    "application/epub+zip": ".epub",
    "application/rtf": ".rtf",
    "application/vnd.oasis.opendocument.text": ".odt",
    "application/vnd.oasis.opendocument.spreadsheet": ".ods",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": ".pptx",
}


class PageRecord(msgspec.Struct):
    """What is known of an address: its file and links, or where it was redirected to."""

    fetched: float  # seconds since the epoch
    file: str = ""
    target: str = ""
    etag: str = ""
    modified: str = ""
    links: tuple[str, ...] = ()


class _Manifest(msgspec.Struct):
    folder: str  # where it was made: a folder that comes from elsewhere claims no addresses
    pages: dict[str, PageRecord] = {}
    shown: tuple[str, ...] = ()  # the addresses that were last asked for


class PageFolder:
    """The pages of one address and depth, in files; every page is saved as soon as it is there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._manifest = _read(folder) or _Manifest(str(folder.resolve()))

    def find(self, address: str) -> PageRecord | None:
        """What is known of an address."""
        return self._manifest.pages.get(address)

    def path(self, record: PageRecord) -> Path:
        """The file of a page."""
        return self.folder / record.file

    def save(self, address: str, record: PageRecord, content: bytes | None = None) -> None:
        """Write a page, and then what is known of it."""
        if content is not None:
            write_atomic(self.folder / record.file, content)
        self._manifest.pages[address] = record
        self._write()

    def show(self, addresses: list[str]) -> None:
        """Set the addresses whose pages belong to this folder now, and remove other files."""
        self._manifest.shown = tuple(addresses)
        self._write()
        kept = {self._manifest.pages[address].file for address in addresses}
        for path in self.folder.iterdir():
            if path.name not in kept and path.name != MANIFEST:
                path.unlink()

    def _write(self) -> None:
        write_atomic(self.folder / MANIFEST, msgspec.json.encode(self._manifest))


def file_name(address: str, kind: str) -> str:
    """The name of a page's file; raises IngestionError for a type that no reader knows."""
    suffix = _SUFFIXES.get(kind)
    if suffix is None:
        raise IngestionError(f"{address}: is {kind[:80] or 'of no type'}, which is not read")
    return hashlib.blake2b(address.encode(), digest_size=12).hexdigest() + suffix


def page_addresses(folder: Path) -> dict[str, str]:
    """The addresses of the files in a folder of pages; empty for any other folder."""
    manifest = _read(folder)
    if manifest is None:
        return {}
    found = ((address, manifest.pages.get(address)) for address in manifest.shown)
    return {record.file: address for address, record in found if record is not None}


def _read(folder: Path) -> _Manifest | None:
    try:
        content = read_bounded(folder / MANIFEST, _MANIFEST_LIMIT)
        manifest = msgspec.json.decode(content or b"", type=_Manifest)
    except (OSError, ValueError, RecursionError):
        return None
    return manifest if manifest.folder == str(folder.resolve()) else None
