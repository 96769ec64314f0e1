"""A study's database: opened, checked to be this study's, and used from an event loop.

Writes run one after the other in a thread of their own: SQLite has one writer at a time, and an
action that was accepted is on disk before anything else is done with it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from sqlalchemy import Engine, text
from sqlalchemy.orm import Session, sessionmaker

from seminar.collection.storage.schema import SCHEMA, Setting, StudyBase
from seminar.collection.study.loading import Study
from seminar.errors import ConfigurationError
from seminar.serving.storage.engines import open_engine, reaching
from seminar.serving.storage.migrating import wait_for_others

READERS = 4

Result = TypeVar("Result")


class Database:
    """Transactions of a study."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.is_shared = engine.dialect.name == "postgresql"  # several processes may serve it
        self._writes = sessionmaker(engine, expire_on_commit=False)
        self._reads = sessionmaker(engine.execution_options(reads=True), expire_on_commit=False)
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="study-writer")
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="study-reader")

    async def write(self, change: Callable[[Session], Result]) -> Result:
        """Run a change in a transaction; once this returns, it is on disk."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._writer, self.write_now, change)

    async def read(self, query: Callable[[Session], Result]) -> Result:
        """Run a query over what is committed."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._readers, self.read_now, query)

    def write_now(self, change: Callable[[Session], Result]) -> Result:
        """The same as `write`, in this thread."""
        with self._writes.begin() as session:
            return change(session)

    def read_now(self, query: Callable[[Session], Result]) -> Result:
        """The same as `read`, in this thread."""
        with self._reads() as session:
            return query(session)

    async def forget_deleted(self) -> None:
        """Take deleted rows out of SQLite's files, where they would stand until overwritten."""
        if self._engine.dialect.name == "sqlite":
            loop = asyncio.get_running_loop()
            await loop.run_in_executor(self._writer, self._vacuum)

    @property
    def url(self) -> str:
        """The database's address with its password, for a connection of one's own."""
        plain = self._engine.url.set(drivername=self._engine.dialect.name)
        return plain.render_as_string(hide_password=False)

    def close(self) -> None:
        self._writer.shutdown()
        self._readers.shutdown()
        self._engine.dispose()

    def _vacuum(self) -> None:
        connection = self._engine.raw_connection()
        try:
            for command in ("VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"):
                connection.cursor().execute(command).close()
        finally:
            connection.close()


def open_database(url: str, study: Study) -> Database:
    """Open the database of a study, empty or its own."""
    engine = open_engine(url)
    database = Database(engine)
    try:
        with reaching(engine), engine.begin() as connection:
            wait_for_others(connection)
            StudyBase.metadata.create_all(connection)
            _claim(Session(connection), study)
    except BaseException:
        database.close()
        raise
    return database


def _claim(session: Session, study: Study) -> None:
    """Write whose database this is, or compare it."""
    own = {
        "schema": str(SCHEMA),
        "name": study.table.name,
        "protocol": study.table.protocol,
        "currency": study.plan.currency,
    }
    for name, value in own.items():
        found = session.get(Setting, name)
        if found is None:
            session.add(Setting(name=name, value=value))
        elif found.value != value:
            raise ConfigurationError(
                f"the database is that of a study with {name} '{found.value}', not '{value}': "
                "name another with --folder or --database"
            )
    if session.get(Setting, "state") is None:
        session.add(Setting(name="state", value="open"))
    session.flush()


def ping(session: Session) -> None:
    """Fail if the database doesn't answer."""
    session.execute(text("SELECT 1"))
