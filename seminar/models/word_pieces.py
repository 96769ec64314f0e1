"""Texts as word pieces, with the characters that each piece stands for."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from seminar.models.tokenization import load_tokenizer
from seminar.text import whole

TokenSpan = tuple[int, int]


@dataclass(frozen=True, slots=True)
class PassagePieces:
    """A passage in word pieces, with the characters that each stands for."""

    text: str
    ids: tuple[int, ...]
    offsets: tuple[tuple[int, int], ...]
    heading: tuple[int, ...]

    def tokens(self, start: int, end: int) -> TokenSpan | None:
        """The tokens that cover characters start:end."""
        covering = [
            at for at, (left, right) in enumerate(self.offsets) if left < end and start < right
        ]
        return (covering[0], covering[-1] + 1) if covering else None

    def lines(self, start: int, end: int) -> list[int]:
        """The number of the line that each of the tokens start:end stands in."""
        breaks = [at for at, character in enumerate(self.text) if character == "\n"]
        return [bisect(breaks, place) for place, _ in self.offsets[start:end]]

    def find(self, answer: str) -> TokenSpan | None:
        """The tokens of an earlier answer where the passage has its words."""
        start = self.text.find(answer) if answer else -1
        return None if start < 0 else self.tokens(start, start + len(answer))


class WordPieces:
    """Text to word pieces, without special tokens; half a surrogate pair is read as '?'."""

    def __init__(self, folder: Path) -> None:
        self._tokenizer = load_tokenizer(folder)
        vocabulary = self._tokenizer.get_vocab().items()
        self._inner = frozenset(piece for word, piece in vocabulary if word.startswith("##"))

    def split(self, text: str) -> tuple[int, ...]:
        return tuple(self._tokenizer.encode(whole(text), add_special_tokens=False).ids)

    def split_all(self, texts: Sequence[str]) -> list[tuple[int, ...]]:
        encodings = self._tokenizer.encode_batch_fast(
            [whole(text) for text in texts], add_special_tokens=False
        )
        return [tuple(encoding.ids) for encoding in encodings]

    def passages(self, texts: Sequence[str], headings: Sequence[str]) -> list[PassagePieces]:
        encodings = self._tokenizer.encode_batch(
            [whole(text) for text in texts], add_special_tokens=False
        )
        titles = self.split_all(headings)
        return [
            PassagePieces(text, tuple(encoding.ids), tuple(encoding.offsets), title)
            for text, encoding, title in zip(texts, encodings, titles, strict=True)
        ]

    def whole_words(self, passage: PassagePieces, tokens: TokenSpan) -> TokenSpan:
        """The tokens with the rest of the words that they begin or end within."""
        start, end = tokens
        while start > 0 and passage.ids[start] in self._inner:
            start -= 1
        while end < len(passage.ids) and passage.ids[end] in self._inner:
            end += 1
        return start, end
