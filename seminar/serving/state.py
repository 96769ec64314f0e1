"""Everything that requests share: settings, the database, and later the services over them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from fastapi import Request
from sqlalchemy import Engine, create_engine
from sqlalchemy.orm import Session, sessionmaker

from seminar.serving.settings import ServiceSettings
from seminar.serving.storage.schema import Table


@dataclass
class State:
    """What every request needs; `transactions()` begins a database session."""

    settings: ServiceSettings
    engine: Engine
    transactions: sessionmaker[Session]


@contextmanager
def open_state(settings: ServiceSettings) -> Iterator[State]:
    """Open the database, and close it at the end."""
    settings.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    engine = create_engine(settings.database_url)
    Table.metadata.create_all(engine)
    try:
        yield State(settings, engine, sessionmaker(engine, expire_on_commit=False))
    finally:
        engine.dispose()


def state_of(request: Request) -> State:
    """The state, as a dependency of routes."""
    state: State = request.app.state.seminar
    return state
