"""Questions with their history as one text, and the encoder that is trained on such texts."""

from __future__ import annotations

from collections.abc import Sequence

from seminar.protocols import Encoder
from seminar.types import SEPARATOR, Matrix

WORDS = 110  # of history and question together, below the encoder's 256 tokens
PART_WORDS = 25  # of one question or answer of the history


class ConversationalEncoder:
    """Encodes questions with a history by a tuned encoder, all other texts by the plain one.

    Both encode into the same space, so an index that the plain one made stays valid.
    """

    def __init__(self, tuned: Encoder, plain: Encoder) -> None:
        self.tuned, self.plain = tuned, plain
        self.name, self.dimensions = plain.name, plain.dimensions

    def encode(self, texts: Sequence[str]) -> Matrix:
        vectors = self.plain.encode(texts)
        follow_ups = [at for at, text in enumerate(texts) if SEPARATOR in text]
        if follow_ups:
            shortened = [shorten(texts[at].split(SEPARATOR)) for at in follow_ups]
            vectors[follow_ups] = self.tuned.encode(shortened)
        return vectors


def conversation_text(question: str, turns: Sequence[tuple[str, str]]) -> str:
    """The question after its history, separated as in TopiOCQA, shortened for the encoder.

    >>> conversation_text("And then?", [("Who came?", "Ann"), ("Why?", "")])
    'Who came? [SEP] Ann [SEP] Why? [SEP] And then?'
    """
    return shorten([*(part for turn in turns for part in turn if part), question])


def shorten(parts: Sequence[str]) -> str:
    """The question, which is the last part, after the first part and the newest others that fit.

    Each part of the history is cut to `PART_WORDS` words.
    """
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
