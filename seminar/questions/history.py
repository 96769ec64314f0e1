"""How much of the dialogue is searched with a question: none of it, or all that fits (TopiOCQA)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from seminar.types import SEPARATOR, Dialogue, Query


class Original:
    """The question alone, as typed (TopiOCQA's ORIGINAL)."""

    def rewrite(self, dialogues: Sequence[Dialogue], questions: Sequence[str]) -> list[Query]:
        return [
            Query(text=question, question=question, history=turns_of(dialogue))
            for dialogue, question in zip(dialogues, questions, strict=True)
        ]


class AllHistory:
    """Every turn before the question (TopiOCQA's ALLHISTORY): q1 [SEP] a1 [SEP] ... [SEP] qn.

    Past `limit` words the first turn stays, and of the others the newest that fit.
    """

    def __init__(self, limit: int = 200) -> None:
        self.limit = limit

    def rewrite(self, dialogues: Sequence[Dialogue], questions: Sequence[str]) -> list[Query]:
        return [
            Query(self._text(dialogue, question), question, history=turns_of(dialogue))
            for dialogue, question in zip(dialogues, questions, strict=True)
        ]

    def _text(self, dialogue: Dialogue, question: str) -> str:
        turns = [_turn_text(*turn) for turn in turns_of(dialogue)]
        kept = first_and_newest(turns, room=self.limit - _words(question), length=_words)
        return SEPARATOR.join([*kept, question])


def turns_of(dialogue: Dialogue) -> tuple[tuple[str, str], ...]:
    """Each earlier question with its answer, "" where none was found, but talk of no topic."""
    return tuple(
        (turn.question, turn.reply.text if turn.reply.answerable else "")
        for turn in dialogue.turns
        if turn.reply.topic or not turn.reply.meta
    )


def first_and_newest(turns: Sequence[str], *, room: int, length: Callable[[str], int]) -> list[str]:
    """The first turn, unless it is too long, and the newest turns that fit the room, in order.

    >>> first_and_newest(["a a", "b b b", "c", "d d"], room=5, length=lambda t: len(t.split()))
    ['a a', 'c', 'd d']
    >>> first_and_newest(["a a a a a a", "b"], room=5, length=lambda t: len(t.split()))
    ['b']
    """
    if not turns:
        return []
    first, *others = turns
    fits = length(first) <= room
    room -= length(first) if fits else 0
    newest: list[str] = []
    for turn in reversed(others):
        room -= length(turn)
        if room < 0:
            break
        newest.insert(0, turn)
    return [first, *newest] if fits else newest


def _turn_text(question: str, answer: str) -> str:
    return SEPARATOR.join([question, answer] if answer else [question])


def _words(text: str) -> int:
    return len(text.split())
