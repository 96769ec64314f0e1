"""Slack exports as zip files, read in place: nothing is unpacked to disk."""

from __future__ import annotations

import lzma
import os
import re
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Iterator
from functools import partial
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from seminar.errors import IngestionError
from seminar.ingestion.conversations.slack.export import (
    DAY,
    DAY_LIMIT,
    METADATA,
    Day,
    read_channel,
    read_people,
)
from seminar.ingestion.streams.compressed import FREE, RATIO_LIMIT
from seminar.ingestion.streams.decoding import Notify
from seminar.regular_files import open_regular
from seminar.types import Thread

_ENTRY = re.compile(rb"PK\x03\x04.{22}(.)(.)..", re.DOTALL)
# MemoryError: an entry may ask for any amount of memory to unpack it.
_DAMAGE = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, ValueError, MemoryError
)  # fmt: skip
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f\\]")


class _ExpandsTooMuch(Exception):
    """The whole zip, not only a day, expands more than any export does."""


def recognises(head: bytes) -> bool:
    """Whether a zip begins with the files of a Slack export."""
    for entry in _ENTRY.finditer(head):
        length = entry.group(1)[0] + 256 * entry.group(2)[0]
        listed = head[entry.end() : entry.end() + length].decode("utf-8", "replace")
        last = listed.rpartition("/")[2]
        if last in METADATA or DAY.fullmatch(last):
            return True
    return False


def read(path: Path, source: str, notify: Notify, *, by_day: bool = False) -> Iterator[Thread]:
    """The threads of all channels, one channel after another."""
    with open_regular(path) as content, _archive(content) as archive:
        try:
            entries = _Entries(archive, os.fstat(content.fileno()).st_size)
            yield from _read(archive, entries, source, notify, by_day=by_day)
        except _ExpandsTooMuch:
            reason = f"expands more than {RATIO_LIMIT}-fold when unpacked; refused"
            raise IngestionError(reason) from None


def _archive(content: BinaryIO) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(content)
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        raise IngestionError("damaged, or not a zip at all") from None


def _read(
    archive: zipfile.ZipFile, entries: _Entries, source: str, notify: Notify, *, by_day: bool
) -> Iterator[Thread]:
    channels = _channels(archive.namelist(), notify)
    if not channels:
        raise IngestionError("a zip, but not a Slack export: it holds no channel/day.json")
    listed = min((name for name in archive.namelist() if _is_users(name)), key=len, default=None)
    people = read_people(partial(entries.content, listed), notify) if listed else {}
    for channel, names in sorted(channels.items()):
        days = [Day(f"{source}/{day}", partial(entries.content, day)) for day in sorted(names)]
        note = partial(_notify_channel, channel, notify)
        yield from read_channel(days, f"{source}/{channel}", people, note, by_day=by_day)


def _notify_channel(channel: str, notify: Notify, reason: str) -> None:
    notify(f"{channel}/{reason}")


def _is_users(entry: str) -> bool:
    return PurePosixPath(entry).name == "users.json"


def _channels(names: list[str], notify: Notify) -> dict[str, set[str]]:
    """The day files by channel, without names that lead out of the export."""
    channels: defaultdict[str, set[str]] = defaultdict(set)
    left_out = 0
    for entry in names:
        folder, _, last = entry.rpartition("/")
        if not folder or not DAY.fullmatch(last):
            continue
        if ".." in folder.split("/") or entry.startswith("/") or _UNPRINTABLE.search(entry):
            left_out += 1
        else:
            channels[folder].add(entry)
    if left_out:
        notify(f"{left_out} entries whose names lead out of the export were left out")
    return channels


class _Entries:
    """The entries of a zip, with a limit on their total size when unpacked."""

    def __init__(self, archive: zipfile.ZipFile, size: int) -> None:
        self._archive = archive
        self._left = 2 * (FREE + size * RATIO_LIMIT)  # each day is read twice

    def content(self, entry: str) -> bytes:
        """The bytes of an entry."""
        try:
            with self._archive.open(entry) as stream:
                content = stream.read(DAY_LIMIT + 1)
        except _DAMAGE:
            raise IngestionError("damaged: it can't be unpacked") from None
        except (RuntimeError, NotImplementedError):
            raise IngestionError("encrypted, or packed in an unknown way") from None
        if len(content) > DAY_LIMIT:
            raise IngestionError(f"larger than {DAY_LIMIT:,} bytes")
        self._left -= len(content)
        if self._left < 0:
            raise _ExpandsTooMuch
        return content
