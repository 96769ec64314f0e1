"""Limits by time: so many acts per minute for each account or address.

The counts are in the memory of a process: with N worker processes an account has up to N times
the limit.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Hashable
from ipaddress import IPv6Address, IPv6Network, ip_address
from math import ceil
from threading import Lock

from seminar.serving.problems import Problem

MOST_KEYS = 50_000  # those unused for longest are forgotten


class Limit:
    """A token bucket for each key, which holds a minute's acts and refills evenly."""

    def __init__(self, per_minute: int) -> None:
        self._capacity = float(per_minute)
        self._buckets: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()
        self._lock = Lock()

    def seconds_to_wait(self, key: Hashable, at: float) -> float:
        """Take one act at a time of the monotonic clock: 0 if there was one left."""
        with self._lock:
            left, before = self._buckets.pop(key, (self._capacity, at))
            left = min(self._capacity, left + (at - before) * self._capacity / 60)
            allowed = left >= 1
            self._buckets[key] = (left - 1 if allowed else left, at)
            if len(self._buckets) > MOST_KEYS:
                self._buckets.popitem(last=False)
        return 0.0 if allowed else (1 - left) * 60 / self._capacity

    def spend(self, key: Hashable, what: str) -> None:
        """Take one act; a problem with the time to wait if there is none left."""
        wait = ceil(self.seconds_to_wait(key, time.monotonic()))
        if wait:
            raise Problem(
                429,
                f"Too many {what}: at most {self._capacity:.0f} in a minute. "
                f"Try again in {wait} s.",
                headers={"Retry-After": str(wait)},
            )


def address_key(address: str) -> str:
    """What counts as one address: of IPv6 the network of a household."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped is None:
        return str(IPv6Network((parsed, 64), strict=False))
    return str(getattr(parsed, "ipv4_mapped", None) or parsed)
