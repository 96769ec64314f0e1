"""Grouping mails into threads: by the ids they answer, else by subject, else by quoted lines.

Only hashes are kept, some 450 bytes for each mail.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b

from seminar.ingestion.conversations.mail.message import Links

QUOTING_LIMIT = 200_000  # mails above which quotations are not compared
_LINE_LENGTH = 25  # characters; shorter lines may be quoted by chance
_LINES = 3
_QUOTATION = re.compile(r"(?m)^\s{0,3}>[> ]*(.+)$")
_ANSWERS = 20


@dataclass(slots=True)
class Threading:
    """Joins mails into threads, one mail at a time; cyclic references are harmless."""

    _above: list[int] = field(default_factory=list)  # union-find: nodes of one thread share a root
    _mails: list[int] = field(default_factory=list)  # the node of each mail
    _ids: dict[int, int] = field(default_factory=dict)
    _subjects: dict[int, int] = field(default_factory=dict)
    _lines: dict[int, int] = field(default_factory=dict)
    _known: set[int] = field(default_factory=set)

    def add(self, links: Links, beginning: str) -> bool:
        """Add the next mail, and return whether it is new, not a copy of an earlier one."""
        if links.key and _hash(links.key) in self._known:
            return False
        node = self._node(links.key) if links.key else self._new()
        if links.key:
            self._known.add(_hash(links.key))
        self._mails.append(node)
        for answered in links.answers[-_ANSWERS:]:
            self._join(node, self._node(answered))
        if not links.answers:
            self._join_by_words(node, links, beginning)
        if links.subject:
            self._subjects[_hash(links.subject.lower())] = node
        self._remember_lines(node, beginning)
        return True

    def threads(self) -> Iterator[list[int]]:
        """The numbers of the mails of each thread, threads in the order of their first mail."""
        groups: dict[int, list[int]] = {}
        for number, node in enumerate(self._mails):
            groups.setdefault(self._root(node), []).append(number)
        yield from groups.values()

    def _join_by_words(self, node: int, links: Links, beginning: str) -> None:
        same = self._subjects.get(_hash(links.subject.lower())) if links.subject else None
        if links.is_reply and same is not None:
            self._join(node, same)
            return
        for quoted in _QUOTATION.findall(beginning):
            if (author := self._lines.get(_hash(quoted.strip()))) is not None:
                self._join(node, author)
                return

    def _remember_lines(self, node: int, beginning: str) -> None:
        if len(self._mails) > QUOTING_LIMIT:
            return
        lines = (line.strip() for line in beginning.split("\n"))
        own = [line for line in lines if len(line) >= _LINE_LENGTH and not line.startswith(">")]
        for line in own[:_LINES]:
            self._lines.setdefault(_hash(line), node)

    def _node(self, key: str) -> int:
        node = self._ids.get(_hash(key))
        if node is None:
            node = self._ids[_hash(key)] = self._new()
        return node

    def _new(self) -> int:
        self._above.append(len(self._above))
        return len(self._above) - 1

    def _join(self, node: int, other: int) -> None:
        self._above[self._root(node)] = self._root(other)

    def _root(self, node: int) -> int:
        while self._above[node] != node:
            self._above[node] = self._above[self._above[node]]
            node = self._above[node]
        return node


def _hash(text: str) -> int:
    digest = blake2b(text.encode(errors="replace"), digest_size=8).digest()
    return int.from_bytes(digest)
