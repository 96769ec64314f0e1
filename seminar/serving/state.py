"""Everything that requests share: settings, the database, and the services over them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from fastapi import Request
from sqlalchemy import Engine
from sqlalchemy.orm import Session, sessionmaker

from seminar.index_url import Place
from seminar.serving.collections.indexing import IndexWorker
from seminar.serving.collections.opened import OpenIndexes
from seminar.serving.collections.places import add_places
from seminar.serving.collections.queue import enqueue
from seminar.serving.dialogues.asking import Asking
from seminar.serving.dialogues.assistants import Assistants
from seminar.serving.dialogues.line import Line
from seminar.serving.dialogues.metrics import observe_batches
from seminar.serving.dialogues.warming import Warming
from seminar.serving.identity.callers import Caller
from seminar.serving.identity.guard import Guard, open_guard
from seminar.serving.identity.local import caller_of, local_account
from seminar.serving.settings import ServiceSettings
from seminar.serving.sources.pages import Pages
from seminar.serving.storage.engines import open_engine
from seminar.serving.storage.migrating import migrate, wait_for_others


@dataclass
class State:
    """What every request needs.

    `reads()` begins a session that only reads, `transactions.begin()` one that writes: SQLite has
    one writer at a time, so such a session does nothing else. `local` is the only caller in
    single-user mode; `stopping` is set when streams are to end.
    """

    settings: ServiceSettings
    engine: Engine
    reads: sessionmaker[Session]
    transactions: sessionmaker[Session]
    collections: OpenIndexes
    guard: Guard
    asking: Asking
    pages: Pages
    jobs: IndexWorker
    models: Warming
    local: Caller | None = None
    stopping: threading.Event = field(default_factory=threading.Event)


@contextmanager
def open_state(settings: ServiceSettings) -> Iterator[State]:
    """Open the database, and close it at the end."""
    settings.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    engine = open_engine(settings.database_url)
    migrate(engine)
    transactions = sessionmaker(engine, expire_on_commit=False)
    try:
        with transactions.begin() as session:
            wait_for_others(session.connection())
            places: tuple[Place, ...] = (*settings.paths, *settings.indexes)
            account = local_account(session)
            for collection in add_places(session, places, account):
                enqueue(session, collection.id)
        reads = sessionmaker(engine.execution_options(reads=True), expire_on_commit=False)
        jobs = IndexWorker(settings, reads, transactions)
        indexes = OpenIndexes(settings.folder, settings.assistant)
        line = Line(largest=settings.largest_batch, observe=observe_batches)
        state = State(
            settings,
            engine,
            reads,
            transactions,
            indexes,
            open_guard(settings),
            Asking(reads, transactions, Assistants(indexes), line),
            Pages(),
            jobs=jobs,
            models=Warming(settings.assistant, reads),
            local=None if settings.multi_user else caller_of(account),
        )
        jobs.start()
        state.models.start()
        try:
            yield state
        finally:
            state.models.stop()
            jobs.stop()
    finally:
        engine.dispose()


def state_of(request: Request) -> State:
    """The state, as a dependency of routes."""
    state: State = request.app.state.seminar
    return state
