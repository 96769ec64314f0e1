"""The sockets of workers: several for each, every one with a bounded queue of messages to send."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from datetime import datetime

import msgspec

from seminar.collection.messages.live import Closing, FromServer
from seminar.serving.storage.schema import now

LONGEST_QUEUE = 200  # messages that a socket may lag behind
MOST_SOCKETS = 10  # of a worker


class Connection:
    """One socket: what is to be sent to it, and its end."""

    def __init__(self, worker: str) -> None:
        self.worker = worker
        self.queue: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.is_too_slow = asyncio.Event()  # nothing more can be said to it

    def send(self, message: FromServer) -> None:
        """Queue a message; a socket that lags too far behind is closed."""
        self.send_bytes(msgspec.json.encode(message))

    def send_bytes(self, content: bytes) -> None:
        if self.queue.qsize() < LONGEST_QUEUE:
            self.queue.put_nowait(content)
        else:
            self.is_too_slow.set()

    def close(self, detail: str, *, again: bool) -> None:
        """Close after what is queued."""
        self.queue.put_nowait(msgspec.json.encode(Closing(detail=detail, again=again)))
        self.queue.put_nowait(None)


class Connections:
    """The open sockets by worker."""

    def __init__(self) -> None:
        self._open: defaultdict[str, list[Connection]] = defaultdict(list)
        self._gone: dict[str, datetime] = {}

    def add(self, connection: Connection) -> None:
        """Register a socket; the oldest of too many is closed."""
        sockets = self._open[connection.worker]
        sockets.append(connection)
        self._gone.pop(connection.worker, None)
        if len(sockets) > MOST_SOCKETS:
            sockets.pop(0).close("too many tabs are open", again=False)

    def remove(self, connection: Connection) -> bool:
        """Forget a socket; whether the worker has none left."""
        sockets = self._open[connection.worker]
        if connection in sockets:
            sockets.remove(connection)
        if sockets:
            return False
        del self._open[connection.worker]
        self._gone[connection.worker] = now()
        return True

    def send(self, worker: str, message: FromServer) -> None:
        """Send to every socket of a worker."""
        if worker in self._open:
            content = msgspec.json.encode(message)
            for connection in list(self._open[worker]):
                connection.send_bytes(content)

    def is_here(self, worker: str) -> bool:
        return worker in self._open

    def gone_since(self, worker: str, otherwise: datetime) -> datetime | None:
        """Since when a worker has had no socket; `otherwise` if there never was one."""
        return None if worker in self._open else self._gone.get(worker, otherwise)

    def close(self, worker: str, detail: str) -> None:
        """Close all sockets of a worker, for good."""
        for connection in self._open.pop(worker, []):
            connection.close(detail, again=False)

    def close_all(self, detail: str) -> None:
        for sockets in list(self._open.values()):
            for connection in sockets:
                connection.close(detail, again=True)

    def workers(self) -> list[str]:
        return list(self._open)
