"""A reply as plain data, with the names that `seminar ask --json` and the API promise."""

from __future__ import annotations

from seminar.types import Hit, Reply, Span

Record = dict[str, object]


def reply_record(question: str, reply: Reply, seconds: float) -> Record:
    """A reply as a JSON object; every field is always present."""
    return {
        "question": question,
        "text": reply.text,
        "answerable": reply.answerable,
        "literal": [span_record(span) for span in reply.literal],
        "pragmatic": [{**span_record(item.span), "role": item.role} for item in reply.pragmatic],
        "affirmation": reply.affirmation,
        "continuation": reply.continuation,
        "alternatives": [
            {
                "text": item.answer.text,
                "reading": item.reading,
                "span": span_record(item.answer.span),
            }
            for item in reply.alternatives
        ],
        "followups": list(reply.followups),
        "topic": reply.topic,
        "switch": reply.switch,
        "score": reply.score,
        "meta": reply.meta,
        "nearest": span_record(reply.nearest) if reply.nearest else None,
        "query": reply.query.text,
        "notes": list(reply.notes),
        "hits": [hit_record(hit) for hit in reply.hits],
        "seconds": round(seconds, 4),
    }


def span_record(span: Span) -> Record:
    """Where the words stand: offsets count characters of the text extracted from the source."""
    passage, utterance = span.passage, span.utterance
    return {
        "text": span.text,
        "source": span.source,
        "start": passage.start + span.start,
        "end": passage.start + span.end,
        "title": passage.title,
        "section": passage.section,
        "page": span.page,
        "line": span.line,
        "place": span.place,
        "speaker": utterance.speaker if utterance else None,
        "time": utterance.time.isoformat() if utterance and utterance.time else None,
    }


def hit_record(hit: Hit) -> Record:
    passage = hit.passage
    return {
        "source": passage.source,
        "title": passage.title,
        "section": passage.section,
        "score": hit.score,
    }
