"""Where the files and the index of a collection are, below the folder of the service."""

from __future__ import annotations

from pathlib import Path

from seminar.index_url import Place, is_index_url, parse_index_url
from seminar.serving.storage.schema import Collection


def collection_folder(state_folder: Path, collection_id: str) -> Path:
    """The folder of everything that a collection has on disk."""
    return state_folder / "collections" / collection_id


def files_folder(state_folder: Path, collection_id: str) -> Path:
    """The uploaded files of a collection."""
    return collection_folder(state_folder, collection_id) / "files"


def index_folder(state_folder: Path, collection_id: str) -> Path:
    return collection_folder(state_folder, collection_id) / "index"


def index_place(state_folder: Path, collection: Collection) -> Place:
    """The index of a collection: below the folder of the service, or at the URL of somebody's."""
    if is_elsewhere(collection):
        return parse_index_url(str(collection.path))
    return index_folder(state_folder, collection.id)


def is_elsewhere(collection: Collection) -> bool:
    """Whether a collection is an index at a URL, which others write."""
    return collection.path is not None and is_index_url(collection.path)


def upload_file(state_folder: Path, upload_id: str) -> Path:
    """The part of an upload that was received so far."""
    return state_folder / "uploads" / upload_id
