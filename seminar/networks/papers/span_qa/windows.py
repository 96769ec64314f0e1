"""Long texts through overlapping windows, each with the question before it, by any tokenizer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from transformers import PreTrainedTokenizerFast

from seminar.errors import ConfigurationError
from seminar.models.reader.layout import windows
from seminar.text import whole

Logits = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class WindowSizes:
    """Most tokens of a question, of a window with its question, and how far windows are apart."""

    question: int = 64
    window: int = 384
    stride: int = 128

    def __post_init__(self) -> None:
        if min(self.question, self.window, self.stride) < 1 or self.question + 8 > self.window:
            raise ConfigurationError(
                f"a window of {self.window} tokens, {self.stride} apart, has no room for "
                f"a question of {self.question} and some text"
            )


@dataclass(frozen=True, slots=True)
class Window:
    """A question and a stretch of text; the text's tokens begin at `start`, one for each offset."""

    ids: tuple[int, ...]
    segments: tuple[int, ...]
    start: int
    offsets: tuple[tuple[int, int], ...]

    @property
    def text(self) -> tuple[int, int]:
        """The first token of the text and the one after its last."""
        return self.start, self.start + len(self.offsets)

    def tokens(self, span: tuple[int, int] | None) -> tuple[int, int]:
        """The first and last token of some characters, 0 and 0 where they are not all in sight."""
        if span is None:
            return 0, 0
        start, end = span
        inside = [at for at, (a, b) in enumerate(self.offsets) if a < end and start < b]
        if not inside:
            return 0, 0
        whole = self.offsets[inside[0]][0] <= start and self.offsets[inside[-1]][1] >= end
        return (self.start + inside[0], self.start + inside[-1]) if whole else (0, 0)

    def characters(self, first: int, last: int) -> tuple[int, int]:
        """The characters that the tokens first to last stand for."""
        return self.offsets[first - self.start][0], self.offsets[last - self.start][1]


class SpanInputs:
    """Windows for a checkpoint: its own tokenizer, and the marks that it puts around a pair."""

    def __init__(self, tokenizer: PreTrainedTokenizerFast, sizes: WindowSizes) -> None:
        self.tokenizer, self.sizes = tokenizer, sizes
        pair = tokenizer("a", "b", return_token_type_ids=True)
        parts = [-1 if part is None else part for part in pair.sequence_ids(0)]
        ids, first, second = pair["input_ids"], parts.index(0), parts.index(1)
        self._before, self._after = tuple(ids[:first]), tuple(ids[second + 1 :])
        self._between = tuple(ids[first + 1 : second])
        self._segment = int(pair["token_type_ids"][second])

    def windows(self, question: str, text: str) -> list[Window]:
        """Windows that cover the text, one at least."""
        asked, _ = self._pieces(question)
        front = (*self._before, *asked[: self.sizes.question], *self._between)
        ids, offsets = self._pieces(text)
        room = self.sizes.window - len(front) - len(self._after)
        # Windows further apart than they are long would leave out what is between them.
        places = windows(len(ids), room, min(self.sizes.stride, room))
        return [
            Window(
                (*front, *ids[left:right], *self._after),
                (*[0] * len(front), *[self._segment] * (right - left + len(self._after))),
                len(front),
                tuple(offsets[left:right]),
            )
            for left, right in places
        ]

    def stacked(self, rows: Sequence[Window]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Ids, attention, segments and readability (windows, tokens), padded to the longest."""
        longest = max(len(row.ids) for row in rows)
        padding = int(self.tokenizer.pad_token_id)

        def padded(values: Sequence[Sequence[int]], filling: int) -> Tensor:
            return torch.tensor([[*one, *[filling] * (longest - len(one))] for one in values])

        readable = torch.zeros(len(rows), longest, dtype=torch.bool)
        readable[:, 0] = True
        for at, row in enumerate(rows):
            readable[at, slice(*row.text)] = True
        return (
            padded([row.ids for row in rows], padding),
            padded([[1] * len(row.ids) for row in rows], 0),
            padded([row.segments for row in rows], 0),
            readable,
        )

    def _pieces(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        pieces = self.tokenizer(whole(text), add_special_tokens=False, return_offsets_mapping=True)
        return pieces["input_ids"], [(int(a), int(b)) for a, b in pieces["offset_mapping"]]


def n_best(
    start: Logits, end: Logits, text: tuple[int, int], *, longest: int, count: int
) -> list[tuple[int, int, float]]:
    """The best spans of the text's tokens, best first, also such as overlap.

    First and last token, at most `longest` together, and the sum of their logits.
    """
    left, right = text
    sums = start[left:right, None] + end[None, left:right]  # (tokens, tokens)
    apart = np.arange(right - left)[None, :] - np.arange(right - left)[:, None]
    sums = np.where((apart >= 0) & (apart < longest), sums, -np.inf)
    best = np.argsort(-sums, axis=None, kind="stable")[:count]
    found = [(int(at) // (right - left), int(at) % (right - left)) for at in best]
    return [
        (left + first, left + last, float(sums[first, last]))
        for first, last in found
        if np.isfinite(sums[first, last])
    ]
