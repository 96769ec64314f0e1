"""A client of the service: upload, index, ask with stages, read spans; sync and async.

from seminar.client import Client

with Client("http://127.0.0.1:8765") as client:
    notes = client.create("notes")
    client.upload(notes.id, "notes")
    for progress in client.index(notes.id):
        print(progress.done, progress.total)
    dialogue = client.begin(notes.id)
    turn = client.ask(dialogue.id, "When was the choir founded?")
    print(turn.reply.text, [(span.source, span.text) for span in turn.reply.literal])
"""

from seminar.client.asynchronous import AsyncClient
from seminar.client.errors import ServiceError, UnreachableError
from seminar.client.records import (
    Collection,
    Dialogue,
    Hit,
    Job,
    Reply,
    Source,
    Span,
    Stage,
    Turn,
)
from seminar.client.synchronous import Client

__all__ = [
    "AsyncClient",
    "Client",
    "Collection",
    "Dialogue",
    "Hit",
    "Job",
    "Reply",
    "ServiceError",
    "Source",
    "Span",
    "Stage",
    "Turn",
    "UnreachableError",
]
