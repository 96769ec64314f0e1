"""Passages as other frameworks keep them: their text, and where they stand as plain data."""

from __future__ import annotations

from seminar.answering.records import span_record
from seminar.session import Session
from seminar.types import Hit, Span


def passage_metadata(session: Session, hit: Hit) -> dict[str, object]:
    """Where a passage stands, with its citation and score; only what is known."""
    passage = hit.passage
    span = Span(passage, 0, len(passage.text))
    location = session.locate(span)
    record = {
        **span_record(span),
        "column": location.column,
        "citation": location.citation,
        "file": str(location.file) if location.file else None,
        "score": hit.score,
    }
    del record["text"]
    return {name: fact for name, fact in record.items() if fact not in (None, "")}
