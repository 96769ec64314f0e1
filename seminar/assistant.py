"""The straight line: dialogue -> query -> hits -> answers -> reply."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from seminar.protocols import Reader, Responder, Retriever, Rewriter
from seminar.types import Answer, Dialogue, Hit, Query, Reply


class Assistant:
    """Answers questions in their dialogues; it remembers nothing, so one serves many askers."""

    def __init__(
        self,
        rewriter: Rewriter,
        retriever: Retriever,
        *,
        reader: Reader,
        responder: Responder,
        k: int = 10,
    ) -> None:
        self.rewriter = rewriter
        self.retriever = retriever
        self.reader = reader
        self.responder = responder
        self.k = k

    def ask(self, dialogues: Sequence[Dialogue], questions: Sequence[str]) -> list[Reply]:
        """One reply for each question, each in its own dialogue."""
        queries = self.rewriter.rewrite(dialogues, questions)
        hits = self.retriever.search(queries, k=self.k)
        return self.answer(dialogues, queries, hits)

    def answer(
        self,
        dialogues: Sequence[Dialogue],
        queries: Sequence[Query],
        hits: Sequence[Sequence[Hit]],
    ) -> list[Reply]:
        """One reply for each query from what was found for it."""
        answers = self.reader.read(queries, hits)
        replies = self.responder.respond(dialogues, queries, hits, answers)
        return [_noted(*pair) for pair in zip(replies, answers, strict=True)]

    def reply(self, dialogue: Dialogue, question: str) -> Reply:
        """The reply to one question."""
        [reply] = self.ask([dialogue], [question])
        return reply


def _noted(reply: Reply, answers: Sequence[Answer]) -> Reply:
    """The reply with every note of its query and of its candidates, each once."""
    read = (note for answer in answers for note in answer.notes)
    return replace(reply, notes=tuple(dict.fromkeys([*reply.query.notes, *read, *reply.notes])))
