"""The pipeline: dialogue -> query -> hits -> answers -> reply, and then questions to ask next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from seminar.protocols import MetaResponder, Reader, Responder, Retriever, Rewriter, Suggester
from seminar.types import Answer, Dialogue, Hit, Query, Reply


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
        k: int = 10,
    ) -> None:
        self.rewriter = rewriter
        self.retriever = retriever
        self.reader = reader
        self.responder = responder
        self.suggester = suggester
        self.meta = meta
        self.k = k

    def ask(self, dialogues: Sequence[Dialogue], questions: Sequence[str]) -> list[Reply]:
        """Answer each question in its own dialogue, and suggest questions to ask next."""
        return self.suggest(dialogues, self.answer_without_suggestions(dialogues, questions))

    def answer_without_suggestions(
        self, dialogues: Sequence[Dialogue], questions: Sequence[str]
    ) -> list[Reply]:
        """Answer each question in its own dialogue; suggestions take longer than the answer.

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
        return [_with_notes(*pair) for pair in zip(replies, answers, strict=True)]

    def reply(self, dialogue: Dialogue, question: str) -> Reply:
        """Answer one question."""
        [reply] = self.ask([dialogue], [question])
        return reply


def _with_notes(reply: Reply, answers: Sequence[Answer]) -> Reply:
    """Add the notes of the query and of every candidate answer to a reply, each once."""
    reading = (note for answer in answers for note in answer.notes)
    return replace(reply, notes=tuple(dict.fromkeys([*reply.query.notes, *reading, *reply.notes])))
