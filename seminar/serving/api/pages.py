"""Lists in parts: items, and the cursor of the next ones."""

from __future__ import annotations

from typing import Annotated, Generic, TypeVar

from fastapi import Query
from pydantic import BaseModel

Item = TypeVar("Item")

Limit = Annotated[int, Query(ge=1, le=200, description="How many at most.")]
After = Annotated[str | None, Query(max_length=200, description="`next` of the page before.")]


class Page(BaseModel, Generic[Item]):
    """A part of a list; `next` is the cursor of the following part, null at the end."""

    items: list[Item]
    next: str | None = None
