"""Requests of the API and what comes back, for both clients; nothing here does input or output."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from seminar.client.errors import ServiceError
from seminar.client.records import Span
from seminar.errors import SeminarError

PREFIX = "/api/v1"
CHUNK = 8 << 20  # bytes of a file that are sent at once
TRIES = 3  # of a question where the connection breaks, of any request where the service is busy
BUSY = (429, 503)
LONGEST_WAIT = 60.0  # seconds that the service may ask to wait before the next try
PAUSE = 0.5  # seconds before a question is sent again over a new connection
GATEWAY = (502, 504)  # of a proxy whose replica went away
STREAM = {"Accept": "text/event-stream"}
PAGE = 200  # items of a list that are asked for at once


@dataclass(frozen=True, slots=True)
class Request:
    """A request: the path is below the API's prefix."""

    method: str
    path: str
    json: Mapping[str, Any] | None = None
    params: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    content: bytes | None = None

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments of httpx2."""
        return {
            "method": self.method,
            "url": PREFIX + self.path,
            "json": self.json,
            "params": dict(self.params),
            "headers": dict(self.headers),
            "content": self.content,
        }


@dataclass(frozen=True, slots=True)
class LocalFile:
    """A file to upload, and its path in the collection."""

    path: Path
    name: str


def local_files(path: str | Path) -> list[LocalFile]:
    """A file by its name, or the files of a folder by their paths in it, without hidden ones."""
    root = Path(path)
    if root.is_file():
        return [LocalFile(root, root.name)]
    if not root.is_dir():
        raise SeminarError(f"{root}: no such file or folder")
    found = [one for one in sorted(root.rglob("*")) if one.is_file() and not one.is_symlink()]
    named = [LocalFile(one, one.relative_to(root).as_posix()) for one in found]
    return [one for one in named if not any(part.startswith(".") for part in Path(one.name).parts)]


def create(name: str) -> Request:
    return Request("POST", "/collections", {"name": name})


def announce(collection: str, file: LocalFile) -> Request:
    size = file.path.stat().st_size
    path = f"/collections/{_part(collection)}/uploads"
    return Request("POST", path, {"path": file.name, "size": size})


def append(upload: str, offset: int, chunk: bytes) -> Request:
    headers = {"Upload-Offset": str(offset), "Content-Type": "application/octet-stream"}
    return Request("PATCH", f"/uploads/{_part(upload)}", headers=headers, content=chunk)


def chunks(file: LocalFile, received: int) -> Iterator[tuple[int, bytes]]:
    """What is missing of a file, with its offsets."""
    with file.path.open("rb") as content:
        content.seek(received)
        while chunk := content.read(CHUNK):
            yield received, chunk
            received += len(chunk)


def index(collection: str) -> Request:
    return Request("POST", f"/collections/{_part(collection)}/index")


def follow(job: str) -> Request:
    return Request("GET", f"/jobs/{_part(job)}/events", headers=STREAM)


def begin(collection: str, scope: str) -> Request:
    return Request("POST", "/dialogues", {"collection": collection, "scope": scope})


def ask(dialogue: str, question: str, *, stages: bool = False) -> Request:
    """A question with a key of its own, so that it may be sent again."""
    headers = {"Idempotency-Key": uuid.uuid4().hex, **(STREAM if stages else {})}
    path = f"/dialogues/{_part(dialogue)}/turns"
    return Request("POST", path, {"question": question}, headers=headers)


def show(dialogue: str) -> Request:
    return Request("GET", f"/dialogues/{_part(dialogue)}")


def fork(dialogue: str, number: int) -> Request:
    return Request("POST", f"/dialogues/{_part(dialogue)}/fork", {"number": number})


def delete(kind: str, name: str) -> Request:
    return Request("DELETE", f"/{kind}/{_part(name)}")


def judge(dialogue: str, number: int, *, right: bool, span: Span | None, comment: str) -> Request:
    fields = ("source", "start", "end", "text")
    said = {name: getattr(span, name) for name in fields} if span else None
    path = f"/dialogues/{_part(dialogue)}/turns/{number}/feedback"
    return Request("PUT", path, {"right": right, "span": said, "comment": comment})


def source(collection: str, span: Span) -> Request:
    place = {"path": span.source, "start": span.start, "end": span.end, "document": span.document}
    return Request("GET", f"/collections/{_part(collection)}/source", params=place)


def passages(collection: str, q: str, scope: str, limit: int) -> Request:
    wanted = {"q": q, "scope": scope, "limit": limit}
    return Request("GET", f"/collections/{_part(collection)}/passages", params=wanted)


def listed(path: str, after: str | None, **wanted: str) -> Request:
    """A part of a list, from a cursor on."""
    params = {**wanted, "limit": PAGE, **({"after": after} if after else {})}
    return Request("GET", path, params={key: value for key, value in params.items() if value})


class Unseen:
    """Which stages of a question are new to its asker, where it was asked again."""

    def __init__(self) -> None:
        self._before: set[str] = set()
        self._now: set[str] = set()

    def has(self, name: str) -> bool:
        """Whether no earlier try had a stage of this name."""
        self._now.add(name)
        return name not in self._before

    def again(self) -> None:
        """Begin another try."""
        self._before |= self._now


def wait_of(status: int, retry_after: str | None) -> float | None:
    """The seconds after which to try again, None where the service isn't merely busy."""
    if status not in BUSY or retry_after is None or not retry_after.isdecimal():
        return None
    seconds = float(retry_after[:6])
    return seconds if seconds <= LONGEST_WAIT else None


def failure(status: int, content: bytes) -> ServiceError:
    """The error of a response: the detail of its problem, or else its first words."""
    try:
        problem = json.loads(content)
    except ValueError:
        problem = None
    if isinstance(problem, dict) and isinstance(problem.get("detail"), str):
        return ServiceError(status, problem["detail"])
    return ServiceError(status, f"HTTP {status}: {content[:200].decode(errors='replace')}")


class EventReader:
    """Lines of a stream of server-sent events to events: a name and a JSON object."""

    def __init__(self) -> None:
        self._name = ""
        self._lines: list[str] = []

    def read(self, line: str) -> tuple[str, dict[str, Any]] | None:
        """The event that a line completes, if it does."""
        key, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if line:
            if key == "event":
                self._name = value
            elif key == "data":
                self._lines.append(value)
            return None
        if not self._lines:
            return None
        name, record = self._name, json.loads("\n".join(self._lines))
        self._name, self._lines = "", []
        if name == "error":
            raise ServiceError(record["status"], record["detail"])
        return name, record


def _part(name: str) -> str:
    """A name as one part of a path."""
    return quote(name, safe="")
