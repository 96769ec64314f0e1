"""The types that every stage shares: documents, passages, queries, answers and dialogues."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seminar.citations.html import reply_html

Matrix = NDArray[np.float32]
Vector = NDArray[np.float32]

Affirmation = Literal["yes", "no", "neither"]
Continuation = Literal["follow up", "maybe", "don't"]
Switch = Literal["no-switch", "switch-to-old", "switch-to-new"]
Role = Literal["next question", "lead"]

SEPARATOR = " [SEP] "  # between the turns in a query's text, as in TopiOCQA; never searched for


@dataclass(frozen=True, slots=True)
class Section:
    """A stretch of a document under one heading; `title` is the path of headings, as in "A > B"."""

    title: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Link:
    """A hyperlink: the anchor's offsets in the document's text, and where it leads."""

    start: int
    end: int
    target: str


@dataclass(frozen=True, slots=True)
class Element:
    """A block of the source (a paragraph, a list item) with a key that survives edits elsewhere."""

    key: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a paged source; numbers start at 1."""

    number: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Place:
    """Where a stretch stands in a source without lines: `Fares!A2:D2`, `slide 3, notes`."""

    name: str
    start: int
    end: int


class LineMark(NamedTuple):
    """The text from `start` up to the next mark comes from this line of the source file, from 1."""

    start: int
    line: int


@dataclass(frozen=True, slots=True)
class Document:
    """An ingested document; every offset in it counts characters of `text`.

    `scope` is that of its passages, where it is not the source: a chapter's is its book.
    """

    source: str
    title: str
    text: str
    sections: tuple[Section, ...] = ()
    links: tuple[Link, ...] = ()
    elements: tuple[Element, ...] = ()
    pages: tuple[Page, ...] = ()
    lines: tuple[LineMark, ...] = ()
    places: tuple[Place, ...] = ()
    scope: str = ""


@dataclass(frozen=True, slots=True)
class Utterance:
    """A message of a recorded conversation; `key` identifies it within the file `source`."""

    key: str
    speaker: str
    text: str
    time: datetime | None = None
    start: int = 0
    end: int = 0
    source: str = ""
    lines: tuple[LineMark, ...] = ()


@dataclass(frozen=True, slots=True)
class Thread:
    """A recorded conversation used as knowledge: a mail thread, a Slack thread, a panel.

    `channel` is a path, which becomes the scope of its passages.
    """

    source: str
    title: str
    text: str
    utterances: tuple[Utterance, ...]
    channel: str = ""


@dataclass(frozen=True, slots=True)
class Passage:
    """The unit of retrieval: `text` is exactly what its document or thread holds at start:end.

    `scope` is a path; a query scoped to 'docs' sees every passage whose scope is 'docs' or below.
    Links, pages, utterances, lines and places are those that it touches, with offsets into its own
    text; the lines of a conversation belong to its utterances.
    """

    source: str
    start: int
    end: int
    text: str
    title: str = ""
    section: str = ""
    scope: str = ""
    links: tuple[Link, ...] = ()
    pages: tuple[Page, ...] = ()
    utterances: tuple[Utterance, ...] = ()
    lines: tuple[LineMark, ...] = ()
    places: tuple[Place, ...] = ()

    @property
    def id(self) -> str:
        return f"{self.source}#{self.start}-{self.end}"

    @property
    def heading(self) -> str:
        """Title and section, the metadata that TopiOCQA puts before a passage's text."""
        return f"{self.title} > {self.section}" if self.section else self.title

    @property
    def searched(self) -> str:
        """Heading and text together: what the lexical index and the encoders see."""
        return f"{self.heading}\n{self.text}"

    def speaker_label(self, utterance: Utterance) -> Span | None:
        """The speaker's name before the words of an utterance, if this passage holds it."""
        label = f"{utterance.speaker}: "
        for start in (utterance.start - len(label), utterance.start):
            if start >= 0 and self.text.startswith(label, start):
                return Span(self, start, start + len(utterance.speaker))
        return None

    def spoken_words(self, utterance: Utterance) -> Span:
        """The words of an utterance without the name, which some datasets count among them."""
        label = self.speaker_label(utterance)
        start = utterance.start if label is None else max(utterance.start, label.end + 2)
        return Span(self, start, utterance.end)


@dataclass(frozen=True, slots=True)
class Representation:
    """A form of the question that is searched, and the weight of its ranking among the others."""

    text: str
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Prior:
    """A reason to expect the answer in a document: it is `source`, or `mention` holds its title.

    The score of its passages grows by `weight` times itself.
    """

    weight: float
    source: str = ""
    mention: str = ""


@dataclass(frozen=True, slots=True)
class Query:
    """The question as it is searched; `question` is the text that the asker typed.

    `history` holds the earlier questions and their answers, oldest first, "" for no answer.
    `notes` report deviations from the asker's settings, such as a language model that failed.
    If there are `representations`, all of them are searched, and `text` is the main one.
    `found` are answers that are known already, so that readers look for further ones.
    """

    text: str
    question: str = ""
    vector: Vector | None = None
    scope: str | None = None
    history: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    representations: tuple[Representation, ...] = ()
    priors: tuple[Prior, ...] = ()
    found: tuple[str, ...] = ()

    @property
    def typed(self) -> str:
        """The text that the asker typed; the searched text if the query has no other."""
        return self.question or self.text


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage and its score; a ranking is a list of hits, best first.

    `rank` is its place in the whole ranking, from 1, if this is only a part of one.
    """

    passage: Passage
    score: float
    rank: int = 0


@dataclass(frozen=True, slots=True)
class Span:
    """Characters start:end of a passage's text."""

    passage: Passage
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.passage.text[self.start : self.end]

    @property
    def page(self) -> int | None:
        """The number of the page on which the span begins."""
        pages = (page for page in self.passage.pages if page.start <= self.start < page.end)
        return next((page.number for page in pages), None)

    @property
    def place(self) -> str | None:
        """The cells, slide or note in which the span begins, of a source that has such places."""
        places = (place for place in self.passage.places if place.start <= self.start < place.end)
        return next((place.name for place in places), None)

    @property
    def line(self) -> int | None:
        """The line of the source file on which the span begins, from 1, where it is known."""
        utterance = self.utterance
        marks = utterance.lines if utterance else self.passage.lines
        before = [mark for mark in marks if mark.start <= self.start]
        nearest = before[-1:] or marks[:1]  # a speaker's name stands before the first mark
        return nearest[0].line if nearest else None

    @property
    def utterance(self) -> Utterance | None:
        """The message in which the span begins; a speaker's name belongs to the words after it."""
        utterances = self.passage.utterances
        return next((message for message in utterances if self.start < message.end), None)

    @property
    def source(self) -> str:
        """The source to cite: the message in which the span begins, else the passage's source."""
        message = self.utterance
        if message is None or not message.source:
            return self.passage.source
        return f"{message.source}#{message.key}"

    @property
    def names_speaker(self) -> bool:
        """Whether the span is the speaker's name that precedes the words."""
        message = self.utterance
        return message is not None and self.start <= message.start and self.text == message.speaker


@dataclass(frozen=True, slots=True)
class Answer:
    """A candidate answer; `score` is the calibrated probability that it answers the question.

    `also` are further spans that belong to it: a speaker's other statements, or the statement of
    the speaker whose name it is.
    """

    span: Span
    score: float
    affirmation: Affirmation = "neither"
    also: tuple[Span, ...] = ()

    @property
    def spans(self) -> tuple[Span, ...]:
        return (self.span, *self.also)

    @property
    def text(self) -> str:
        """The words of the answer; of a speaker's name with statements, the name alone."""
        if self.span.names_speaker:
            return self.span.text
        return " … ".join(span.text for span in self.spans)


@dataclass(frozen=True, slots=True)
class Pragmatic:
    """A span that the asker is likely to want next: an answer to the next question, or a lead."""

    span: Span
    role: Role


@dataclass(frozen=True, slots=True)
class Alternative:
    """A further valid answer with its own evidence, and the interpretation that it answers."""

    answer: Answer
    reading: str = ""


@dataclass(frozen=True, slots=True)
class Segment:
    """A sentence that a language model wrote, and the words of the files that bear it out.

    `score` is the probability that they do; without spans nothing bears it out. `side` is the
    compared thing whose passages alone bear it out. `role` says why it was added, of a sentence
    that was not asked for.
    """

    text: str
    spans: tuple[Span, ...] = ()
    score: float = 0.0
    side: str = ""
    role: Role | None = None


@dataclass(frozen=True, slots=True)
class Prose:
    """What a language model wrote in answer, sentence by sentence, and what it cost.

    `left_out` counts the sentences that nothing bore out; `read` and `written` are tokens.
    `clarification` asks which of several readings of the question was meant.
    """

    segments: tuple[Segment, ...] = ()
    left_out: int = 0
    read: int = 0
    written: int = 0
    clarification: str = ""

    @property
    def text(self) -> str:
        return " ".join(segment.text for segment in self.segments)

    @property
    def sides(self) -> tuple[str, ...]:
        """The things that are compared, where two at least have sentences of their own."""
        found = tuple(dict.fromkeys(one.side for one in self.segments if one.side))
        return found if len(found) > 1 else ()


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply to a question, with its query, hits and answers.

    `notes` begin with those of its query.
    `nearest` is the sentence closest to a question that was not answered; it is not an answer.
    `score` is the probability of the literal answer, where it is known. A `meta` reply is about
    the conversation itself: what files there are, why an answer was given. `prose` is there where
    a language model was asked to write.
    """

    text: str
    query: Query
    hits: tuple[Hit, ...] = ()
    answerable: bool = False
    literal: tuple[Span, ...] = ()
    pragmatic: tuple[Pragmatic, ...] = ()
    affirmation: Affirmation = "neither"
    continuation: Continuation = "maybe"
    alternatives: tuple[Alternative, ...] = ()
    followups: tuple[str, ...] = ()
    topic: str = ""
    switch: Switch | None = None
    notes: tuple[str, ...] = ()
    nearest: Span | None = None
    score: float | None = None
    meta: bool = False
    prose: Prose | None = None

    def _repr_html_(self) -> str:
        """The reply in a notebook, its quotations highlighted."""
        return reply_html(self)


@dataclass(frozen=True, slots=True)
class Turn:
    """A question and the reply that it got."""

    question: str
    reply: Reply


@dataclass(frozen=True, slots=True)
class Dialogue:
    """The conversation with the asker, oldest turn first; adding a turn makes a new dialogue."""

    turns: tuple[Turn, ...] = ()

    @property
    def trail(self) -> tuple[Passage, ...]:
        """The passages of the answers, oldest first; an answer's document is the turn's topic."""
        return tuple(turn.reply.literal[0].passage for turn in self.turns if turn.reply.literal)

    def add(self, turn: Turn) -> Dialogue:
        return Dialogue((*self.turns, turn))
