"""A network between a browser and a server that can be cut and mended."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit


class Relay:
    """Passes bytes between a port of its own and a server; `cut` breaks every connection."""

    def __init__(self, target: str) -> None:
        self._target = (urlsplit(target).hostname, urlsplit(target).port)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._is_cut = False
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Break all connections, and refuse new ones."""
        with self._lock:
            self._is_cut = True
            for one in self._open:
                _close(one)
            self._open.clear()

    def mend(self) -> None:
        self._is_cut = False

    def close(self) -> None:
        self.cut()
        _close(self._listening)

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                threading.Thread(target=self._connect, args=(client,), daemon=True).start()

    def _connect(self, client: socket.socket) -> None:
        with contextlib.suppress(OSError):
            server = socket.create_connection(self._target)
            with self._lock:
                if self._is_cut:
                    _close(client)
                    _close(server)
                    return
                self._open |= {client, server}
            threading.Thread(target=_pass, args=(server, client), daemon=True).start()
            _pass(client, server)


def _pass(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65_536):
            target.sendall(data)
    _close(source)
    _close(target)


def _close(one: socket.socket) -> None:
    with contextlib.suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
    one.close()


@contextmanager
def relay(target: str) -> Iterator[Relay]:
    """A relay to a server, until the context is left."""
    made = Relay(target)
    try:
        yield made
    finally:
        made.close()
