"""Routes of a collection's files: list them with their passages and problems, remove one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends, Query
from pydantic import BaseModel
from sqlalchemy.orm import Session

from seminar.assembly import is_index, open_index
from seminar.retrieval.file_index import FileRecord as IndexedRecord
from seminar.serving.api.pages import Limit, Page
from seminar.serving.collections.files import list_files, remove_file
from seminar.serving.collections.folders import files_folder, index_place
from seminar.serving.collections.paths import LONGEST_PATH
from seminar.serving.collections.records import jobs_of
from seminar.serving.identity.access import Reading, Writing
from seminar.serving.identity.audit import record
from seminar.serving.identity.sharing import collection_of
from seminar.serving.problems import Problem
from seminar.serving.state import State, state_of
from seminar.serving.storage.schema import Collection

router = APIRouter(tags=["files"])
StateOf = Annotated[State, Depends(state_of)]
AfterPath = Annotated[str | None, Query(max_length=LONGEST_PATH)]


class FileRecord(BaseModel):
    """A file, or a folder that is read as one; `size` is null where it is no longer on disk."""

    path: str
    size: int | None
    passages: int
    problem: str | None


@router.get("/collections/{collection_id}/files")
def list_collection_files(
    collection_id: str, caller: Reading, state: StateOf, limit: Limit = 200, after: AfterPath = None
) -> Page[FileRecord]:
    """The files by path, with the passages of each and why one could not be read."""
    with state.reads() as session:
        collection = collection_of(session, caller, "reader", collection_id)
        not_read = _not_read(session, collection_id)
    files = list_files(_root(state, collection), _indexed(state, collection), not_read)
    rest = [file for file in files if after is None or file.path > after]
    items = [
        FileRecord(path=one.path, size=one.size, passages=one.passages, problem=one.problem)
        for one in rest[:limit]
    ]
    return Page(items=items, next=items[-1].path if len(rest) > limit else None)


@router.delete("/collections/{collection_id}/files/{path:path}", status_code=204)
def delete_file(collection_id: str, path: str, caller: Writing, state: StateOf) -> None:
    """Remove an uploaded file, or a folder; index the collection to forget its passages."""
    with state.reads() as session:
        collection = collection_of(session, caller, "writer", collection_id)
    if collection.path is not None:
        raise Problem(409, "This collection is a folder on the server: remove the file there.")
    freed = remove_file(files_folder(state.settings.folder, collection_id), path)
    with state.transactions.begin() as session:
        collection = collection_of(session, caller, "writer", collection_id)
        collection.size = max(0, collection.size - freed)
        record(session, "file.deleted", caller, collection_id, path=path)


def _root(state: State, collection: Collection) -> Path:
    if collection.path is not None:
        return Path(collection.path)
    return files_folder(state.settings.folder, collection.id)


def _indexed(state: State, collection: Collection) -> dict[str, IndexedRecord]:
    place = index_place(state.settings.folder, collection)
    return open_index(place).files() if is_index(place) else {}


def _not_read(session: Session, collection_id: str) -> list[dict[str, str]]:
    """The files that the last job left out, each with the reason."""
    _, done = jobs_of(session, [collection_id])
    found: list[dict[str, str]] = done[collection_id].progress.get("not_read", []) if done else []
    return found
