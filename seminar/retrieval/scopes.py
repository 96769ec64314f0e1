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
    """Suggest scopes with that last part, or with similar spelling, or that hold the path."""
    near = _nearest(path.casefold(), {scope: scope.casefold() for scope in known})
    if not near:
        return ""
    return f" Did you mean {', '.join(repr(scope) for scope in near[:SUGGESTED])}?"


def _nearest(path: str, folded: Mapping[str, str]) -> list[str]:
    """The scopes nearest to a path, given each with the form that is compared."""
    same = [scope for scope, name in folded.items() if f"/{name}".endswith(f"/{path}")]
    if same or not path:
        return same
    backwards = list(folded.items())[::-1]  # of the same name the first is taken
    by_name = {name: scope for scope, name in backwards}
    by_last = {_last(name): scope for scope, name in backwards}
    by_stem = {_last(name).partition(".")[0]: scope for scope, name in backwards}
    for names in (by_name, by_last, by_stem):
        close = difflib.get_close_matches(path, names, n=SUGGESTED)
        if close:
            return [names[name] for name in close]
    return [scope for scope, name in folded.items() if path in name]


def _last(path: str) -> str:
    return path.rpartition("/")[2]
