"""The protocols of the stages: lists in, lists of the same length and order out, no state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from seminar.types import Answer, Dialogue, Hit, Matrix, Passage, Query, Reply


class Encoder(Protocol):
    """Encodes texts as unit vectors; an index records the `name` and refuses other encoders."""

    @property
    def name(self) -> str: ...
    @property
    def dimensions(self) -> int: ...
    def encode(self, texts: Sequence[str]) -> Matrix: ...


class Generator(Protocol):
    """Completes prompts, as a language model does."""

    def generate(self, prompts: Sequence[str]) -> list[str]: ...


class Rewriter(Protocol):
    """Turns a question in its dialogue into the query that is searched."""

    def rewrite(self, dialogues: Sequence[Dialogue], questions: Sequence[str]) -> list[Query]: ...


class Retriever(Protocol):
    """Ranks passages for each query, best first, at most k hits."""

    def search(self, queries: Sequence[Query], k: int) -> list[list[Hit]]: ...


class Reader(Protocol):
    """Extracts candidate answers from rankings, best first."""

    def read(
        self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]
    ) -> list[list[Answer]]: ...


class Responder(Protocol):
    """Composes the reply from candidate answers."""

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


class Contents(Protocol):
    """The files that may be asked, listed and read whole."""

    def sources(self) -> Sequence[str]:
        """The files with passages."""

    def scopes(self) -> Mapping[str, int]:
        """The passages below every file, folder, channel and thread."""

    def passages(self, path: str, *, limit: int) -> list[Passage]:
        """The passages of a file, folder, channel or thread, at most so many; of all for ""."""


class Suggester(Protocol):
    """Suggests questions that can be asked after a reply."""

    def suggest(
        self, dialogues: Sequence[Dialogue], replies: Sequence[Reply]
    ) -> list[tuple[str, ...]]: ...


class Writer(Protocol):
    """Writes the prose of replies with a language model; `listen` gets the pieces as they come."""

    def write(
        self,
        dialogues: Sequence[Dialogue],
        replies: Sequence[Reply],
        listen: Callable[[str], None],
    ) -> list[Reply]: ...


class PassageStore(Protocol):
    """Stores and searches passages; `add` and `delete` are durable and visible when they return."""

    def add(self, passages: Sequence[Passage], vectors: Matrix) -> None: ...
    def delete(self, sources: Iterable[str]) -> None: ...
    def search_text(self, queries: Sequence[Query], k: int) -> list[list[Hit]]: ...
    def search_vector(self, queries: Sequence[Query], k: int) -> list[list[Hit]]: ...
    def count(self) -> int: ...
