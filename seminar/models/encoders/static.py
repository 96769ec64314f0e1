"""A static encoder: the sum of a vector per token, a hundred times cheaper than a transformer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

import numpy as np

from seminar.models.tokenization import load_tokenizer, truncated
from seminar.types import Matrix

BATCH = 2_048
# Words and single marks, as WordPiece sees them; accents written apart stay with their word.
WORDS = re.compile(r"[\w\u0300-\u036f]+|[^\w\s]")


class StaticEncoder:
    """Texts to unit vectors by table look-up; a text without tokens gets the vector of [UNK].

    `tokenizer` is a folder. Whole words of the vocabulary are looked up directly, since WordPiece
    takes the longest match; the other words of a batch go through the tokenizer once each.
    """

    def __init__(self, weights: Path, tokenizer: Path, *, name: str) -> None:
        self.name = name
        self._tokenizer = load_tokenizer(tokenizer)
        vocabulary = self._tokenizer.get_vocab()
        self._unknown = (vocabulary["[UNK]"],)
        self._whole = {
            word: (token,)
            for word, token in vocabulary.items()
            if word.isascii() and WORDS.fullmatch(word)
        }
        with np.load(weights) as arrays:
            # int8 rows with a scale each: a quarter of float32 on disk
            self._table = arrays["rows"].astype(np.float32) * arrays["scales"][:, None]
        self.dimensions = int(self._table.shape[1])

    def encode(self, texts: Sequence[str]) -> Matrix:
        """One unit vector per text, in order."""
        vectors = np.empty((len(texts), self.dimensions), dtype=np.float32)
        for start in range(0, len(texts), BATCH):
            batch = [
                WORDS.findall(truncated(text).lower()) for text in texts[start : start + BATCH]
            ]
            tokens = self._tokens_of(set().union(*batch))
            for row, words in enumerate(batch, start):
                flat = list(chain.from_iterable(map(tokens.__getitem__, words)))
                rows = self._table.take(flat or self._unknown, axis=0)  # (tokens, dimensions)
                vectors[row] = rows.sum(axis=0)
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
        return vectors

    def _tokens_of(self, words: set[str]) -> dict[str, tuple[int, ...]]:
        rest = [word for word in words if word not in self._whole]
        encodings = self._tokenizer.encode_batch_fast(rest, add_special_tokens=False)
        found = {word: tuple(one.ids) for word, one in zip(rest, encodings, strict=True)}
        for word in words - found.keys():
            found[word] = self._whole[word]
        return found
