"""Disentangling a channel without threads: each message answers an earlier one or opens a topic."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

import numpy as np

from seminar.ingestion.conversations.disentangling.reply_features import FEATURES, Floats, Window
from seminar.types import Utterance
from seminar.weights import read_weights


class Linked(NamedTuple):
    """A message's number in its channel, the number it answers (or its own), its conversation.

    `over` is a conversation that no later message can join.
    """

    number: int
    answers: int
    conversation: int
    over: int | None


@dataclass(slots=True)
class Disentangler:
    """Assigns a channel's messages to conversations, each known by its first message.

    A log-linear model over reply features chooses the recent message that is answered, or a new
    conversation (`python -m seminar.training.fitting.disentangling`).
    """

    weights: Floats
    window: Window = field(default_factory=Window)
    _keys: deque[str] = field(default_factory=deque)  # of the messages that the window holds

    def link(self, message: Utterance, *, to: str = "") -> Linked:
        """Assign a message; `to` is the key of the one that it answers, if the export gives it."""
        number = self.window.next
        cues = self.window.cues_of(message)
        if to and to in self._keys:
            answers = self.window.first + self._keys.index(to)
        else:
            scores = self.window.features(cues) @ self.weights
            answers = self.window.first + int(scores.argmax())
        conversation = number if answers == number else self.window.label(answers)
        over = self.window.add(cues, conversation)
        self._keys.append(message.key)
        while len(self._keys) > self.window.next - self.window.first:
            self._keys.popleft()
        return Linked(number, answers, conversation, over)


def weights_of(named: Mapping[str, float]) -> Floats:
    """Weights in the order of `FEATURES`."""
    return np.array([named[feature] for feature in FEATURES])


@cache
def shipped_weights() -> Floats:
    """The weights that ship with Seminar."""
    return weights_of(read_weights("disentangling"))
