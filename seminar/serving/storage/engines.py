"""The engine of the service's database: SQLite with a write-ahead log, or PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from sqlite3 import Connection
from typing import Any

from sqlalchemy import URL, Engine, create_engine, event, make_url
from sqlalchemy import Connection as SqlConnection
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.pool import ConnectionPoolEntry

from seminar.errors import ConfigurationError, MissingExtraError

BUSY_SECONDS = 30.0
CONNECTIONS = 20  # of one process
POOL_SECONDS = 10.0  # for one of them to be free
DRIVERS = {"sqlite": "sqlite", "postgresql": "postgresql+psycopg", "postgres": "postgresql+psycopg"}
UNREACHABLE = (OperationalError, InterfaceError, PoolTimeout)  # errors that pass by themselves

# Of a network that drops packets, neither end hears anything: without these limits a request waits
# for a quarter of an hour, and what it has locked in the database stays locked for two hours.
REACHING: dict[str, Any] = {
    "connect_timeout": 3,  # seconds
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 5_000,  # milliseconds
}
KEPT_BY_THE_DATABASE = (
    "SET tcp_keepalives_idle = 5",
    "SET tcp_keepalives_interval = 2",
    "SET tcp_keepalives_count = 3",
    "SET tcp_user_timeout = 5000",
    "SET idle_in_transaction_session_timeout = 60000",
)


def open_engine(url: str) -> Engine:
    """An engine for a URL such as sqlite:////folder/file or postgresql://user@host/database."""
    address = _address(url)
    options: dict[str, Any] = {
        "pool_size": CONNECTIONS,
        "max_overflow": CONNECTIONS,
        "pool_pre_ping": True,
        "pool_timeout": POOL_SECONDS,
    }
    is_sqlite = address.get_backend_name() == "sqlite"
    if is_sqlite:
        options["connect_args"] = {"timeout": BUSY_SECONDS}
    else:
        chosen = {name: value for name, value in REACHING.items() if name not in address.query}
        options["connect_args"] = chosen
    try:
        # Errors are logged: without parameters, which are questions and hashes of secrets.
        engine = create_engine(address, hide_parameters=True, **options)
    except ModuleNotFoundError:
        raise MissingExtraError("PostgreSQL", "postgres") from None
    return _open_sqlite(engine) if is_sqlite else _open_postgresql(engine)


@contextmanager
def reaching(engine: Engine) -> Iterator[None]:
    """Raise one clear error where the database doesn't answer at the start."""
    try:
        yield
    except UNREACHABLE as error:
        where = engine.url.set(drivername=engine.dialect.name, query={})
        raise ConfigurationError(
            f"the database {where.render_as_string()} can't be used: {reason_of(error)}"
        ) from error


def reason_of(error: Exception) -> str:
    """The first line of what the driver said, which has no values of a statement."""
    said = str(getattr(error, "orig", None) or error).strip().splitlines()
    return said[0] if said else type(error).__name__


def _address(url: str) -> URL:
    """The address with its driver."""
    try:
        address = make_url(url)
    except ArgumentError:
        raise ConfigurationError(
            "the database's address is no URL; write postgresql://USER:PASSWORD@HOST/DATABASE"
        ) from None
    kind = address.get_backend_name()
    if kind not in DRIVERS:
        raise ConfigurationError(f"unknown database {kind!r}. Known: sqlite, postgresql")
    return address.set(drivername=DRIVERS[kind])


def _open_postgresql(engine: Engine) -> Engine:
    """Have the database, too, give up connections whose other end is gone."""

    @event.listens_for(engine, "connect")
    def _prepare(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
        cursor = connection.cursor()
        for command in KEPT_BY_THE_DATABASE:
            cursor.execute(command)
        cursor.close()
        connection.commit()

    return engine


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
