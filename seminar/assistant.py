"""The pipeline: dialogue -> query -> hits -> answers -> reply, then prose and further questions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from seminar.protocols import (
    MetaResponder,
    Reader,
    Responder,
    Retriever,
    Rewriter,
    Suggester,
    Writer,
)
from seminar.types import Dialogue, Hit, Query, Reply


class Assistant:
    """Answers questions in their dialogues; it keeps no state, so one serves many sessions."""

    def __init__(
        self,
        rewriter: Rewriter,
        retriever: Retriever,
        *,
        reader: Reader,
        responder: Responder,
        suggester: Suggester | None = None,
        meta: MetaResponder | None = None,
        writer: Writer | None = None,
        k: int = 10,
    ) -> None:
        self.rewriter = rewriter
        self.retriever = retriever
        self.reader = reader
        self.responder = responder
        self.suggester = suggester
        self.meta = meta
        self.writer = writer
        self.k = k

    def ask(self, dialogues: Sequence[Dialogue], questions: Sequence[str]) -> list[Reply]:
        """Answer each question in its own dialogue, and suggest questions to ask next."""
        replies = self.write(dialogues, self.answer_without_suggestions(dialogues, questions))
        return self.suggest(dialogues, replies)

    def answer_without_suggestions(
        self, dialogues: Sequence[Dialogue], questions: Sequence[str]
    ) -> list[Reply]:
        """Answer each question in its own dialogue; prose and suggestions take longer than that.

        Questions about the conversation itself are answered before anything is searched.
        """
        if self.meta is None:
            return self.answer_from_files(dialogues, questions)
        replies = self.meta.reply(dialogues, questions)
        others = [at for at, reply in enumerate(replies) if reply is None]
        asked = [dialogues[at] for at in others], [questions[at] for at in others]
        answered = iter(self.answer_from_files(*asked))
        return [reply or next(answered) for reply in replies]

    def answer_from_files(
        self, dialogues: Sequence[Dialogue], questions: Sequence[str]
    ) -> list[Reply]:
        """Rewrite, search, read and respond."""
        queries = self.rewriter.rewrite(dialogues, questions)
        hits = self.retriever.search(queries, k=self.k)
        return self.answer(dialogues, queries, hits)

    def write(
        self,
        dialogues: Sequence[Dialogue],
        replies: Sequence[Reply],
        listen: Callable[[str], None] = lambda _: None,
    ) -> list[Reply]:
        """Add the prose of a language model to each reply, if there is a writer."""
        if self.writer is None:
            return list(replies)
        return self.writer.write(dialogues, replies, listen)

    def suggest(self, dialogues: Sequence[Dialogue], replies: Sequence[Reply]) -> list[Reply]:
        """Add the questions that can be asked next to each reply, if there is a suggester."""
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
        """Answer each query from its hits."""
        answers = self.reader.read(queries, hits)
        replies = self.responder.respond(dialogues, queries, hits, answers)
        return [replace(one, notes=(*one.query.notes, *one.notes)) for one in replies]

    def reply(self, dialogue: Dialogue, question: str) -> Reply:
        """Answer one question."""
        [reply] = self.ask([dialogue], [question])
        return reply
