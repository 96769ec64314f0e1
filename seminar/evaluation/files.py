"""Reading files of references and predictions whole: JSON or JSON lines, plain or gzipped."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from seminar.datasets.files import TOO_LONG, read_lines
from seminar.errors import ScoringError

Json: TypeAlias = Any


@dataclass(frozen=True, slots=True)
class Parsed:
    """A file's content and the keys that its objects hold twice."""

    value: Json
    lines: bool
    repeated: tuple[str, ...] = ()


def read_any(path: Path) -> Parsed:
    """One JSON value, or the list of those on the file's lines; empty is an error of its own."""
    lines = [(number, line) for number, line in read_lines(path) if line.strip()]
    if not lines:
        raise ScoringError(f"{path.name}: the file is empty")
    repeated: list[str] = []
    hook = _noting(repeated)
    try:
        whole = "\n".join(line for _, line in lines)
        return Parsed(json.loads(whole, object_pairs_hook=hook), False, tuple(repeated))
    except RecursionError:
        raise ScoringError(f"{path.name}: JSON nested too deeply") from None
    except json.JSONDecodeError as error:
        if not _is_object(lines[0][1]) or len(lines) == 1:
            number = lines[min(error.lineno, len(lines)) - 1][0]
            raise ScoringError(
                f"{path.name}: not JSON at line {number}, column {error.colno}: {error.msg}. "
                "Was the file cut short?"
            ) from error
    except ValueError:
        raise ScoringError(f"{path.name}: {TOO_LONG}") from None
    repeated.clear()
    values = [_line(line, f"{path.name}:{number}", hook) for number, line in lines]
    return Parsed(values, True, tuple(repeated))


def _noting(repeated: list[str]) -> Callable[[list[tuple[str, Json]]], dict[str, Json]]:
    """A hook that collects the repeated keys of JSON objects, which the parser would ignore."""

    def note(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        value = dict(pairs)
        if len(value) < len(pairs):
            seen: set[str] = set()
            for key, _ in pairs:
                if key in seen:
                    repeated.append(key)
                seen.add(key)
        return value

    return note


def _is_object(line: str) -> bool:
    """Whether a line is a JSON value by itself, as in JSON lines."""
    try:
        json.loads(line)
    except (json.JSONDecodeError, RecursionError):
        return False
    return True


def _line(line: str, where: str, hook: Callable[..., dict[str, Json]]) -> Json:
    try:
        return json.loads(line, object_pairs_hook=hook)
    except json.JSONDecodeError as error:
        raise ScoringError(
            f"{where}: not JSON at column {error.colno}: {error.msg}. Was the file cut short?"
        ) from error
    except ValueError:
        raise ScoringError(f"{where}: {TOO_LONG}") from None
    except RecursionError:
        raise ScoringError(f"{where}: JSON nested too deeply") from None
