"""Where the files and the index of a collection are, below the folder of the service."""

from __future__ import annotations

from pathlib import Path


def collection_folder(state_folder: Path, collection_id: str) -> Path:
    """The folder of everything that a collection has on disk."""
    return state_folder / "collections" / collection_id


def files_folder(state_folder: Path, collection_id: str) -> Path:
    """The uploaded files of a collection."""
    return collection_folder(state_folder, collection_id) / "files"


def index_folder(state_folder: Path, collection_id: str) -> Path:
    return collection_folder(state_folder, collection_id) / "index"


def upload_file(state_folder: Path, upload_id: str) -> Path:
    """The part of an upload that was received so far."""
    return state_folder / "uploads" / upload_id
