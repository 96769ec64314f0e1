"""Inputs of DPR's networks: questions with as much history as fits, passages with their heading.

question  [CLS] q1 [SEP] a1 [SEP] ... [SEP] qn [SEP]
passage   [CLS] heading [SEP] text [SEP]
reader    [CLS] question [SEP] heading [SEP] text [SEP]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import torch
from torch import Tensor
from transformers import PretrainedConfig, PreTrainedTokenizerFast

from seminar.errors import ConfigurationError
from seminar.text import whole
from seminar.types import SEPARATOR, Passage

Ids = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ReadInput:
    """A question and a passage as one sequence; `offsets` are those of the passage's tokens.

    The passage's tokens are `start` and those after it, as many as there are offsets.
    """

    ids: Ids
    start: int
    offsets: tuple[tuple[int, int], ...]

    def tokens(self, start: int, end: int) -> tuple[int, int] | None:
        """The first and the last token of characters start:end, None if some are cut off."""
        inside = [at for at, (a, b) in enumerate(self.offsets) if a < end and start < b]
        if not inside or self.offsets[inside[-1]][1] < end:
            return None
        return self.start + inside[0], self.start + inside[-1]


class DprInputs:
    """Texts to token ids, by a checkpoint's own tokenizer."""

    def __init__(self, tokenizer: PreTrainedTokenizerFast) -> None:
        self.tokenizer = tokenizer
        self.first, self.separator = int(tokenizer.cls_token_id), int(tokenizer.sep_token_id)
        self.padding = int(tokenizer.pad_token_id)

    def question(self, text: str, limit: int) -> Ids:
        """A question in at most `limit` tokens.

        Past that its first turn stays, and of the others the newest that fit (TopiOCQA, 5.1.2).
        """
        *history, question = self._pieces(text.split(SEPARATOR))
        # Questions and answers come in turn; a subject without an answer may stand before them.
        starts = [0, *range(len(history) % 2 or 2, len(history), 2)] if history else []
        turns = [
            [token for part in history[at:end] for token in (*part, self.separator)]
            for at, end in pairwise([*starts, len(history)])
        ]
        asked = question[: limit - 2]
        turns_kept = opening_and_newest(turns, room=limit - 2 - len(asked))
        before = [token for turn in turns_kept for token in turn]
        return (self.first, *before, *asked, self.separator)

    def passages(self, passages: Sequence[Passage], limit: int) -> list[Ids]:
        """Passages after their headings, each in at most `limit` tokens."""
        headings = self._pieces([one.heading for one in passages])
        texts = self._pieces([one.text for one in passages])
        return [
            (self.first, *[*heading, self.separator, *text][: limit - 2], self.separator)
            for heading, text in zip(headings, texts, strict=True)
        ]

    def reading(self, question: Ids, passages: Sequence[Passage], limit: int) -> list[ReadInput]:
        """A question, as `question` gives it, with each passage, cut to `limit` tokens."""
        headings = self._pieces([one.heading for one in passages])
        texts = self.tokenizer(
            [whole(one.text) for one in passages],
            add_special_tokens=False,
            return_offsets_mapping=True,
        )
        inputs = []
        for at, heading in enumerate(headings):
            front = [*question, *heading, self.separator]
            room = max(0, limit - len(front) - 1)
            ids = (*front, *texts["input_ids"][at][:room], self.separator)
            offsets = tuple(map(tuple, texts["offset_mapping"][at][:room]))
            inputs.append(ReadInput(ids[:limit], len(front), offsets))
        return inputs

    def padded(self, rows: Sequence[Ids]) -> tuple[Tensor, Tensor]:
        """Ids and attention (rows, longest), 0 where a row has ended."""
        longest = max(len(row) for row in rows)
        ids = [[*row, *[self.padding] * (longest - len(row))] for row in rows]
        attended = [[1] * len(row) + [0] * (longest - len(row)) for row in rows]
        return torch.tensor(ids), torch.tensor(attended)

    def _pieces(self, texts: Sequence[str]) -> list[list[int]]:
        if not texts:
            return []
        known = [whole(text) for text in texts]
        ids: list[list[int]] = self.tokenizer(known, add_special_tokens=False)["input_ids"]
        return ids


def check_length(name: str, length: int, config: PretrainedConfig) -> None:
    """A length that a checkpoint has no positions for is an error."""
    most = int(config.max_position_embeddings)
    if length > most:
        raise ConfigurationError(
            f"'{name}' is {length}, but the checkpoint reads at most {most} tokens: "
            "choose a smaller one"
        )


def opening_and_newest(turns: Sequence[list[int]], *, room: int) -> list[list[int]]:
    """The first turn and the longest run of newest turns that fit the room, in order.

    A first turn that is too long for the room is cut.

    >>> opening_and_newest([[1, 1], [2, 2, 2], [3], [4, 4]], room=5)
    [[1, 1], [3], [4, 4]]
    """
    if not turns:
        return []
    first, newest = turns[0][:room], list[list[int]]()
    room -= len(first)
    for turn in reversed(turns[1:]):
        room -= len(turn)
        if room < 0:
            break
        newest.insert(0, turn)
    return [first, *newest]
