"""Typed access to the fields of an export's records, which may be missing or of any type."""

from __future__ import annotations

from collections.abc import Mapping

Record = Mapping[str, object]


def text_of(record: Record, *names: str) -> str:
    """The first of these fields that holds text or a number, as text."""
    for field_name in names:
        value = record.get(field_name)
        if isinstance(value, str) and value.strip():
            return value
        if isinstance(value, int | float) and not isinstance(value, bool):
            return str(value)
    return ""


def record_of(record: Record, field_name: str) -> Record:
    """The object in a field, or an empty one."""
    value = record.get(field_name)
    return value if isinstance(value, dict) else {}


def records_of(record: Record, field_name: str) -> list[Record]:
    """The objects of a list in a field."""
    value = record.get(field_name)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
