"""Files on their way into a collection: announced, received in chunks, moved into place."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session, sessionmaker

from seminar.serving.collections.folders import files_folder, upload_file
from seminar.serving.collections.paths import inside, safe_path
from seminar.serving.identity.callers import Caller
from seminar.serving.identity.rights import may
from seminar.serving.identity.sharing import collection_of
from seminar.serving.problems import Problem, not_found
from seminar.serving.settings import ServiceSettings
from seminar.serving.storage.schema import Collection, Upload

FREE_BYTES = 200_000_000  # that uploads leave on the disk


def announce(
    session: Session, caller: Caller, settings: ServiceSettings, *, where: str, path: str, size: int
) -> Upload:
    """The upload of a file: the one that was begun with the same path and size, else a new one."""
    collection = collection_of(session, caller, "writer", where)
    if collection.path is not None:
        raise Problem(
            409,
            f"The collection {collection.name!r} is a folder on the server: put files there, then "
            "index it.",
        )
    name = str(safe_path(path))
    _check_place(files_folder(settings.folder, collection.id), name)
    same = select(Upload).where(
        Upload.collection_id == collection.id,
        Upload.account_id == caller.account_id,
        Upload.path == name,
        Upload.size == size,
    )
    upload = session.scalars(same).first()
    if upload is None:
        _check_size(session, collection, settings, size)
        upload = Upload(
            collection_id=collection.id, account_id=caller.account_id, path=name, size=size
        )
        session.add(upload)
        session.flush()
    return upload


def own_upload(session: Session, caller: Caller, upload_id: str) -> Upload:
    """An upload of the caller, into a collection that they may still write."""
    own = (
        select(Upload)
        .join(Collection)
        .where(
            Upload.id == upload_id,
            Upload.account_id == caller.account_id,
            may(caller, "writer"),
        )
    )
    upload = session.scalars(own).first()
    if upload is None:
        raise not_found("upload", upload_id)
    return upload


@contextmanager
def appending(folder: Path, upload: Upload, offset: int) -> Iterator[IO[bytes]]:
    """The part of an upload, open at its end for one writer at a time, and on disk afterwards."""
    if offset != upload.received:
        raise Problem(
            409,
            f"{upload.received} bytes of {upload.path!r} are here, not {offset}: go on from there.",
            headers={"Upload-Offset": str(upload.received)},
        )
    path = upload_file(folder, upload.id)
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    with os.fdopen(descriptor, "r+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Problem(409, "Another request appends to this upload; wait for it.") from None
        if os.fstat(file.fileno()).st_size < offset:
            raise Problem(
                410,
                f"The part of {upload.path!r} is lost: DELETE the upload and announce it again.",
            )
        file.truncate(offset)  # what an interrupted request left
        file.seek(offset)
        yield file
        file.flush()
        os.fsync(file.fileno())


def acknowledge(transactions: sessionmaker[Session], upload: Upload, received: int) -> None:
    """Note that so many bytes are on disk."""
    with transactions.begin() as session:
        stored = session.get(Upload, upload.id)
        if stored is None:  # given up meanwhile
            raise not_found("upload", upload.id)
        stored.received = received
    upload.received = received


def complete(transactions: sessionmaker[Session], folder: Path, upload: Upload) -> None:
    """Move a received file into its collection; after an interruption this can be repeated."""
    part = upload_file(folder, upload.id)
    target = inside(files_folder(folder, upload.collection_id), safe_path(upload.path))
    if not upload.size:
        part.parent.mkdir(parents=True, exist_ok=True)
        part.touch()
    grown = 0
    if part.exists():
        grown = upload.size - (target.stat().st_size if target.is_file() else 0)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            part.replace(target)
        except (FileExistsError, NotADirectoryError, IsADirectoryError):
            raise Problem(
                409, f"{upload.path!r} can't be a file: a folder or a file is in its place."
            ) from None
        _sync(target.parent)
    with transactions.begin() as session:
        collection = session.get(Collection, upload.collection_id, with_for_update=True)
        if collection is None:
            raise not_found("collection", upload.collection_id)
        collection.size = max(0, collection.size + grown)
        session.execute(delete(Upload).where(Upload.id == upload.id))


def give_up(session: Session, folder: Path, upload: Upload) -> None:
    """Forget an upload and what was received of it."""
    upload_file(folder, upload.id).unlink(missing_ok=True)
    session.execute(delete(Upload).where(Upload.id == upload.id))


def _check_place(root: Path, name: str) -> None:
    """Raise an error for a file in the place of a folder, or the other way round."""
    path = inside(root, safe_path(name))
    files = (one for one in path.parents if one.is_relative_to(root) and one.is_file())
    taken = path if path.is_dir() else next(files, None)
    if taken is not None:
        raise Problem(
            409,
            f"{name!r} can't be a file: {taken.relative_to(root).as_posix()!r} is in its place.",
        )


def _check_size(
    session: Session, collection: Collection, settings: ServiceSettings, size: int
) -> None:
    """Raise an error for a file larger than is allowed, or than there is room for."""
    if size > settings.largest_upload:
        raise Problem(
            413, f"{size:,} bytes are more than a file may have, {settings.largest_upload:,}."
        )
    stored = select(func.coalesce(func.sum(Collection.size), 0)).where(
        Collection.owner_id == collection.owner_id, Collection.deleted.is_(None)
    )
    coming = (
        select(func.coalesce(func.sum(Upload.size), 0))
        .join(Collection)
        .where(Collection.owner_id == collection.owner_id)
    )
    used = int(session.scalar(stored) or 0) + int(session.scalar(coming) or 0)
    if used + size > settings.quota:
        raise Problem(
            413,
            f"{size:,} bytes more would exceed the quota of {settings.quota:,} bytes, of which "
            f"{used:,} are used: delete files first.",
        )
    if shutil.disk_usage(settings.folder).free < size + FREE_BYTES:
        raise Problem(507, "The disk of the service has no room for this file.")


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
