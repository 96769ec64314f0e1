"""Spans by their names: ids of spans, citations with a line, page, cells or message."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from seminar.citations.names import split_id, split_line, split_page
from seminar.errors import SeminarError
from seminar.retrieval.file_index import FileIndex, file_of
from seminar.text import truncate
from seminar.types import LineMark, Passage, Span

MOST_OF_FILE = 20_000  # passages of a file that are looked through
LONGEST_WORD = 50
SHOWN = 120  # characters of a name in an error

Reading = Callable[[FileIndex, str], Span | None]


def find_span(index: FileIndex, name: str) -> Span:
    """The span that a name stands for, as `ask --json` and the chat print it.

    A name can be read in several ways where file names hold `#` or `:`; the first that is found is
    taken.
    """
    for reading in READINGS:
        span = reading(index, name.strip())
        if span is not None:
            return span
    raise SeminarError(
        f"'{truncate(name, SHOWN)}' is not in these files. Name a place as answers do: "
        "choir.md:13, report.pdf#page=3, or the id of a span in ask --json"
    )


def surroundings(index: FileIndex, span: Span, characters: int) -> tuple[str, str]:
    """The text before and after a span in its document, some characters each, in whole words."""
    [passages] = index.passages([span.passage.source])
    begin, end = span.passage.start + span.start, span.passage.start + span.end
    before = "".join(_pieces(passages, max(0, begin - characters), begin))
    after = "".join(_pieces(passages, end, end + characters + LONGEST_WORD))
    if begin > characters:
        before = f"…{before[_first_space(before) :]}"
    return before, truncate(after, characters)


def _pieces(passages: Sequence[Passage], start: int, end: int) -> Iterator[str]:
    """The text of start:end from passages, which may overlap or leave gaps."""
    at = start
    for passage in passages:
        left, right = max(at, passage.start), min(end, passage.end)
        if left >= right:
            continue
        if left > at:
            yield "\n"
        yield passage.text[left - passage.start : right - passage.start]
        at = right


def _first_space(text: str) -> int:
    return next((at + 1 for at, character in enumerate(text) if character.isspace()), 0)


def _by_offsets(index: FileIndex, name: str) -> Span | None:
    parts = split_id(name)
    if parts is None:
        return None
    source, start, end = parts
    [passages] = index.passages([source])
    holding = (passage for passage in passages if passage.start <= start < passage.end)
    passage = next(holding, None)
    if passage is None or end < start:
        return None
    return Span(passage, start - passage.start, min(end, passage.end) - passage.start)


def _by_line(index: FileIndex, name: str) -> Span | None:
    parts = split_line(name)
    if parts is None:
        return None
    source, line, key = parts
    if key:
        return _by_message(index, f"{source}#{key}")
    spans = [span for passage in _of_file(index, source) for span in _lines(passage, source)]
    before = [span for span in spans if (span.line or 0) <= line]
    return max(before, key=lambda span: span.line or 0, default=None)


def _lines(passage: Passage, source: str) -> Iterator[Span]:
    """The lines of a passage that are lines of that file."""
    for message in passage.utterances:
        if message.source == source:
            yield from _marked(passage, message.lines, message.end)
    if not passage.utterances:
        yield from _marked(passage, passage.lines, len(passage.text))


def _marked(passage: Passage, marks: Sequence[LineMark], end: int) -> Iterator[Span]:
    ends = [mark.start for mark in marks[1:]] + [end]
    for mark, until in zip(marks, ends, strict=True):
        if mark.start < until:
            yield _without_space(Span(passage, mark.start, until))


def _without_space(span: Span) -> Span:
    return Span(span.passage, span.start, span.start + len(span.text.rstrip()))


def _by_page(index: FileIndex, name: str) -> Span | None:
    parts = split_page(name)
    if parts is None:
        return None
    source, number = parts
    for passage in _of_file(index, source):
        for page in passage.pages:
            if page.number == number:
                return Span(passage, page.start, page.end)
    return None


def _by_message(index: FileIndex, name: str) -> Span | None:
    for passage in _of_file(index, name):
        for message in passage.utterances:
            if f"{message.source}#{message.key}" == name:
                return passage.spoken_words(message)
    return None


def _by_place(index: FileIndex, name: str) -> Span | None:
    for passage in _of_file(index, name):
        for place in passage.places:
            if f"{passage.source}#{place.name}" == name:
                return Span(passage, place.start, place.end)
    return None


def _whole(index: FileIndex, name: str) -> Span | None:
    """The beginning of a file or document."""
    first = next(iter(_of_file(index, name) if name in index.files() else ()), None)
    if first is None:
        [named] = index.passages([name])
        first = next(iter(named), None)
    return Span(first, 0, len(first.text)) if first else None


def _of_file(index: FileIndex, source: str) -> list[Passage]:
    path = file_of(index, source)
    return index.file_passages(path, limit=MOST_OF_FILE) if path else []


READINGS: tuple[Reading, ...] = (
    _by_offsets,
    _by_line,
    _by_page,
    _by_message,
    _by_place,
    _whole,
)
