"""The straight line: dialogue -> query -> hits -> answers -> reply."""

from __future__ import annotations

from collections.abc import Sequence

from seminar.protocols import Reader, Responder, Retriever, Rewriter
from seminar.types import Dialogue, Reply


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
        answers = self.reader.read(queries, hits)
        return self.responder.respond(dialogues, queries, hits, answers)

    def reply(self, dialogue: Dialogue, question: str) -> Reply:
        """The reply to one question."""
        [reply] = self.ask([dialogue], [question])
        return reply
