"""A question with its history as one text, as the conversational question encoder is taught it."""

from __future__ import annotations

from collections.abc import Sequence

from seminar.protocols import Encoder
from seminar.types import SEPARATOR, Matrix, Query

WORDS = 110  # of history and question together, which stays below the encoder's 256 tokens
ANSWER_WORDS = 25


class ConversationEncoder:
    """Queries in their dialogues to vectors that lie near their passages in another's index.

    The passages' encoder is fixed, so an index stays valid; a question with nothing before it is
    left to that encoder too.
    """

    def __init__(self, tuned: Encoder, plain: Encoder) -> None:
        self.tuned, self.plain = tuned, plain

    def encode(self, queries: Sequence[Query]) -> Matrix:
        vectors = self.plain.encode([query.text for query in queries])
        later = [at for at, query in enumerate(queries) if query.history]
        if later:
            texts = [conversation_text(queries[at].question, queries[at].history) for at in later]
            vectors[later] = self.tuned.encode(texts)
        return vectors


def conversation_text(question: str, turns: Sequence[tuple[str, str]]) -> str:
    """The question after the first turn and the newest that fit, parted as in TopiOCQA.

    >>> conversation_text("And then?", [("Who came?", "Ann"), ("Why?", "")])
    'Who came? [SEP] Ann [SEP] Why? [SEP] And then?'
    """
    texts = [_turn(asked, answer) for asked, answer in turns]
    room = WORDS - _words(question) - (_words(texts[0]) if texts else 0)
    newest: list[str] = []
    for text in reversed(texts[1:]):
        room -= _words(text)
        if room < 0:
            break
        newest.insert(0, text)
    return SEPARATOR.join([*texts[:1], *newest, question])


def _turn(asked: str, answer: str) -> str:
    said = " ".join(answer.split()[:ANSWER_WORDS])
    return SEPARATOR.join([asked, said]) if said else asked


def _words(text: str) -> int:
    return len(text.split())
