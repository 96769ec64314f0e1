"""The stages of the straight line: lists in, lists of the same length and order out, no state."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from seminar.types import Answer, Dialogue, Hit, Matrix, Passage, Query, Reply


class Encoder(Protocol):
    """Texts to unit vectors; an index remembers the `name`, so only its own encoder searches it."""

    @property
    def name(self) -> str: ...
    @property
    def dimensions(self) -> int: ...
    def encode(self, texts: Sequence[str]) -> Matrix: ...


class Generator(Protocol):
    """Prompts to completions."""

    def generate(self, prompts: Sequence[str]) -> list[str]: ...


class Rewriter(Protocol):
    """A question in its dialogue to the query that is searched."""

    def rewrite(self, dialogues: Sequence[Dialogue], questions: Sequence[str]) -> list[Query]: ...


class Retriever(Protocol):
    """Queries to rankings, best first, at most k hits each."""

    def search(self, queries: Sequence[Query], k: int) -> list[list[Hit]]: ...


class Reader(Protocol):
    """Rankings to candidate answers, best first."""

    def read(
        self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]
    ) -> list[list[Answer]]: ...


class Responder(Protocol):
    """Candidate answers to what the asker gets."""

    def respond(
        self,
        dialogues: Sequence[Dialogue],
        queries: Sequence[Query],
        hits: Sequence[Sequence[Hit]],
        answers: Sequence[Sequence[Answer]],
    ) -> list[Reply]: ...


class MetaResponder(Protocol):
    """Questions about the conversation itself to replies; None where the files have to answer."""

    def reply(
        self, dialogues: Sequence[Dialogue], questions: Sequence[str]
    ) -> list[Reply | None]: ...


class Suggester(Protocol):
    """What was replied to the questions that can be asked next."""

    def suggest(
        self, dialogues: Sequence[Dialogue], replies: Sequence[Reply]
    ) -> list[tuple[str, ...]]: ...


class PassageStore(Protocol):
    """Passages on disk or on a server; what was committed survives, what was not never shows."""

    def add(self, passages: Sequence[Passage], vectors: Matrix) -> None: ...
    def delete(self, sources: Iterable[str]) -> None: ...
    def search_text(self, queries: Sequence[Query], k: int) -> list[list[Hit]]: ...
    def search_vector(self, queries: Sequence[Query], k: int) -> list[list[Hit]]: ...
    def count(self) -> int: ...
