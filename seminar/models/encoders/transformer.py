"""A transformer encoder in ONNX form: tokens, one run, mean over the tokens, unit length."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from seminar.models.runtime import load_session
from seminar.models.tokenization import load_tokenizer, truncated
from seminar.types import Matrix, Vector

MAX_TOKENS = 256


class TransformerEncoder:
    """Texts to unit vectors with an ONNX model; a text's vector never depends on its neighbours.

    Each text is a run of its own, spread over `threads`: int8 models scale activations per run, so
    texts that share a batch would change each other, and nothing is spent on padding.
    """

    def __init__(self, folder: Path, *, name: str, threads: int = 2) -> None:
        self.name = name
        self._threads = threads
        self._tokenizer = load_tokenizer(folder, max_tokens=MAX_TOKENS)
        self._session = load_session(folder)
        self._inputs = {node.name for node in self._session.get_inputs()}
        self.dimensions = int(self._session.get_outputs()[0].shape[-1])

    def encode(self, texts: Sequence[str]) -> Matrix:
        """One unit vector per text, in order; only the first 256 tokens of a text count."""
        encodings = self._tokenizer.encode_batch_fast([truncated(text) for text in texts])
        tokens = [encoding.ids for encoding in encodings]
        if self._threads == 1 or len(tokens) <= 1:
            vectors = [self._embed(one) for one in tokens]
        else:
            with ThreadPoolExecutor(self._threads) as pool:
                vectors = list(pool.map(self._embed, tokens))
        return np.array(vectors, dtype=np.float32).reshape(len(texts), self.dimensions)

    def _embed(self, tokens: Sequence[int]) -> Vector:
        ids = np.array([tokens], dtype=np.int64)  # (1, tokens)
        feed = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        wanted = {key: value for key, value in feed.items() if key in self._inputs}
        states: Any = self._session.run(None, wanted)[0][0]  # (tokens, dimensions) or (dimensions,)
        vector = states.mean(axis=0) if states.ndim == 2 else states
        return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-12), dtype=np.float32)
