"""Answers from the pages of a corpus, by Seminar's reader."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from seminar.collection.corpus.records import Page
from seminar.collection.messages.actions import ChosenSpan
from seminar.ingestion.passages import split
from seminar.models.encoders.registry import load_encoder
from seminar.protocols import Encoder, Reader
from seminar.reading.readers import load_reader
from seminar.text import sentences
from seminar.types import Affirmation, Document, Hit, Passage, Query

READ = 5  # passages that are read for a question
THRESHOLD = 0.3  # of the probability, below which there is no answer

History = Sequence[tuple[str, str]]  # earlier questions and answers


@dataclass(frozen=True, slots=True)
class Area:
    """A stretch of a page that may be answered from."""

    page: Page
    start: int
    end: int

    @classmethod
    def whole(cls, page: Page) -> Area:
        return cls(page, 0, len(page.text))


@dataclass(frozen=True, slots=True)
class PageAnswer:
    """Words of a page that answer, the sentence after them, and yes, no or neither."""

    span: ChosenSpan
    text: str
    following: ChosenSpan | None
    following_text: str
    affirmation: Affirmation


class PageReader:
    """Finds the passages nearest to a question, and lets the reader read them."""

    def __init__(self, reader: Reader, encoder: Encoder) -> None:
        self._reader, self._encoder = reader, encoder

    def answer(self, question: str, history: History, areas: Sequence[Area]) -> PageAnswer | None:
        """The most probable answer from the areas; None where none is probable enough."""
        passages = [passage for area in areas for passage in _passages(area)]
        if not passages:
            return None
        query = Query(question, question=question, history=tuple(history))
        hits = self._nearest(question, history, passages)
        [answers] = self._reader.read([query], [hits])
        best = max(answers, key=lambda one: one.score, default=None)
        if best is None or best.score < THRESHOLD or not best.span.text.strip():
            return None
        passage = best.span.passage
        page = next(area.page for area in areas if area.page.id == passage.source)
        end_of_area = max(area.end for area in areas if area.page.id == page.id)
        start, end = passage.start + best.span.start, passage.start + best.span.end
        following = _sentence_after(page, end, end_of_area)
        return PageAnswer(
            span=ChosenSpan(page.id, start, end),
            text=page.text[start:end],
            following=following,
            following_text=page.text[following.start : following.end] if following else "",
            affirmation=best.affirmation,
        )

    def _nearest(self, question: str, history: History, passages: list[Passage]) -> list[Hit]:
        """The passages whose vectors are nearest to the question with the one before it."""
        asked = " ".join([*(earlier for earlier, _ in history[-1:]), question])
        vectors = self._encoder.encode([asked, *(passage.text for passage in passages)])
        scores = vectors[1:] @ vectors[0]  # (passages,)
        order = np.argsort(-scores, kind="stable")[:READ]
        return [Hit(passages[place], float(scores[place])) for place in order]


def open_page_reader(name: str) -> PageReader:
    """A page reader with the embedded reader of that name."""
    return PageReader(load_reader(name), load_encoder("static"))


def _passages(area: Area) -> list[Passage]:
    """The passages of an area, with their offsets in its page."""
    text = area.page.text[area.start : area.end]
    document = Document(source=area.page.id, title=area.page.title, text=text)
    return [
        replace(passage, start=passage.start + area.start, end=passage.end + area.start)
        for passage in split(document)
    ]


def _sentence_after(page: Page, end: int, limit: int) -> ChosenSpan | None:
    """The first sentence that begins after an offset, within a limit."""
    rest = page.text[end:limit]
    for start, stop in sentences(rest):
        if start > 0 and len(rest[start:stop].split()) > 2:
            return ChosenSpan(page.id, end + start, end + stop)
    return None
