"""Tokens that a model has read and written so far, and the most that it may."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock

from seminar.errors import EndpointError
from seminar.models.llm.chat import ChatModel, Completion, Listener, Message

CHARACTERS = 4  # of a token, about, where a server does not count


class Metered:
    """A model that is asked until its budget of tokens is spent; 0 is no limit."""

    def __init__(self, model: ChatModel, budget: int, spent: Meter | None = None) -> None:
        self.model, self.budget = model, budget
        self.meter = spent or Meter()

    def chat(self, messages: Sequence[Message], listen: Listener) -> Completion:
        if self.budget and self.meter.tokens >= self.budget:
            raise EndpointError(
                f"the language model's budget of {self.budget:,} tokens is spent (--llm-budget)"
            )
        made = self.model.chat(messages, listen)
        self.meter.add(made.read or _estimate(messages), made.written or _tokens(made.text))
        return made


class Meter:
    """A count of tokens that several models and threads share."""

    def __init__(self) -> None:
        self.tokens = 0
        self._lock = Lock()

    def add(self, *tokens: int) -> None:
        with self._lock:
            self.tokens += sum(tokens)


def _estimate(messages: Sequence[Message]) -> int:
    return sum(_tokens(one.content) for one in messages)


def _tokens(text: str) -> int:
    return -(-len(text) // CHARACTERS)
