"""Hosts of a test: network namespaces with a front network, for clients, and one to the database.

Each replica runs on a host of its own; the database, the proxy and the clients are on this one. A
partition takes a host out of the network of the database: packets get lost, nobody is told.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

MISSING = "hosts in network namespaces need root and iproute2: apt-get install iproute2"


def are_possible() -> bool:
    return os.getuid() == 0 and shutil.which("ip") is not None


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True, text=True)


@dataclass(frozen=True)
class Host:
    """A network namespace with an address in each network."""

    namespace: str
    front: str
    back: str
    cable: str  # this machine's end of its link to the database's network
    bridge: str

    def command(self, *words: str) -> list[str]:
        """A command that runs on this host."""
        return ["ip", "netns", "exec", self.namespace, *words]

    def cut_off(self) -> None:
        """Lose every packet between this host and the database."""
        ip("link", "set", self.cable, "nomaster")

    def connect(self) -> None:
        """Let packets through again."""
        ip("link", "set", self.cable, "master", self.bridge)


@dataclass
class Networks:
    """The two networks, with this machine's addresses in them."""

    number: int
    hosts: list[Host] = field(default_factory=list)

    @property
    def front(self) -> str:
        return f"10.{self.number}.0.1"

    @property
    def back(self) -> str:
        return f"10.{self.number}.1.1"

    def bridge(self, side: str) -> str:
        return f"sb{self.number}{side}"

    def open(self) -> None:
        for side, address in (("f", self.front), ("b", self.back)):
            ip("link", "add", self.bridge(side), "type", "bridge")
            ip("addr", "add", f"{address}/24", "dev", self.bridge(side))
            ip("link", "set", self.bridge(side), "up")

    def add(self) -> Host:
        """A new host in both networks."""
        at = len(self.hosts) + 2
        host = Host(
            f"seminar-{self.number}-{at}",
            front=f"10.{self.number}.0.{at}",
            back=f"10.{self.number}.1.{at}",
            cable=f"sv{self.number}b{at}",
            bridge=self.bridge("b"),
        )
        self.hosts.append(host)
        ip("netns", "add", host.namespace)
        ip("-n", host.namespace, "link", "set", "lo", "up")
        for side, address in (("f", host.front), ("b", host.back)):
            cable = f"sv{self.number}{side}{at}"
            end = f"eth{side}"
            ip("link", "add", cable, "type", "veth", "peer", "name", end, "netns", host.namespace)
            ip("link", "set", cable, "master", self.bridge(side), "up")
            ip("-n", host.namespace, "addr", "add", f"{address}/24", "dev", end)
            ip("-n", host.namespace, "link", "set", end, "up")
        return host

    def close(self) -> None:
        """Take everything away again, also what was made in part."""
        removed: Sequence[Sequence[str]] = [
            *(("netns", "del", host.namespace) for host in self.hosts),
            *(("link", "del", self.bridge(side)) for side in "fb"),
        ]
        for words in removed:
            subprocess.run(["ip", *words], check=False, capture_output=True)


@contextmanager
def networks() -> Iterator[Networks]:
    """Networks whose addresses no other process on this machine has taken for tests."""
    made = Networks(100 + os.getpid() % 100)
    made.close()
    try:
        made.open()
        yield made
    finally:
        made.close()
