"""Rows as JSON, and back: bytes in base64, times in ISO 8601."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import LargeBinary, Table

from seminar.serving.storage.schema import UtcDateTime


def to_json(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row as it is written."""
    return {name: _written(value) for name, value in row.items()}


def _written(value: object) -> object:
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    return value.isoformat() if isinstance(value, datetime) else value


def from_json(table: Table, record: object) -> dict[str, Any]:
    """A row of a table as it was before `to_json`; an unknown column is an error."""
    if not isinstance(record, Mapping):
        raise ValueError(f"a row of {table.name!r} is no object")
    unknown = record.keys() - table.columns.keys()
    if unknown:
        raise ValueError(f"table {table.name!r} has no column {min(unknown)!r}")
    return {name: _read(table, name, value) for name, value in record.items()}


def _read(table: Table, name: str, value: Any) -> Any:  # noqa: ANN401 - whatever a column holds
    kind = table.columns[name].type
    if value is None:
        return None
    if isinstance(kind, LargeBinary):
        return base64.b64decode(value, validate=True)
    return datetime.fromisoformat(value) if isinstance(kind, UtcDateTime) else value
