"""Conversations of the service: its database, read without writing, and its exported files."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from seminar.analysis.chats import SavedTurn
from seminar.errors import DatasetError
from seminar.io import read_json_lines

HEADER = b"SQLite format 3\x00"
# Of several judgements of a turn, SQLite gives the comment of one with the least `right`.
TURNS = """
SELECT turns.dialogue_id, turns.number, turns.question, turns.reply, turns.created,
       min(feedback."right"), feedback.comment
FROM turns LEFT JOIN feedback
  ON feedback.dialogue_id = turns.dialogue_id AND feedback.number = turns.number
GROUP BY turns.dialogue_id, turns.number
ORDER BY turns.dialogue_id, turns.number
"""

Chat = tuple[str, list[SavedTurn]]


def is_database(path: Path) -> bool:
    """Whether a file is a SQLite database."""
    with path.open("rb") as file:
        return file.read(len(HEADER)) == HEADER


def database_chats(path: Path) -> Iterator[Chat]:
    """The conversations of the service's SQLite database, opened read-only."""
    try:
        connection = sqlite3.connect(f"file:{quote(str(path.resolve()))}?mode=ro", uri=True)
    except sqlite3.Error as error:
        raise DatasetError(f"{path}: can't be opened: {error}") from error
    try:
        yield from _grouped(connection)
    except (sqlite3.Error, ValueError) as error:
        raise DatasetError(f"{path}: no database of the service: {error}") from error
    finally:
        connection.close()


def _grouped(connection: sqlite3.Connection) -> Iterator[Chat]:
    name, turns = "", list[SavedTurn]()
    for dialogue, _, question, reply, created, right, comment in connection.execute(TURNS):
        if dialogue != name and turns:
            yield name, turns
            turns = []
        name = dialogue
        feedback = None if right is None else {"right": bool(right), "comment": comment or ""}
        turns.append(
            {"question": question, "reply": json.loads(reply), "created": str(created),
             "feedback": feedback}
        )  # fmt: skip
    if turns:
        yield name, turns


def file_chats(path: Path) -> Iterator[Chat]:
    """The conversations of a file: saved turns, one a line, or exported dialogues with `turns`."""
    saved: list[SavedTurn] = []
    for number, record in enumerate(_records(path), start=1):
        turns = record.get("turns")
        if isinstance(turns, list):
            title = record.get("title") or record.get("id")
            yield (
                f"{path.name}: {title or number}",
                [one for one in turns if isinstance(one, Mapping)],
            )
        elif isinstance(record.get("question"), str):
            saved.append(record)
        else:
            raise DatasetError(
                f"{path.name}:{number}: no turn with a 'question', nor a dialogue with 'turns'"
            )
    if saved:
        yield path.name, saved


def _records(path: Path) -> Iterator[Mapping[str, Any]]:
    if path.suffix == ".jsonl":
        yield from read_json_lines(path, error=DatasetError)
        return
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError:  # lines under another name, as /save lets one choose any
        yield from read_json_lines(path, error=DatasetError)
        return
    except (ValueError, RecursionError) as error:
        raise DatasetError(f"{path.name}: can't be read as JSON: {error}") from error
    for record in value if isinstance(value, list) else [value]:
        if not isinstance(record, dict):
            raise DatasetError(f"{path.name}: expected objects, found {type(record).__name__}")
        yield record
