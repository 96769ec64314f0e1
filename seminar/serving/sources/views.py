"""A source around a place: its paragraphs, pages or messages, from the index alone.

Offsets count characters of the text that was extracted from the source, as those of spans do.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from seminar.retrieval.file_index import FileIndex, file_of
from seminar.serving.problems import not_found
from seminar.types import Passage, Utterance

BEFORE, AFTER = 4_000, 12_000  # characters around a place, in whole passages
MOST_OF_FILE = 20_000  # passages of a file that are looked through for a message

Record = dict[str, Any]
Kind = Literal["text", "pages", "messages"]
_PARAGRAPH = re.compile(r"[^\n]+")


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a source: its path as spans cite it, and offsets.

    `document` names the document or thread of a span, which is found at once; without it a message
    is looked for in its file.
    """

    path: str
    start: int = 0
    end: int = 0
    document: str = ""


def view(index: FileIndex, place: Place) -> Record:
    """The source around a place, as the API shows it."""
    passages = find_source(index, place)
    first, last = _window(passages, place.start)
    shown = passages[first:last]
    return {
        "title": passages[0].title,
        "kind": kind_of(shown),
        "source": passages[0].source,
        "file": file_of(index, passages[0].source),
        "blocks": [block for passage in shown for block in _blocks(passage)],
        "before": passages[first - 1].start if first else None,
        "after": passages[last].start if last < len(passages) else None,
    }


def find_source(index: FileIndex, place: Place) -> Sequence[Passage]:
    """The passages of the document or thread at a place."""
    for name in filter(None, (place.document, place.path)):
        [passages] = index.passages([name])
        if passages:
            return passages
    path = file_of(index, place.path)
    if path is None:
        raise not_found("source", place.path)
    within = index.file_passages(path, limit=MOST_OF_FILE)
    document = next((one.source for one in within if _holds(one, place)), None)
    if document is None and place.path == path and within:
        document = within[0].source
    if document is None:
        raise not_found("source", place.path)
    return index.passages([document])[0]


def kind_of(passages: Sequence[Passage]) -> Kind:
    if any(passage.utterances for passage in passages):
        return "messages"
    # Slides have places of their own; only the pages of PDFs are drawn.
    drawn = any(passage.pages and not passage.places for passage in passages)
    return "pages" if drawn else "text"


def _holds(passage: Passage, place: Place) -> bool:
    """Whether a passage holds the cited message, at the place if there are offsets."""
    touched = not place.end or (passage.start <= place.start < max(passage.end, passage.start + 1))
    return touched and any(cite(one) == place.path for one in passage.utterances)


def cite(message: Utterance) -> str:
    """The source of a message, as spans cite it."""
    return f"{message.source}#{message.key}"


def _window(passages: Sequence[Passage], start: int) -> tuple[int, int]:
    """The passages around an offset, from first up to last."""
    at = max(0, bisect_right([passage.start for passage in passages], start) - 1)
    first, last = at, at + 1
    while first and passages[at].start - passages[first - 1].start <= BEFORE:
        first -= 1
    while last < len(passages) and passages[last].end - passages[at].start <= AFTER:
        last += 1
    return first, last


def _blocks(passage: Passage) -> Iterator[Record]:
    """The paragraphs or messages of a passage, each cut at the ends of pages."""
    pieces = _messages(passage) if passage.utterances else _paragraphs(passage)
    for start, end, message in pieces:
        for left, right, page in _by_page(passage, start, end):
            yield {
                "text": passage.text[left:right],
                "start": passage.start + left,
                "end": passage.start + right,
                "section": passage.section,
                "page": page,
                "speaker": message.speaker if message else None,
                "time": message.time.isoformat() if message and message.time else None,
                "key": message.key if message else None,
                "source": cite(message) if message and message.source else passage.source,
            }


def _paragraphs(passage: Passage) -> Iterator[tuple[int, int, None]]:
    for match in _PARAGRAPH.finditer(passage.text):
        yield match.start(), match.end(), None


def _messages(passage: Passage) -> Iterator[tuple[int, int, Utterance]]:
    """Each message with its speaker's name, where the text has it before the words."""
    for message in passage.utterances:
        label = passage.speaker_label(message)
        start = message.start if label is None else min(label.start, message.start)
        if start < message.end:
            yield start, message.end, message


def _by_page(passage: Passage, start: int, end: int) -> Iterator[tuple[int, int, int | None]]:
    if not passage.pages:
        yield start, end, None
        return
    for page in passage.pages:
        left, right = max(start, page.start), min(end, page.end)
        if left < right:
            yield left, right, page.number
