"""'Tell me more': what comes next after the last answer and was not told yet."""

from __future__ import annotations

import re
from collections.abc import Sequence

from seminar.answering.acts import relevant_unsaid
from seminar.answering.said import said_in
from seminar.types import Answer, Dialogue, Hit, Reply, Span

TOLD = 2  # sentences at a time
_MORE = re.compile(
    r"\W*(?:(?:and|yes|ok|okay|please|well)\W+)*"
    r"(?:(?:can|could|would) you (?:please )?)?"
    r"(?:(?:tell|say|give)(?: me)? (?:some |a bit )?more|more|go on|continue|keep going"
    r"|(?:is there )?(?:what|anything) (?:else|more)|what(?: comes| is)? next)"
    r"(?: (?:about|on) (?:it|that|this|him|her|them))?\W*(?:please)?\W*",
    re.IGNORECASE,
)


def asks_for_more(question: str) -> bool:
    """Whether a question only wants the teller to go on.

    >>> asks_for_more("Tell me more about it, please."), asks_for_more("What else does it sell?")
    (True, False)
    """
    return _MORE.fullmatch(question) is not None


def going_on(dialogue: Dialogue, hits: Sequence[Hit]) -> list[Answer]:
    """The next unsaid sentences beside the last answer, as one answer; none, if all is told."""
    last = next((one.reply for one in reversed(dialogue.turns) if one.reply.literal), None)
    if last is None:
        return []
    near = (*last.hits, *hits)
    spans = relevant_unsaid(last.query, near, literal=_last_told(last), said=said_in(dialogue))
    return [Answer(spans[0], 1.0, also=tuple(spans[1:TOLD]))] if spans else []


def _last_told(reply: Reply) -> Span:
    """What was told furthest on in the answer's section, the extras among it."""
    first = reply.literal[0].passage
    told = [*reply.literal, *(one.span for one in reply.pragmatic)]
    near = [
        span
        for span in told
        if (span.passage.source, span.passage.section) == (first.source, first.section)
    ]
    return max(near, key=lambda span: span.passage.start + span.end)
