"""Systems by name: a dataset's baselines, and the assistant."""

from __future__ import annotations

from seminar.errors import unknown
from seminar.evaluation.assistants import assistant
from seminar.evaluation.setup import Setup, System
from seminar.evaluation.suites.catalog import find_suite
from seminar.evaluation.suites.suite import Builder


def systems_of(name: str) -> dict[str, Builder]:
    """The systems that can be run on a split."""
    return {**find_suite(name).systems, "assistant": assistant}


def build(name: str, setup: Setup) -> System:
    """The system of a name, fitted and ready for this split."""
    known = systems_of(setup.name)
    if name not in known:
        raise unknown(f"system for {setup.dataset} (and no such file)", name, known)
    return known[name](setup)
