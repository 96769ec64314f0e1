"""A reply as the content of a message, with its citations as annotations of that content."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from seminar.answering.records import quoted_span
from seminar.types import Reply, Span

Record = dict[str, Any]
Kind = Literal["literal", "prose", "alternative", "extra", "nearest"]
Address = Callable[[Span], str]  # the URL of the source around a span


@dataclass(frozen=True, slots=True)
class Content:
    """The text of a message and its annotations, whose indices count its characters."""

    text: str
    annotations: tuple[Record, ...]


def content_of(reply: Reply, address: Address) -> Content:
    """The answer first, then other answers and extras, a line each.

    Where a language model wrote, its sentences are the answer, and each is annotated with the words
    that bear it out; the literal answer is among the annotations, for the next question.
    """
    text, annotations = "", []
    for opening, line, spans, kind in _lines(reply):
        text += ("\n" if text else "") + opening
        begin = len(text)
        text += line
        at = begin
        for span in spans:
            found = text.find(span.text, at)
            if found >= 0:
                at = found + len(span.text)
                annotations.append(_annotation(span, (found, at), kind, address))
            else:  # words of our own, or a model's, about a place
                annotations.append(_annotation(span, (begin, len(text)), kind, address))
    return Content(text, tuple(annotations))


def _lines(reply: Reply) -> Iterator[tuple[str, str, tuple[Span, ...], Kind]]:
    """Each line with what stands before it, and its spans."""
    said = {"yes": "Yes. ", "no": "No. "}.get(reply.affirmation, "")
    if reply.prose and reply.prose.segments:
        for segment in reply.prose.segments:
            if segment.role:
                yield "Also: ", segment.text, segment.spans, "extra"
            else:
                # Of a summary these words are the reply's literal ones, for the next question.
                yield "", segment.text, segment.spans, "literal" if _is_written(reply) else "prose"
        said = "In the files: " + said
    if not _is_written(reply):
        yield said, reply.text, reply.literal, "literal"
    for other in reply.alternatives:
        reading = f"Or ({other.reading}): " if other.reading else "Or: "
        yield reading, other.answer.text, (other.answer.span,), "alternative"
    told = reply.prose is not None and any(one.role for one in reply.prose.segments)
    for extra in () if told else reply.pragmatic:
        yield "Also: ", extra.span.text, (extra.span,), "extra"
    if reply.prose and reply.prose.clarification:
        yield "", reply.prose.clarification, (), "prose"
    if reply.nearest:
        yield "The nearest sentence: ", reply.nearest.text, (reply.nearest,), "nearest"


def _is_written(reply: Reply) -> bool:
    """Whether the prose is all there is: a summary or a comparison."""
    return reply.meta and reply.prose is not None and bool(reply.prose.segments)


def _annotation(span: Span, indices: tuple[int, int], kind: Kind, address: Address) -> Record:
    """A citation of OpenAI's type, with the fields of our spans beside its own."""
    start, end = indices
    record = quoted_span(span)
    return {
        "type": "url_citation",
        "url_citation": {
            **record,
            "kind": kind,
            "start_index": start,
            "end_index": end,
            "title": record["title"] or record["source"],
            "url": address(span),
        },
    }
