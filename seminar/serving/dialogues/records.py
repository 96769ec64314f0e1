"""Replies as the service stores and sends them: every field of `seminar ask --json`, and more.

What is more lets a page quote a span within its sentence, and lets the dialogue be restored whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from seminar.answering.records import hit_record, prose_record, quoted_span, reply_record
from seminar.serving.storage.schema import Feedback, StoredDialogue, StoredTurn
from seminar.types import Hit, Reply

Record = dict[str, Any]


def stored_reply(question: str, reply: Reply, seconds: Mapping[str, float]) -> Record:
    """A reply with `before` and `after` of spans, texts of hits, scores of alternatives.

    `seconds` are those of each stage, which the record has as `stages`.
    """
    return {
        **reply_record(question, reply, sum(seconds.values())),
        "stages": {name: round(taken, 4) for name, taken in seconds.items()},
        "literal": [quoted_span(span) for span in reply.literal],
        "pragmatic": [{**quoted_span(item.span), "role": item.role} for item in reply.pragmatic],
        "alternatives": [
            {
                "text": item.answer.text,
                "reading": item.reading,
                "score": item.answer.score,
                "span": quoted_span(item.answer.span),
            }
            for item in reply.alternatives
        ],
        "nearest": quoted_span(reply.nearest) if reply.nearest else None,
        "prose": prose_record(reply.prose, quoted_span) if reply.prose else None,
        "hits": [found_passage(hit) for hit in reply.hits],
    }


def found_passage(hit: Hit) -> Record:
    """A hit with its place and text."""
    passage = hit.passage
    return {
        **hit_record(hit),
        "text": passage.text,
    }


def dialogue_record(dialogue: StoredDialogue) -> Record:
    return {
        "id": dialogue.id,
        "title": dialogue.title,
        "collection": dialogue.collection_id,
        "scope": dialogue.scope,
        "forked_from": dialogue.forked_from,
        "created": dialogue.created.isoformat(),
        "changed": dialogue.changed.isoformat(),
    }


def turn_record(turn: StoredTurn, feedback: Feedback | None = None) -> Record:
    return {
        "number": turn.number,
        "question": turn.question,
        "reply": turn.reply,
        "feedback": feedback_record(feedback) if feedback else None,
        "created": turn.created.isoformat(),
    }


def feedback_record(feedback: Feedback) -> Record:
    return {
        "right": feedback.right,
        "span": feedback.span,
        "comment": feedback.comment,
        "created": feedback.created.isoformat(),
    }
