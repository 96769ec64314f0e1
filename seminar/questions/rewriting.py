"""A follow-up rewritten to a question that stands alone (TopiOCQA's REWRITES)."""

from __future__ import annotations

from collections.abc import Sequence

from seminar.models.rewriter.model import FollowUp, RewriterModel
from seminar.questions.history import turns_of
from seminar.types import Dialogue, Query


class Rewritten:
    """The question with what it leaves unsaid put in from the dialogue, by the trained rewriter."""

    def __init__(self, model: RewriterModel) -> None:
        self.model = model

    def rewrite(self, dialogues: Sequence[Dialogue], questions: Sequence[str]) -> list[Query]:
        asked = [
            follow_up(dialogue, question)
            for dialogue, question in zip(dialogues, questions, strict=True)
        ]
        return [
            Query(text=rewrite, question=one.question, history=one.turns)
            for one, rewrite in zip(asked, self.model.rewrite(asked), strict=True)
        ]


def follow_up(dialogue: Dialogue, question: str) -> FollowUp:
    """The question as the rewriter takes it: with its turns, and where the last answer stood."""
    turns = turns_of(dialogue)
    answered = (turn.reply for turn in reversed(dialogue.turns) if turn.reply.literal)
    last = next(answered, None)
    if last is None:
        return FollowUp(question, turns)
    passage = last.literal[0].passage
    return FollowUp(question, turns, passage.title, passage.section)
