"""The record of one turn that TopiOCQA and QReCC share: its numbers, question and context."""

from __future__ import annotations

from seminar.datasets.records import Record
from seminar.examples import Example, Gold


def example_of(
    record: Record, gold: Gold, *, context: str = "Context", domain: str = ""
) -> Example:
    """The example of a record, whose context lists earlier questions and answers in turn."""
    earlier = record.texts(context)
    if len(earlier) % 2:
        raise record[context].expected("questions and answers in turn")
    conversation, turn = record.name("Conversation_no"), record.integer("Turn_no")
    return Example(
        id=f"{conversation}_{turn}",
        dialogue_id=conversation,
        question=record.text("Question"),
        gold=gold,
        history=tuple(zip(earlier[::2], earlier[1::2], strict=True)),
        domain=domain,
        turn=turn,
    )
