"""Completions that are kept in a file, a line each, so that a run goes on where it was stopped."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from seminar.models.llm.chat import Completion, Listener, Message
from seminar.models.llm.endpoint import Endpoint


class OutOfTimeError(SystemExit):
    """The time of a run is over; what it made is kept for the next one."""


@dataclass
class Uses:
    """The completions that were asked for since the last reset, and the seconds of making them."""

    records: list[dict] = field(default_factory=list)
    spent: float = 0.0

    def reset(self) -> None:
        self.records, self.spent = [], 0.0

    @property
    def seconds(self) -> float:
        """The seconds that these completions took when they were made."""
        return sum(record["seconds"] for record in self.records)

    @property
    def first(self) -> float:
        """The seconds to the first token of the last one, after those before it."""
        before = sum(record["seconds"] for record in self.records[:-1])
        return before + self.records[-1]["first"] if self.records else 0.0


@dataclass
class Kept:
    """A model whose completions are kept in a file, with the seconds that they took.

    After `deadline` (of `time.monotonic`) no new one is made.
    """

    endpoint: Endpoint
    file: Path
    shape: str = ""
    deadline: float = float("inf")
    uses: Uses = field(default_factory=Uses)

    def __post_init__(self) -> None:
        lines = self.file.read_text("utf-8").splitlines() if self.file.exists() else []
        self.known = {record["key"]: record for record in map(json.loads, lines)}

    def shaped(self, schema: dict) -> Kept:
        endpoint, shape = self.endpoint.shaped(schema), json.dumps(schema)
        other = Kept(endpoint, self.file, shape, self.deadline, self.uses)
        other.known = self.known
        return other

    def chat(self, messages: Sequence[Message], listen: Listener) -> Completion:
        key = self.key(messages)
        if key not in self.known:
            self._make(key, messages)
        record = self.known[key]
        self.uses.records.append(record)
        listen(record["text"])
        return Completion(*(record[name] for name in ("text", "read", "written", "cut")))

    def key(self, messages: Sequence[Message]) -> str:
        content = json.dumps([self.endpoint.model, self.shape, *map(asdict, messages)])
        return hashlib.sha256(content.encode()).hexdigest()

    def _make(self, key: str, messages: Sequence[Message]) -> None:
        if time.monotonic() > self.deadline:
            raise OutOfTimeError(f"{len(self.known)} completions are kept: run it again to go on")
        begun, heard = time.perf_counter(), []
        made = self.endpoint.chat(messages, lambda _: heard.append(time.perf_counter() - begun))
        seconds = time.perf_counter() - begun
        self.uses.spent += seconds
        first = heard[0] if heard else seconds
        self.known[key] = {
            "key": key,
            **asdict(made),
            "first": round(first, 3),
            "seconds": round(seconds, 3),
        }
        with self.file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(self.known[key]) + "\n")
