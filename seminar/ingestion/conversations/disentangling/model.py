"""Channels without threads, told apart: each message answers an earlier one, or begins anew."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

import numpy as np

from seminar.ingestion.conversations.disentangling.reply_features import FEATURES, Floats, Window
from seminar.types import Utterance
from seminar.weights import weights_folder

WEIGHTS = weights_folder("disentangling") / "weights.json"


class Linked(NamedTuple):
    """A message's number in its channel, the one that it answers (or its own), its conversation.

    `over` is a conversation that nothing said later can join.
    """

    number: int
    answers: int
    conversation: int
    over: int | None


@dataclass(slots=True)
class Disentangler:
    """One channel's messages to conversations, as they come; a conversation is its first message.

    The best of a channel's last messages is answered, by a log-linear model over the evidence
    for each and for a new conversation (`python -m seminar.training.fitting.disentangling`).
    """

    weights: Floats
    window: Window = field(default_factory=Window)
    _keys: deque[str] = field(default_factory=deque)  # of the messages that the window holds

    def link(self, said: Utterance, *, to: str = "") -> Linked:
        """Place a message; `to` is the key of the one that it answers, where the export says so."""
        number = self.window.next
        seen = self.window.look(said)
        if to and to in self._keys:
            answers = self.window.first + self._keys.index(to)
        else:
            scores = self.window.evidence(seen) @ self.weights
            answers = self.window.first + int(scores.argmax())
        conversation = number if answers == number else self.window.label(answers)
        over = self.window.add(seen, conversation)
        self._keys.append(said.key)
        while len(self._keys) > self.window.next - self.window.first:
            self._keys.popleft()
        return Linked(number, answers, conversation, over)


def weights_of(named: Mapping[str, float]) -> Floats:
    """Weights in the order of `FEATURES`."""
    return np.array([named[feature] for feature in FEATURES])


@cache
def shipped_weights() -> Floats:
    """The weights that come with Seminar."""
    return weights_of(json.loads(WEIGHTS.read_text(encoding="utf-8")))
