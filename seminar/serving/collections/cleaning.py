"""Removes what deleted collections and given-up uploads leave on disk and in the database."""

from __future__ import annotations

import shutil
from datetime import timedelta
from pathlib import Path

from sqlalchemy import Select, delete, or_, select
from sqlalchemy.orm import Session, sessionmaker

from seminar.serving.collections.folders import collection_folder, upload_file
from seminar.serving.storage.schema import Collection, Job, Upload, now

UPLOAD_DAYS = timedelta(days=7)


def clean(folder: Path, reads: sessionmaker[Session], transactions: sessionmaker[Session]) -> None:
    """Remove deleted collections that nobody indexes, and uploads that nobody goes on with.

    Files go before rows, so that an interrupted removal is found again, and outside of the
    transaction, which others would wait for.
    """
    with reads() as session:
        collections = session.scalars(_deleted_collections()).all()
        given_up = or_(Upload.collection_id.in_(collections), Upload.created < now() - UPLOAD_DAYS)
        uploads = session.scalars(select(Upload.id).where(given_up)).all()
    for upload_id in uploads:
        upload_file(folder, upload_id).unlink(missing_ok=True)
    for collection_id in collections:
        shutil.rmtree(collection_folder(folder, collection_id), ignore_errors=True)
    if collections or uploads:
        with transactions.begin() as session:
            session.execute(delete(Upload).where(Upload.id.in_(uploads)))
            session.execute(delete(Collection).where(Collection.id.in_(collections)))


def _deleted_collections() -> Select[str]:
    indexing = select(Job.collection_id).where(Job.state == "running", Job.lease > now())
    return select(Collection.id).where(
        Collection.deleted.is_not(None), Collection.id.not_in(indexing)
    )
