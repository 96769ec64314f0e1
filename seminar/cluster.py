"""Bulk work on a Ray cluster: tasks on its nodes, bounded in number, and each result once.

A task whose node dies runs again elsewhere. What it had given before is not given again: results
are taken by their place in the order of an item's results.
"""

from __future__ import annotations

import importlib.util
import os
import socket
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from seminar.errors import ConfigurationError, MissingExtraError, SeminarError

Item = TypeVar("Item")
Part = TypeVar("Part")
Result = TypeVar("Result")

RUNNING = "auto"  # the cluster that runs on this machine or that RAY_ADDRESS names, or a new one
PORT = 6379
CONNECT_SECONDS = 5.0
RETRIES = 5  # of a task whose node or process dies
# Reading waits for files and for its sandbox, so that several readers share a core. Together with a
# task that computes they fit one core, or a cluster of one core would never do the second.
READING, COMPUTING = 0.1, 0.8
_STATISTICS = "RAY_USAGE_STATS_ENABLED"  # which Ray sends to its makers unless told not to
PARTS_AHEAD = 2  # parts that wait on the node of their reader


class Cluster:
    """A connection to a Ray cluster."""

    def __init__(self, ray: Any) -> None:  # noqa: ANN401 - a module without types
        self._ray = ray
        self.cores = max(int(ray.cluster_resources().get("CPU", 1)), 1)

    def map(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """The result for each item, in order; few more items than cores are under way."""
        remote = self._remote(work, COMPUTING)
        running: deque[Any] = deque()
        with _explained(self._ray):
            for item in items:
                running.append(remote.remote(item))
                if len(running) > self.cores:
                    yield self._ray.get(running.popleft())
            while running:
                yield self._ray.get(running.popleft())

    def flow(
        self,
        read: Callable[[Item], Iterator[Part]],
        work: Callable[[Part], Result],
        items: Iterable[Item],
    ) -> Iterator[tuple[Item, Result | None]]:
        """The results for the parts of each item, each item's in order, then None for its end.

        Items take turns as they get ready. At most as many parts as the cluster has cores, and
        two for each reader, are in memory.
        """
        readers = self._remote(read, READING).options(
            num_returns="streaming", _generator_backpressure_num_objects=PARTS_AHEAD
        )
        workers = self._remote(work, COMPUTING)
        rest = iter(items)
        open_items: list[_Flow[Item]] = []
        more = True
        with _explained(self._ray):
            while more or open_items:
                while more and len(open_items) < max(self.cores // 2, 2):
                    try:
                        item = next(rest)
                    except StopIteration:
                        more = False
                    else:
                        open_items.append(_Flow(item, readers.remote(item), deque()))
                if open_items:
                    yield from self._step(open_items, workers)

    def _step(
        self,
        open_items: list[_Flow[Item]],
        workers: Any,  # noqa: ANN401
    ) -> Iterator[tuple[Item, Any]]:
        """Wait for whatever is ready first, and take it."""
        busy = sum(len(one.working) for one in open_items)
        waited = {one.working[0]: one for one in open_items if one.working}
        if busy < self.cores + len(open_items):
            waited |= {one.reading: one for one in open_items if one.reading is not None}
        ready, _ = self._ray.wait(list(waited), num_returns=1, fetch_local=False)
        for reference in ready:
            flow = waited[reference]
            if reference is flow.reading:
                try:
                    flow.working.append(workers.remote(next(flow.reading)))
                except StopIteration:
                    flow.reading = None
            else:
                yield flow.item, self._ray.get(flow.working.popleft())
            if flow.reading is None and not flow.working:
                open_items.remove(flow)
                yield flow.item, None

    def _remote(self, function: Callable[..., Any], cores: float) -> Any:  # noqa: ANN401
        options = {"num_cpus": cores, "max_retries": RETRIES, "scheduling_strategy": "SPREAD"}
        return self._ray.remote(**options)(function)


@dataclass(eq=False, slots=True)
class _Flow(Generic[Item]):
    """An item under way: the generator of its parts, and the results that are being computed."""

    item: Item
    reading: Any
    working: deque[Any]


@contextmanager
def connected(address: str = RUNNING) -> Iterator[Cluster]:
    """Connect to the cluster at an address HOST[:PORT], or to the one that runs here."""
    ray = _ray()
    if address != RUNNING:
        address = _checked(address)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ray.init(
                address=None if address == RUNNING else address,
                log_to_driver=False,
                logging_level="ERROR",
                include_dashboard=None if address != RUNNING else False,
            )
        except (ConnectionError, RuntimeError, ValueError) as error:
            reason = str(error).partition("\n")[0]
            raise ConfigurationError(
                f"can't use the Ray cluster at {address}: {reason}. Give the address of its head, "
                "on one of its machines: --ray HOST:6379"
            ) from error
    try:
        yield Cluster(ray)
    finally:
        ray.shutdown()


def _checked(address: str) -> str:
    """The address with its port, if something answers there."""
    host, _, port = address.rpartition(":") if ":" in address else (address, "", str(PORT))
    if "://" in address or not host or not port.isdigit() or int(port) > 65_535:
        raise ConfigurationError(
            f"--ray {address}: expected the address of the head of a Ray cluster, HOST:{PORT}"
        )
    try:
        socket.create_connection((host, int(port)), CONNECT_SECONDS).close()
    except OSError as error:
        raise ConfigurationError(
            f"can't reach a Ray cluster at {host}:{port}: {error.strerror or error}. "
            "Start its head there: ray start --head"
        ) from error
    return f"{host}:{port}"


@contextmanager
def _explained(ray: Any) -> Iterator[None]:  # noqa: ANN401
    """Raise the errors of tasks as they were, and those of the cluster in one line."""
    try:
        yield
    except ray.exceptions.RayTaskError as error:
        cause = error.as_instanceof_cause()
        if isinstance(error.cause, SeminarError):
            raise error.cause from error
        raise cause from error
    except ray.exceptions.RayError as error:
        reason = str(error).partition("\n")[0]
        raise SeminarError(
            f"the Ray cluster failed: {reason} "
            "Run the command again: it goes on after what was finished"
        ) from error


def _ray() -> Any:  # noqa: ANN401 - a module without types
    if importlib.util.find_spec("ray") is None:
        raise MissingExtraError("work on a Ray cluster", "ray")
    os.environ.setdefault(_STATISTICS, "0")
    import ray

    return ray
