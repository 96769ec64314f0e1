"""The folders and indexes that the service is started with: collections asked in place."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.orm import Session

from seminar.assembly import is_index
from seminar.errors import ConfigurationError
from seminar.index_url import IndexUrl, Place
from seminar.serving.storage.schema import NAME_LENGTH, Account, Collection


def check_places(paths: Sequence[Path], indexes: Sequence[IndexUrl]) -> None:
    """Raise an error for a path or an index that isn't there."""
    for path in paths:
        if not path.exists():
            raise ConfigurationError(f"{path}: no such file or folder")
    for index in indexes:
        if not is_index(index):
            raise ConfigurationError(f"{index}: no index; make one with 'seminar index ... --to'")


def add_places(session: Session, places: Sequence[Place], owner: Account) -> list[Collection]:
    """A collection for each path or index, the one that it had before if there is one."""
    return [
        _collection_at(session, place.resolve() if isinstance(place, Path) else place, owner)
        for place in places
    ]


def _collection_at(session: Session, path: Place, owner: Account) -> Collection:
    known = select(Collection).where(Collection.path == str(path), Collection.deleted.is_(None))
    collection = session.scalars(known).first()
    if collection is None:
        name = path.name or str(path)
        collection = Collection(owner_id=owner.id, name=name[:NAME_LENGTH], path=str(path))
        session.add(collection)
        session.flush()
    return collection
