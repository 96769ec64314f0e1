"""Messages to a language model that chats, and what it completes them with."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

Listener = Callable[[str], None]  # gets the pieces of a completion as they are written

OPENING, CLOSING = "<think>", "</think>"
# Some servers open the thought in the prompt, so that the output only closes it.
_THOUGHT = re.compile(r"\A(?:(?!<think>).)*</think>|<think>.*?(?:</think>|\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Message:
    """A turn of a chat with a language model."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model wrote, without its thoughts; the tokens read and written as its server counts.

    `cut` says why it ends before its end: the limit of its tokens, a connection that broke.
    """

    text: str
    read: int = 0
    written: int = 0
    cut: str = ""


class ChatModel(Protocol):
    """Completes a chat, and tells each piece of the completion as it comes."""

    def chat(self, messages: Sequence[Message], listen: Listener) -> Completion: ...


def without_thoughts(text: str) -> str:
    """A completion without what its model thought aloud before it.

    >>> without_thoughts("<think>Hm.</think>Ann Lee.")
    'Ann Lee.'
    """
    return _THOUGHT.sub("", text)


@dataclass
class ThoughtFilter:
    """Passes pieces of a completion on to a listener, but none of a `<think>` block."""

    listen: Listener
    _held: str = ""  # may be the beginning of a mark
    _thinking: bool = field(default=False)

    def __call__(self, piece: str) -> None:
        self._held += piece
        while self._held:
            mark = CLOSING if self._thinking else OPENING
            before, found, after = self._held.partition(mark)
            kept = 0 if found else _overlap(self._held, mark)
            told = before if found else self._held[: len(self._held) - kept]
            if told and not self._thinking:
                self.listen(told)
            self._held = after if found else self._held[len(self._held) - kept :]
            if not found:
                return
            self._thinking = not self._thinking


def _overlap(text: str, mark: str) -> int:
    """How many characters at the end of a text may begin the mark."""
    return next((n for n in range(len(mark) - 1, 0, -1) if text.endswith(mark[:n])), 0)
