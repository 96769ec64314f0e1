"""What a prepared corpus has: pages with their topics, or chunks of recorded conversations.

Every record is frozen and holds plain values, so that msgspec writes it as JSON and reads it back.
Offsets count characters of the page's or chunk's `text`.
"""

from __future__ import annotations

from dataclasses import dataclass

from seminar.types import Element, Link, Section


@dataclass(frozen=True, slots=True)
class Page:
    """A document of the corpus; the targets of its links are ids of pages, or URLs outside it."""

    id: str
    title: str
    text: str
    sections: tuple[Section, ...] = ()
    links: tuple[Link, ...] = ()
    elements: tuple[Element, ...] = ()
    topic: str = ""  # id of the topic whose pages include it
    kind: str = ""  # "person", "place" ..., where it is known
    url: str = ""
    incoming: int = 0  # links from other pages
    level: int = 0  # links from the topic's central page


@dataclass(frozen=True, slots=True)
class Topic:
    """A community of pages around a central one: the subject of a PragmatiCQA dialog."""

    id: str
    title: str
    genre: str = ""
    central: str = ""  # id of the page where reading begins
    pages: tuple[str, ...] = ()
    edits_per_page: float = 0.0
    active_users: int = 0


@dataclass(frozen=True, slots=True)
class Line:
    """An utterance of a chunk: its offsets in the chunk's text, without the speaker's label."""

    speaker: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of a recorded conversation, as QAConv's workers read it."""

    id: str
    source: str
    text: str
    lines: tuple[Line, ...]
    title: str = ""
    questions: tuple[str, ...] = ()  # made by a machine, of which four are offered
    answers: tuple[str, ...] = ()  # of those questions, for the verification; never shown


@dataclass(frozen=True, slots=True)
class FirstQuestion:
    """A question that begins a TopiOCQA dialog on a page, sampled as the paper did from NQ."""

    page: str
    question: str


@dataclass(frozen=True, slots=True)
class Corpus:
    """All that workers may read: `seminar collect corpus` writes it, a study reads it."""

    pages: tuple[Page, ...] = ()
    topics: tuple[Topic, ...] = ()
    chunks: tuple[Chunk, ...] = ()
    first_questions: tuple[FirstQuestion, ...] = ()
