"""The straight line: dialogue -> query -> hits -> answers -> reply, and then what to ask next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from seminar.protocols import Reader, Responder, Retriever, Rewriter, Suggester
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
        suggester: Suggester | None = None,
        k: int = 10,
    ) -> None:
        self.rewriter = rewriter
        self.retriever = retriever
        self.reader = reader
        self.responder = responder
        self.suggester = suggester
        self.k = k

    def ask(self, dialogues: Sequence[Dialogue], questions: Sequence[str]) -> list[Reply]:
        """One reply for each question, each in its own dialogue."""
        return self.suggest(dialogues, self.answer_alone(dialogues, questions))

    def answer_alone(self, dialogues: Sequence[Dialogue], questions: Sequence[str]) -> list[Reply]:
        """The replies without suggested questions, which take longer than the answer itself."""
        queries = self.rewriter.rewrite(dialogues, questions)
        hits = self.retriever.search(queries, k=self.k)
        return self.answer(dialogues, queries, hits)

    def suggest(self, dialogues: Sequence[Dialogue], replies: Sequence[Reply]) -> list[Reply]:
        """The replies with the questions that can be asked next, where there is a suggester."""
        if self.suggester is None:
            return list(replies)
        suggested = self.suggester.suggest(dialogues, replies)
        return [
            replace(reply, followups=questions)
            for reply, questions in zip(replies, suggested, strict=True)
        ]

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
