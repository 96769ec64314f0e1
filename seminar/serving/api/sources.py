"""Routes of what is in a collection: sources around a place, pages of PDFs."""

from __future__ import annotations

from pathlib import Path as FilePath
from typing import Annotated

from anyio import to_thread
from fastapi import APIRouter, Path, Query, Response

from seminar.assembly import Opened
from seminar.serving.api.dialogues import SCOPE_LENGTH, Shared
from seminar.serving.collections.folders import files_folder
from seminar.serving.dialogues.records import Record
from seminar.serving.identity.access import Reading
from seminar.serving.identity.callers import Caller
from seminar.serving.identity.sharing import collection_of
from seminar.serving.sources.page_worker import PageRequest
from seminar.serving.sources.pages import page_request
from seminar.serving.sources.views import Place, view
from seminar.serving.state import State
from seminar.serving.storage.schema import ID_LENGTH, Collection

router = APIRouter(tags=["sources"], prefix="/collections/{id}")

Id = Annotated[str, Path(max_length=ID_LENGTH)]
Offset = Annotated[int, Query(ge=0, le=1 << 50)]
SourcePath = Annotated[str, Query(min_length=1, max_length=SCOPE_LENGTH)]
Document = Annotated[str, Query(max_length=SCOPE_LENGTH)]


@router.get("/source")
def show_source(
    state: Shared,
    caller: Reading,
    id: Id,
    path: SourcePath,
    start: Offset = 0,
    end: Offset = 0,
    document: Document = "",
) -> Record:
    """A source around a place; `document`, as spans have it, finds a message's thread at once."""
    _, opened = _opened(state, caller, id)
    return view(opened.index, Place(path, start, end, document))


@router.get(
    "/page",
    response_class=Response,
    responses={200: {"content": {"image/png": {}}}},
)
async def show_page(
    state: Shared,
    caller: Reading,
    id: Id,
    path: SourcePath,
    number: Annotated[int, Query(ge=1, le=1_000_000)] = 1,
    start: Offset = 0,
    end: Offset = 0,
) -> Response:
    """A page of a PDF as PNG, with the words from `start` to `end` marked."""
    place = Place(path, start, end)

    def wanted() -> PageRequest:
        collection, opened = _opened(state, caller, id)
        return page_request(opened.index, _root(state, collection), place, number)

    request = await to_thread.run_sync(wanted)
    headers = {"Cache-Control": "private, max-age=300"}
    return Response(await state.pages.draw(request), media_type="image/png", headers=headers)


def _opened(state: State, caller: Caller, id: str) -> tuple[Collection, Opened]:
    with state.reads() as session:
        collection = collection_of(session, caller, "reader", id.replace("\0", "\ufffd"))
    return collection, state.collections.open(collection)


def _root(state: State, collection: Collection) -> FilePath:
    if collection.path is not None:
        return FilePath(collection.path)
    return files_folder(state.settings.folder, collection.id)
