"""Questions, passages and answers as token ids for an encoder-decoder, and texts back from ids.

A passage is read as `question [SEP] passage` (AmbigPrompt, Eq. 1). The ids that begin
and end a sequence are the model's own: a tokenizer may have none, or use others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from transformers import PreTrainedModel, PreTrainedTokenizerFast

from seminar.networks.papers.fusion.pragmatic_targets import LITERAL, PRAGMATIC
from seminar.types import SEPARATOR

END_OF_ITERATION = "[EOI]"
ANSWER_SEPARATOR = "; "
MARKS = (SEPARATOR.strip(), END_OF_ITERATION, LITERAL, PRAGMATIC)
IGNORED = -100

Tokens = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Context:
    """Questions with their passages: `ids` and `attended` are (questions, passages, tokens)."""

    ids: Tensor
    attended: Tensor

    def rows(self, places: Sequence[int]) -> Context:
        """Some of the questions."""
        return Context(self.ids[list(places)], self.attended[list(places)])

    def to(self, device: torch.device) -> Context:
        return Context(self.ids.to(device), self.attended.to(device))


@dataclass(frozen=True, slots=True)
class KnownAnswers:
    """Answers that are known already: `ids` and `attended` are (questions, tokens).

    Padding stands before the tokens, so that the last one is always next to the passage.
    `counts` says how many answers there are.
    """

    ids: Tensor
    attended: Tensor
    counts: Tensor

    def to(self, device: torch.device) -> KnownAnswers:
        return KnownAnswers(self.ids.to(device), self.attended.to(device), self.counts.to(device))


@dataclass(frozen=True, slots=True)
class Lengths:
    """The most tokens of a question with its passage, and of what is generated."""

    passage: int = 200
    answer: int = 32


class FusionText:
    """The tokenizer of an encoder-decoder as Fusion-in-Decoder uses it."""

    def __init__(
        self, tokenizer: PreTrainedTokenizerFast, model: PreTrainedModel, lengths: Lengths
    ) -> None:
        settings = model.config
        self.tokenizer, self.lengths = tokenizer, lengths
        self.pad, self.end = settings.pad_token_id, settings.eos_token_id
        # BART begins a text with a mark of its own, T5 doesn't.
        self.begin = () if settings.model_type == "t5" else (settings.bos_token_id,)
        self._silent = {self.pad, self.end, settings.decoder_start_token_id, *self.begin}

    def context(self, questions: Sequence[str], passages: Sequence[Sequence[str]]) -> Context:
        """Each question beside each of its passages; one without passages is read by itself."""
        texts = [list(found) or [""] for found in passages]
        asked = self._split(questions)
        read = iter(self._split([text for found in texts for text in found]))
        rows = [
            [self._joined(question, next(read)) for _ in found]
            for question, found in zip(asked, texts, strict=True)
        ]
        longest = max((len(row) for found in rows for row in found), default=1)
        most = max(map(len, rows), default=1)
        ids = torch.full((len(rows), most, longest), self.pad)
        attended = torch.zeros((len(rows), most, longest), dtype=torch.bool)
        for at, found in enumerate(rows):
            for place, row in enumerate(found):
                ids[at, place, : len(row)] = torch.tensor(row)
                attended[at, place, : len(row)] = True
        return Context(ids, attended)

    def known_answers(self, answers: Sequence[Sequence[str]]) -> KnownAnswers:
        """The answers of each question as one text, parted by semicolons (AmbigPrompt, 3.1)."""
        rows = [
            self._split([ANSWER_SEPARATOR.join(known)])[0] if known else () for known in answers
        ]
        longest = max(map(len, rows), default=0)
        ids = torch.full((len(rows), longest), self.pad)
        attended = torch.zeros((len(rows), longest), dtype=torch.bool)
        for at, row in enumerate(rows):
            if row:
                ids[at, -len(row) :] = torch.tensor(row)
                attended[at, -len(row) :] = True
        return KnownAnswers(ids, attended, torch.tensor([len(known) for known in answers]))

    def labels(self, targets: Sequence[str]) -> Tensor:
        """Token ids of the texts to generate, (questions, tokens), IGNORED where padded."""
        rows = [
            (*self.begin, *row[: self.lengths.answer - 1 - len(self.begin)], self.end)
            for row in self._split(targets)
        ]
        longest = max(map(len, rows), default=0)
        return torch.tensor([[*row, *[IGNORED] * (longest - len(row))] for row in rows])

    def texts(self, generated: Tensor) -> list[str]:
        """The generated texts, without the marks that begin, end and fill a sequence."""
        return [self._text(row.tolist()) for row in generated]

    def _text(self, ids: Sequence[int]) -> str:
        skipped = next((at for at, one in enumerate(ids) if one not in self._silent), len(ids))
        words = list(ids[skipped:])
        if self.end in words:
            words = words[: words.index(self.end)]
        spoken = [token for token in words if token not in self._silent]
        return self.tokenizer.decode(spoken, skip_special_tokens=False).strip()

    def _split(self, texts: Sequence[str]) -> list[Tokens]:
        if not texts:
            return []
        ids = self.tokenizer(list(texts), add_special_tokens=False, verbose=False)["input_ids"]
        return [tuple(row) for row in ids]

    def _joined(self, question: Tokens, passage: Tokens) -> Tokens:
        """The newest half of a long question, as a history may be, and what fits of the passage."""
        mark = self.tokenizer.convert_tokens_to_ids(MARKS[0])
        room = self.lengths.passage - len(self.begin) - 2
        asked = question[-max(room // 2, room - len(passage)) :]
        return (*self.begin, *asked, mark, *passage[: room - len(asked)], self.end)


def with_marks(model: PreTrainedModel, tokenizer: PreTrainedTokenizerFast) -> None:
    """Teach a tokenizer the marks that it would break up, and give each an embedding."""
    known = tokenizer.get_vocab()
    tokenizer.add_tokens([mark for mark in MARKS if mark not in known])
    if len(tokenizer) > model.get_input_embeddings().num_embeddings:
        model.resize_token_embeddings(len(tokenizer), mean_resizing=False)
