"""A reply as plain data, with the names that `seminar ask --json` and the API promise."""

from __future__ import annotations

from collections.abc import Callable

from seminar.answering.already_told import enclosing
from seminar.citations.names import span_id
from seminar.types import Hit, Prose, Reply, Span

Record = dict[str, object]
Column = Callable[[Span], int | None]


def unknown_column(_: Span) -> None:
    """The column where the file is not at hand."""


def reply_record(
    question: str, reply: Reply, seconds: float, *, column: Column = unknown_column
) -> Record:
    """A reply as a JSON object; every field is always present."""

    def record(span: Span) -> Record:
        return {**span_record(span), "column": column(span)}

    return {
        "question": question,
        "text": reply.text,
        "answerable": reply.answerable,
        "literal": [record(span) for span in reply.literal],
        "pragmatic": [{**record(item.span), "role": item.role} for item in reply.pragmatic],
        "affirmation": reply.affirmation,
        "continuation": reply.continuation,
        "alternatives": [
            {
                "text": item.answer.text,
                "reading": item.reading,
                "score": item.answer.score,
                "span": record(item.answer.span),
            }
            for item in reply.alternatives
        ],
        "followups": list(reply.followups),
        "topic": reply.topic,
        "switch": reply.switch,
        "score": reply.score,
        "meta": reply.meta,
        "nearest": record(reply.nearest) if reply.nearest else None,
        "prose": prose_record(reply.prose, record) if reply.prose else None,
        "query": reply.query.text,
        "representations": [
            {"text": searched.text, "weight": searched.weight}
            for searched in reply.query.representations
        ],
        "notes": list(reply.notes),
        "hits": [hit_record(hit) for hit in reply.hits],
        "seconds": round(seconds, 4),
    }


def span_record(span: Span) -> Record:
    """Where the words stand: offsets count characters of the text extracted from the source."""
    passage, utterance = span.passage, span.utterance
    return {
        "text": span.text,
        "id": span_id(span),
        "source": span.source,
        "document": passage.source,
        "start": passage.start + span.start,
        "end": passage.start + span.end,
        "title": passage.title,
        "section": passage.section,
        "page": span.page,
        "line": span.line,
        "column": None,
        "place": span.place,
        "speaker": utterance.speaker if utterance else None,
        "time": utterance.time.isoformat() if utterance and utterance.time else None,
    }


def prose_record(prose: Prose, record: Callable[[Span], Record]) -> Record:
    """What a language model wrote, its spans as `record` has them; tokens as its server counts."""
    return {
        "text": prose.text,
        "segments": [
            {
                "text": segment.text,
                "spans": [record(span) for span in segment.spans],
                "score": round(segment.score, 4),
                "side": segment.side,
                "role": segment.role,
            }
            for segment in prose.segments
        ],
        "clarification": prose.clarification,
        "left_out": prose.left_out,
        "tokens": {"read": prose.read, "written": prose.written},
    }


def quoted_span(span: Span) -> Record:
    """A span with the rest of its sentence."""
    sentence = enclosing(span)
    text = span.passage.text
    return {
        **span_record(span),
        "before": text[sentence.start : span.start],
        "after": text[span.end : sentence.end],
    }


def hit_record(hit: Hit) -> Record:
    passage = hit.passage
    return {
        "id": passage.id,
        "source": passage.source,
        "start": passage.start,
        "end": passage.end,
        "title": passage.title,
        "section": passage.section,
        "score": hit.score,
    }
