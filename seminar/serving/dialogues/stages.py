"""The assistant's line in the steps that the service streams: searched, answered, followed up.

Each step takes a batch of requests that share an assistant, as `Batcher` collects them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from seminar.assistant import Assistant
from seminar.types import Dialogue, Hit, Query, Reply

Asked = tuple[Dialogue, str]


@dataclass(frozen=True, slots=True)
class Searched:
    """What a question was searched as and what was found.

    `reply` is set where the question is about the conversation itself, so that nothing is read.
    """

    query: Query
    hits: tuple[Hit, ...] = ()
    reply: Reply | None = None


def search(assistant: Assistant, asked: Sequence[Asked]) -> list[Searched]:
    """Rewrite and search the questions that are for the files, and reply to the others."""
    dialogues, questions = [one[0] for one in asked], [one[1] for one in asked]
    replies: list[Reply | None] = [None] * len(asked)
    if assistant.meta is not None:
        replies = assistant.meta.reply(dialogues, questions)
    others = [at for at, reply in enumerate(replies) if reply is None]
    queries = assistant.rewriter.rewrite(
        [dialogues[at] for at in others], [questions[at] for at in others]
    )
    found = assistant.retriever.search(queries, k=assistant.k)
    results = iter(zip(queries, found, strict=True))
    return [
        Searched(reply.query, reply.hits, reply) if reply else _found(*next(results))
        for reply in replies
    ]


def _found(query: Query, hits: Sequence[Hit]) -> Searched:
    return Searched(query, tuple(hits))


def answer(assistant: Assistant, searched: Sequence[tuple[Dialogue, Searched]]) -> list[Reply]:
    """Read what was found, and compose the replies."""
    unread = [(dialogue, one) for dialogue, one in searched if one.reply is None]
    replies = assistant.answer(
        [dialogue for dialogue, _ in unread],
        [one.query for _, one in unread],
        [one.hits for _, one in unread],
    )
    read = iter(replies)
    return [one.reply or next(read) for _, one in searched]


def suggest(assistant: Assistant, replies: Sequence[tuple[Dialogue, Reply]]) -> list[Reply]:
    """Add the questions that can be asked next."""
    return assistant.suggest([dialogue for dialogue, _ in replies], [reply for _, reply in replies])
