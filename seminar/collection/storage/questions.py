"""The questions that QAConv's writers wrote, with what others and the reader answered to them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from seminar.collection.messages.actions import Write
from seminar.collection.records import Dialog, WrittenQuestion
from seminar.collection.storage.schema import ActionRow, DialogRow, ReaderAnswerRow
from seminar.serving.storage.schema import now


@dataclass(frozen=True, slots=True)
class QuestionsSoFar:
    """The written questions by their dialogs, and the answers of others to them."""

    written: Mapping[str, WrittenQuestion] = field(default_factory=dict)
    by_reader: Mapping[str, str] = field(default_factory=dict)
    again: Mapping[str, str] = field(default_factory=dict)  # by the task in which it was given

    def unread(self, dialogs: Sequence[Dialog]) -> list[Dialog]:
        """The kept dialogs whose question the reader has not answered."""
        return [
            dialog
            for dialog in dialogs
            if dialog.kept
            and dialog.id in self.written
            and self.written[dialog.id].answers
            and dialog.id not in self.by_reader
        ]


def questions_so_far(session: Session, dialogs: Sequence[Dialog]) -> QuestionsSoFar:
    """All of them at once: one by one takes a query each."""
    kept = {dialog.id: dialog for dialog in dialogs if dialog.kept}
    fields: defaultdict[str, dict[str, dict[str, object]]] = defaultdict(dict)
    rows = select(ActionRow.dialog, ActionRow.kind, ActionRow.fields)
    for dialog, kind, content in session.execute(
        rows.where(ActionRow.kind.in_(("write", "answer chunk")))
    ):
        if dialog in kept:
            fields[kind][dialog] = content
    answers = session.execute(select(ReaderAnswerRow.dialog, ReaderAnswerRow.answer))
    return QuestionsSoFar(
        written={
            dialog: _written(content, kept[dialog]) for dialog, content in fields["write"].items()
        },
        by_reader={dialog: answer for dialog, answer in answers if dialog in kept},
        again={
            task: str(content["text"]).strip() for task, content in fields["answer chunk"].items()
        },
    )


def add_reader_answer(session: Session, dialog: str, answer: str) -> None:
    """Keep the reader's answer, and let what depends on it be read again."""
    row = session.get(DialogRow, dialog, with_for_update=True)  # of several processes that read
    if row is not None:  # the writer may have withdrawn meanwhile
        session.merge(ReaderAnswerRow(dialog=dialog, answer=answer))
        row.settled = now()


def _written(fields: Mapping[str, object], dialog: Dialog) -> WrittenQuestion:
    """The question of a stored action, as `protocols.qaconv` reads it."""
    action = msgspec.convert({"kind": "write", **fields}, Write)
    return WrittenQuestion(
        question=action.question.strip(),
        answers=tuple(answer.strip() for answer in action.answers),
        offered=tuple(dialog.setup.get("offered", ())),
        chosen=action.chosen,
    )
