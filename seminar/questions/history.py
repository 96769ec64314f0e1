"""The dialogue as a query: none of it, or all turns that fit (TopiOCQA), and what it refers to."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from seminar.types import SEPARATOR, Dialogue, Passage, Query, Reply

REFERENT_BAR = 0.4  # an answer that is less probable is nothing to refer to


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
    """Each earlier question with its answer, "" where it is missing or unsure.

    Turns about the conversation itself are left out, unless they had a topic.
    """
    return tuple(
        (turn.question, turn.reply.text if is_referent(turn.reply) else "")
        for turn in dialogue.turns
        if turn.reply.topic or not turn.reply.meta
    )


def is_referent(reply: Reply) -> bool:
    """Whether a later question may refer to a reply: it answered, and is not unsure."""
    return reply.answerable and (reply.score is None or reply.score >= REFERENT_BAR)


def referents(dialogue: Dialogue) -> list[Passage]:
    """The passages of the answers that a question may refer to, oldest first."""
    replies = (turn.reply for turn in dialogue.turns)
    return [reply.literal[0].passage for reply in replies if reply.literal and is_referent(reply)]


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
