"""Pages of PDFs as pictures, drawn in a bounded child process, with the cited words marked."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from seminar.retrieval.file_index import FileIndex, file_of
from seminar.serving.problems import Problem, not_found
from seminar.serving.sources.page_worker import NO_PAGE, SECONDS, PageRequest
from seminar.serving.sources.views import Place, find_source
from seminar.types import Passage

KEPT_BYTES = 64_000_000  # of pictures
AT_ONCE = 2
WAITING = 32  # requests for pages; above, they are refused

Key = tuple[PageRequest, int, int]  # with the file's size and time of change


class Pages:
    """Draws pages, a few at once, and keeps the pictures that were asked for last."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Key, bytes] = OrderedDict()
        self._size = self._waiting = 0
        self._free = asyncio.Semaphore(AT_ONCE)

    async def draw(self, request: PageRequest) -> bytes:
        """The PNG of a page."""
        status = Path(request.file).stat()
        key = request, status.st_size, status.st_mtime_ns
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        if self._waiting >= WAITING:
            raise Problem(
                503, "Many pages are being drawn; try again.", headers={"Retry-After": "2"}
            )
        self._waiting += 1
        try:
            async with self._free:
                picture = await _draw(request)
        finally:
            self._waiting -= 1
        self._keep(key, picture)
        return picture

    def _keep(self, key: Key, picture: bytes) -> None:
        if key in self._kept:
            return
        self._kept[key] = picture
        self._size += len(picture)
        while self._size > KEPT_BYTES:
            self._size -= len(self._kept.popitem(last=False)[1])


async def _draw(request: PageRequest) -> bytes:
    """Draw in a child process, which is killed if it takes too long or if nobody waits."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",
        "-m",
        "seminar.serving.sources.page_worker",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        # Nothing of the service's own environment, which may hold secrets.
        env={"PYTHONPATH": os.pathsep.join(sys.path), "OPENBLAS_NUM_THREADS": "1"},
    )
    try:
        request_line = json.dumps(asdict(request)).encode()
        output, _ = await asyncio.wait_for(process.communicate(request_line), SECONDS + 5)
    except TimeoutError:
        output = b""
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    if process.returncode == NO_PAGE:
        raise Problem(404, f"There is no page {request.number}: the file has {output.decode()}.")
    if process.returncode:
        raise Problem(422, f"Page {request.number} can't be drawn: the file is damaged.")
    return output


def page_request(index: FileIndex, root: Path, place: Place, number: int) -> PageRequest:
    """What to draw: the known file of a source, and the words of a place that are on the page."""
    passages = find_source(index, place)
    path = file_of(index, passages[0].source)
    if path is None:
        raise not_found("source", place.path)
    file = _inside(root, path)
    if file.suffix.lower() != ".pdf":
        raise Problem(422, f"{path} has no pages: only PDFs are drawn.")
    return PageRequest(str(file), number, *_words_on(passages, place, number))


def _inside(root: Path, path: str) -> Path:
    """The file of a path that the index knows, which may have become a link since."""
    file = (root if root.is_file() else root / path).resolve()
    within = file == root.resolve() or file.is_relative_to(root.resolve())
    if not within or not file.is_file():
        raise not_found("file", path)
    return file


def _words_on(passages: Sequence[Passage], place: Place, number: int) -> tuple[str, float]:
    """The part of the cited words on a page, and how far down they stand (0 to 1)."""
    pages = [
        (passage.start + page.start, passage.start + page.end, passage)
        for passage in passages
        for page in passage.pages
        if page.number == number
    ]
    if not pages or place.start >= place.end:
        return "", 0.0
    first, last = min(start for start, _, _ in pages), max(end for _, end, _ in pages)
    words = "".join(
        passage.text[max(start, place.start) - passage.start : min(end, place.end) - passage.start]
        for start, end, passage in pages
        if max(start, place.start) < min(end, place.end)
    )
    return words, max(0.0, place.start - first) / max(1, last - first)
