"""Short messages between the processes that serve one study, over PostgreSQL's LISTEN and NOTIFY.

A signal that belongs to a transaction arrives when that is committed, and says only where to look:
what happened is in the database. With SQLite there is no other process, and nothing is sent.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

import msgspec
from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from seminar.collection.storage.database import Database
from seminar.serving.storage.engines import REACHING, reason_of
from seminar.serving.storage.schema import new_id

CHANNEL = "seminar_study"
PAUSE = 1.0  # seconds before listening again

log = logging.getLogger("seminar.collection")


class Signal(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """The base of what processes tell each other."""

    process: str = ""  # the sender


class DialogChanged(Signal, frozen=True, tag="dialog"):
    """A dialog began, went on, ended or was deleted."""

    dialog: str


class LobbyChanged(Signal, frozen=True, tag="lobby"):
    """Somebody waits, or no longer."""


class PresenceChanged(Signal, frozen=True, tag="presence"):
    """A worker has a socket at the sender, or no longer; without a worker: read it all again."""

    worker: str = ""
    here: bool = False


class WorkerChanged(Signal, frozen=True, tag="worker"):
    """Where a worker stands has changed; their sockets are closed where `closing` says why."""

    worker: str
    closing: str = ""


class Noticed(Signal, frozen=True, tag="notice"):
    """The admin wrote to a worker."""

    worker: str


class PartnerChanged(Signal, frozen=True, tag="partner"):
    """A partner in a dialog is here, typing or away."""

    dialog: str
    worker: str
    state: str
    grace: float = 0


class StudyChanged(Signal, frozen=True, tag="study"):
    """The study was opened, paused or closed."""


ANY = (
    DialogChanged
    | LobbyChanged
    | PresenceChanged
    | WorkerChanged
    | Noticed
    | PartnerChanged
    | StudyChanged
)
Hear = Callable[[Signal], Awaitable[None]]


class Signals:
    """Sends signals to the other processes, and hears theirs."""

    def __init__(self, database: Database) -> None:
        self.process = new_id()
        self._database = database
        self._decoder = msgspec.json.Decoder(ANY)
        self._sending: set[asyncio.Task[None]] = set()

    def add(self, session: Session, *signals: Signal) -> None:
        """Send signals when the session's transaction is committed."""
        if self._database.is_shared:
            for signal in signals:
                sent = msgspec.structs.replace(signal, process=self.process)
                content = msgspec.json.encode(sent).decode()
                session.execute(select(func.pg_notify(CHANNEL, content)))

    def send(self, signal: Signal) -> None:
        """Send a signal soon; it is lost where the database doesn't answer."""
        if self._database.is_shared:
            task = asyncio.ensure_future(self._send(signal))
            self._sending.add(task)
            task.add_done_callback(self._sending.discard)

    async def listen(self, hear: Hear, resume: Callable[[], Awaitable[None]]) -> None:
        """Hear the others without end; `resume` looks at what was missed before."""
        import psycopg

        while True:
            try:
                connection = await psycopg.AsyncConnection.connect(
                    self._database.url, autocommit=True, **REACHING
                )
                async with connection:
                    await connection.execute(f"LISTEN {CHANNEL}")
                    await resume()
                    async for notice in connection.notifies():
                        await self._heard(notice.payload, hear)
            except (psycopg.Error, SQLAlchemyError, OSError) as error:
                log.warning("the other processes are not heard: %s", reason_of(error))
            await asyncio.sleep(PAUSE)

    async def _heard(self, content: str, hear: Hear) -> None:
        try:
            signal = self._decoder.decode(content)
        except msgspec.MsgspecError:
            log.warning("another program uses the channel %s of the database", CHANNEL)
            return
        if signal.process != self.process:
            await hear(signal)

    async def _send(self, signal: Signal) -> None:
        try:
            await self._database.write(lambda session: self.add(session, signal))
        except SQLAlchemyError as error:
            log.warning("a signal was not sent: %s", reason_of(error))
