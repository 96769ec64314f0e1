"""The engine of the service's database: SQLite with a write-ahead log, or PostgreSQL."""

from __future__ import annotations

from sqlite3 import Connection
from typing import Any

from sqlalchemy import Connection as SqlConnection
from sqlalchemy import Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import ConnectionPoolEntry

from seminar.errors import ConfigurationError, MissingExtraError

BUSY_SECONDS = 30.0
CONNECTIONS = 20  # of one process
DRIVERS = {"sqlite": "sqlite", "postgresql": "postgresql+psycopg", "postgres": "postgresql+psycopg"}


def open_engine(url: str) -> Engine:
    """An engine for a URL such as sqlite:////folder/file or postgresql://user@host/database."""
    try:
        address = make_url(url)
    except ArgumentError:
        raise ConfigurationError(
            "the database's address is no URL; write postgresql://USER:PASSWORD@HOST/DATABASE"
        ) from None
    kind = address.get_backend_name()
    if kind not in DRIVERS:
        raise ConfigurationError(f"unknown database {kind!r}. Known: sqlite, postgresql")
    address = address.set(drivername=DRIVERS[kind])
    pool: dict[str, Any] = {
        "pool_size": CONNECTIONS,
        "max_overflow": CONNECTIONS,
        "pool_pre_ping": True,
    }
    if kind == "sqlite":
        pool["connect_args"] = {"timeout": BUSY_SECONDS}
    try:
        # Errors are logged: without parameters, which are questions and hashes of secrets.
        engine = create_engine(address, hide_parameters=True, **pool)
    except ModuleNotFoundError:
        raise MissingExtraError("PostgreSQL", "postgres") from None
    return _open_sqlite(engine) if kind == "sqlite" else engine


def _open_sqlite(engine: Engine) -> Engine:
    """Set what SQLite keeps for each connection, and begin transactions by what they are for."""

    @event.listens_for(engine, "connect")
    def _prepare(connection: Connection, _: ConnectionPoolEntry) -> None:
        connection.isolation_level = None  # transactions are begun below, not by the driver
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
            connection.execute(f"PRAGMA {pragma}").close()

    @event.listens_for(engine, "begin")
    def _begin(connection: SqlConnection) -> None:
        # Taken at once: a lock that is wanted only after a read fails where others wrote meanwhile.
        reads = connection.get_execution_options().get("reads", False)
        connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")

    return engine
