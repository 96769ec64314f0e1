"""Questions about the last answer itself: what comes next after it, and who said it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from seminar.answering.acts import relevant_unsaid
from seminar.answering.already_told import said_in
from seminar.types import Answer, Dialogue, Hit, Reply, Span, Utterance

TOLD = 2  # sentences at a time
_MORE = re.compile(
    r"\W*(?:(?:and|yes|ok|okay|please|well)\W+)*"
    r"(?:(?:can|could|would) you (?:please )?)?"
    r"(?:(?:tell|say|give)(?: me)? (?:some |a bit )?more|more|go on|continue|keep going"
    r"|(?:is there )?(?:what|anything) (?:else|more)|what(?: comes| is)? next)"
    r"(?: (?:about|on) (?:it|that|this|him|her|them))?\W*(?:please)?\W*",
    re.IGNORECASE,
)
_WHO = re.compile(
    r"\W*(?:(?:and|but|so|ok|okay)\W+)*who (?:said|says|wrote|posted|mentioned|asked)"
    r" (?:that|this|it|so)\W*",
    re.IGNORECASE,
)


def about_last_answer(
    dialogue: Dialogue, question: str, hits: Sequence[Hit]
) -> list[Answer] | None:
    """The answer to a question about the last one; None where the question is of another kind."""
    last = next((one.reply for one in reversed(dialogue.turns) if one.reply.literal), None)
    if last is None:
        return None
    if _MORE.fullmatch(question):
        return _going_on(last, dialogue, hits)
    said = last.literal[0].utterance
    if said and _WHO.fullmatch(question):
        return _speaker(last.literal[0], said)
    return None


def _speaker(span: Span, said: Utterance) -> list[Answer]:
    """The name of whoever said the words, with the words, where the passage holds it."""
    name = span.passage.speaker_label(said)
    return [Answer(name, 1.0, also=(span,))] if name else []


def _going_on(last: Reply, dialogue: Dialogue, hits: Sequence[Hit]) -> list[Answer]:
    """The next unsaid sentences beside the last answer, as one answer; none, if all is told."""
    near, literal = (*last.hits, *hits), last.literal[-1]
    unsaid = relevant_unsaid(last.query, near, literal=literal, said=said_in(dialogue))
    return [Answer(unsaid[0], 1.0, also=tuple(unsaid[1:TOLD]))] if unsaid else []
