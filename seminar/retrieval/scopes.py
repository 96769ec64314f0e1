"""Scopes: search one folder, channel, thread or mailbox of an index."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from seminar.errors import ConfigurationError
from seminar.protocols import Retriever
from seminar.types import Hit, Query

SUGGESTED = 3


class Scoped:
    """Searches within one scope; a query with a scope of its own keeps it."""

    def __init__(self, retriever: Retriever, scope: str) -> None:
        self.retriever = retriever
        self.scope = scope

    def search(self, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        scoped = [query if query.scope else replace(query, scope=self.scope) for query in queries]
        return self.retriever.search(scoped, k)


def with_parents(scopes: Mapping[str, int]) -> dict[str, int]:
    """The number of passages below every path: the scopes and all their parents.

    >>> with_parents({"general/1": 2, "general/2": 1, "a.md": 3})
    {'a.md': 3, 'general': 3, 'general/1': 2, 'general/2': 1}
    """
    counts: Counter[str] = Counter()
    for scope, passages in scopes.items():
        parts = scope.split("/")
        for length in range(1, len(parts) + 1):
            counts["/".join(parts[:length])] += passages
    return dict(sorted(counts.items()))


def children(known: Mapping[str, int], path: str) -> dict[str, int]:
    """The paths directly below a path; below the empty path, the topmost ones.

    >>> children({"general": 3, "general/1": 2, "general/2": 1}, "general")
    {'general/1': 2, 'general/2': 1}
    """
    start = f"{path}/" if path else ""
    return {
        scope: passages
        for scope, passages in known.items()
        if scope.startswith(start) and "/" not in scope[len(start) :]
    }


def find_scope(name: str, scopes: Mapping[str, int]) -> str:
    """The path of the scope with that name; for an unknown one, an error that suggests others.

    >>> find_scope("general/", {"general/1": 2})
    'general'
    """
    known = with_parents(scopes)
    path = name.strip().strip("/")
    if path in known:
        return path
    raise ConfigurationError(
        f"nothing is indexed under '{name}'.{_suggestion(path, known)} "
        "A scope is a file, a folder, a channel or a thread; /scopes in seminar chat lists them"
    )


def _suggestion(path: str, known: Mapping[str, int]) -> str:
    """Suggest scopes that end in the path, or else those with similar spelling."""
    below = [scope for scope in known if scope.endswith(f"/{path}")]
    near = below or difflib.get_close_matches(path, known, n=SUGGESTED)
    if not near:
        lasts = {scope.rpartition("/")[2]: scope for scope in reversed(list(known))}
        near = [lasts[name] for name in difflib.get_close_matches(path, lasts, n=SUGGESTED)]
    if not near:
        return ""
    return f" Did you mean {', '.join(repr(scope) for scope in near[:SUGGESTED])}?"
