"""Connections that are made only to addresses that may be reached.

A name is resolved once for a connection, and the connection goes to the address that was checked,
so that a name that resolves otherwise the next time changes nothing.
"""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import httpcore2

from seminar.errors import IngestionError
from seminar.ingestion.web.addresses import is_public

# From host and port to IP addresses.
Resolve = Callable[[str, int], Sequence[str]]


def resolve(host: str, port: int) -> list[str]:
    """The IP addresses of a host."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise IngestionError(f"{host}: no such host, or no network") from None
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


class CheckedBackend(httpcore2.SyncBackend):
    """Connects to public addresses, and to others only for the hosts that the user names."""

    def __init__(self, private: Iterable[str] = (), resolve: Resolve = resolve) -> None:
        super().__init__()
        self._private = frozenset(host.lower() for host in private)
        self._resolve = resolve

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Any = None,  # noqa: ANN401 - as the base class has it
    ) -> httpcore2.NetworkStream:
        addresses = self._resolve(host, port)
        if host.lower() not in self._private:
            hidden = [address for address in addresses if not is_public(address)]
            if hidden or not addresses:
                raise IngestionError(
                    f"{host}: its address {', '.join(hidden[:3])} is of this machine or a private "
                    f"network; --allow-private {host} fetches from it"
                )
        for address in addresses[:-1]:
            with contextlib.suppress(httpcore2.ConnectError, httpcore2.ConnectTimeout):
                return super().connect_tcp(address, port, timeout, local_address, socket_options)
        return super().connect_tcp(addresses[-1], port, timeout, local_address, socket_options)
