"""A follow-up rewritten to a question that stands alone (TopiOCQA's REWRITES)."""

from __future__ import annotations

from collections.abc import Sequence

from seminar.models.rewriter.model import FollowUp, RewriterModel
from seminar.questions.history import turns_of
from seminar.types import Dialogue, Query


class Rewritten:
    """Puts what a question leaves out into its words, by the trained rewriter."""

    def __init__(self, model: RewriterModel) -> None:
        self.model = model

    def rewrite(self, dialogues: Sequence[Dialogue], questions: Sequence[str]) -> list[Query]:
        # Without the last answer's title: pronouns refer to what was asked and answered.
        follow_ups = [
            FollowUp(question, turns_of(dialogue))
            for dialogue, question in zip(dialogues, questions, strict=True)
        ]
        return [
            Query(text=rewrite, question=follow_up.question, history=follow_up.turns)
            for follow_up, rewrite in zip(follow_ups, self.model.rewrite(follow_ups), strict=True)
        ]
