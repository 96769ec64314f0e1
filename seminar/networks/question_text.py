"""Questions with their history as one text, and the encoder that was taught such texts."""

from __future__ import annotations

from collections.abc import Sequence

from seminar.protocols import Encoder
from seminar.types import SEPARATOR, Matrix

WORDS = 110  # of history and question together, which stays below the encoder's 256 tokens
PART_WORDS = 25


class ConversationalEncoder:
    """Encodes what holds a history by the tuned question encoder, all else by the plain one.

    The tuned one lands in the plain one's space, so an index that the plain one made stays valid.
    """

    def __init__(self, tuned: Encoder, plain: Encoder) -> None:
        self.tuned, self.plain = tuned, plain
        self.name, self.dimensions = plain.name, plain.dimensions

    def encode(self, texts: Sequence[str]) -> Matrix:
        vectors = self.plain.encode(texts)
        later = [at for at, text in enumerate(texts) if SEPARATOR in text]
        if later:
            fitted = [fit(texts[at].split(SEPARATOR)) for at in later]
            vectors[later] = self.tuned.encode(fitted)
        return vectors


def conversation_text(question: str, turns: Sequence[tuple[str, str]]) -> str:
    """The question after its history, parted as in TopiOCQA, as long as the encoder takes it.

    >>> conversation_text("And then?", [("Who came?", "Ann"), ("Why?", "")])
    'Who came? [SEP] Ann [SEP] Why? [SEP] And then?'
    """
    return fit([*(part for turn in turns for part in turn if part), question])


def fit(parts: Sequence[str]) -> str:
    """The last part whole, before it the first one and the newest that fit, each cut short."""
    *history, question = parts
    first, *others = [" ".join(part.split()[:PART_WORDS]) for part in history] or [""]
    room = WORDS - _words(question) - _words(first)
    newest: list[str] = []
    for part in reversed(others):
        room -= _words(part)
        if room < 0:
            break
        newest.insert(0, part)
    return SEPARATOR.join(part for part in (first, *newest, question) if part)


def _words(text: str) -> int:
    return len(text.split())
