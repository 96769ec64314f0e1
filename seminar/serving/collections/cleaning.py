"""Removes what deleted collections and given-up uploads leave on disk and in the database."""

from __future__ import annotations

import shutil
from datetime import timedelta
from pathlib import Path

from sqlalchemy import delete, select
from sqlalchemy.orm import Session, sessionmaker

from seminar.serving.collections.folders import collection_folder, upload_file
from seminar.serving.storage.schema import Collection, Job, Upload, now

UPLOAD_DAYS = timedelta(days=7)


def clean(folder: Path, transactions: sessionmaker[Session]) -> None:
    """Remove deleted collections that nobody indexes, and uploads that nobody goes on with."""
    with transactions.begin() as session:
        _remove_collections(session, folder)
        _remove_uploads(session, folder)


def _remove_collections(session: Session, folder: Path) -> None:
    """The files go first, so that an interrupted removal is found again."""
    indexing = select(Job.collection_id).where(Job.state == "running", Job.lease > now())
    gone = select(Collection.id).where(
        Collection.deleted.is_not(None), Collection.id.not_in(indexing)
    )
    for collection_id in session.scalars(gone).all():
        for upload in session.scalars(
            select(Upload.id).where(Upload.collection_id == collection_id)
        ):
            upload_file(folder, upload).unlink(missing_ok=True)
        shutil.rmtree(collection_folder(folder, collection_id), ignore_errors=True)
        session.execute(delete(Collection).where(Collection.id == collection_id))


def _remove_uploads(session: Session, folder: Path) -> None:
    old = select(Upload.id).where(Upload.created < now() - UPLOAD_DAYS)
    for upload_id in session.scalars(old).all():
        upload_file(folder, upload_id).unlink(missing_ok=True)
        session.execute(delete(Upload).where(Upload.id == upload_id))
