"""Seminar answers questions in conversation, over documents and recorded conversations.

    import seminar

    session = seminar.open("notes")
    reply = session.ask("When was the choir founded?")
    print(reply.text, [(span.source, span.line) for span in reply.literal])

Names are imported when they are first used: `import seminar` itself loads no other package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from seminar.assistant import Assistant
    from seminar.async_session import AsyncSession
    from seminar.async_session import open_async_session as open_async
    from seminar.datasets.catalog import load as load_dataset
    from seminar.errors import SeminarError
    from seminar.evaluation.evaluate import evaluate
    from seminar.session import Session
    from seminar.session import open_session as open
    from seminar.settings import Settings
    from seminar.types import Dialogue, Reply, Turn

    __version__: str
else:
    _HOMES = {
        "Assistant": "seminar.assistant.Assistant",
        "AsyncSession": "seminar.async_session.AsyncSession",
        "Dialogue": "seminar.types.Dialogue",
        "Reply": "seminar.types.Reply",
        "SeminarError": "seminar.errors.SeminarError",
        "Session": "seminar.session.Session",
        "Settings": "seminar.settings.Settings",
        "Turn": "seminar.types.Turn",
        "evaluate": "seminar.evaluation.evaluate.evaluate",
        "load_dataset": "seminar.datasets.catalog.load",
        "open": "seminar.session.open_session",
        "open_async": "seminar.async_session.open_async_session",
    }

    def __getattr__(name: str) -> object:
        from importlib import import_module

        if name == "__version__":
            return import_module("seminar.version").package_version()
        if name not in _HOMES:
            raise AttributeError(f"module 'seminar' has no attribute '{name}'")
        module, _, attribute = _HOMES[name].rpartition(".")
        return getattr(import_module(module), attribute)

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})


__all__ = [
    "Assistant",
    "AsyncSession",
    "Dialogue",
    "Reply",
    "SeminarError",
    "Session",
    "Settings",
    "Turn",
    "__version__",
    "evaluate",
    "load_dataset",
    "open",
    "open_async",
]
