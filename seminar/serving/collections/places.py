"""The folders that the service is started with: collections that are asked in place."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.orm import Session

from seminar.errors import ConfigurationError
from seminar.serving.storage.schema import NAME_LENGTH, Account, Collection


def check_places(paths: Sequence[Path]) -> None:
    """Raise an error for a path that isn't there."""
    for path in paths:
        if not path.exists():
            raise ConfigurationError(f"{path}: no such file or folder")


def add_places(session: Session, paths: Sequence[Path], owner: Account) -> list[Collection]:
    """A collection for each path, the one that it had before if there is one."""
    return [_collection_at(session, path.resolve(), owner) for path in paths]


def _collection_at(session: Session, path: Path, owner: Account) -> Collection:
    known = select(Collection).where(Collection.path == str(path), Collection.deleted.is_(None))
    collection = session.scalars(known).first()
    if collection is None:
        name = path.name or str(path)
        collection = Collection(owner_id=owner.id, name=name[:NAME_LENGTH], path=str(path))
        session.add(collection)
        session.flush()
    return collection
