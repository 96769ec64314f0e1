"""DPR's reader: which passage to read, and where the answer starts and ends in it.

With P_i the last states of passage i, the first of them that of [CLS] (Karpukhin et al., 2020):

    P_start,i(s) = softmax(P_i w_start)_s    P_end,i(t) = softmax(P_i w_end)_t
    P_selected(i) = softmax over passages of P_i[CLS] w_selected
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import torch
from torch import Tensor, nn
from transformers import BertConfig, BertModel

from seminar.errors import unknown
from seminar.models.reader.layout import best_spans
from seminar.networks.arrays import array
from seminar.networks.checkpoints import (
    SETTINGS,
    TINY_BERT,
    backbone,
    check_kind,
    load_weights,
    save,
    settings_of,
    tokenizer_of,
)
from seminar.networks.papers.dpr.bi_encoder import bert_inside
from seminar.networks.papers.dpr.inputs import DprInputs, ReadInput
from seminar.types import Answer, Hit, Query, Span

FAMILIES = ("bert",)
MINUS_INFINITY = -1e9
ROWS = 32  # passages that are read at once

# Whose best span is the answer: the best passage's (DPR), or the best of all (TopiOCQA, 5.1.2).
Choice = Literal["passage", "span"]
CHOICES: tuple[Choice, ...] = ("passage", "span")


@dataclass(frozen=True, slots=True)
class ReadScores:
    """Logits of start and end (passages, tokens) and of selection (passages,)."""

    start: Tensor
    end: Tensor
    selected: Tensor


class DprReader(nn.Module):
    """Span and selection scores of passages, each read together with its question."""

    def __init__(self, encoder: BertModel) -> None:
        super().__init__()
        size = encoder.config.hidden_size
        self.encoder = encoder
        self.span_head = nn.Linear(size, 2)
        self.selection_head = nn.Linear(size, 1)
        for head in (self.span_head, self.selection_head):
            nn.init.normal_(head.weight, std=encoder.config.initializer_range)
            nn.init.zeros_(head.bias)

    def forward(self, ids: Tensor, attended: Tensor, readable: Tensor) -> ReadScores:
        """Each argument is (passages, tokens); `readable` says which tokens are the passage's."""
        states = self.encoder(input_ids=ids, attention_mask=attended).last_hidden_state
        spans = self.span_head(states).float().masked_fill(~readable.unsqueeze(-1), MINUS_INFINITY)
        selected = self.selection_head(states[:, 0]).float().squeeze(-1)
        return ReadScores(spans[..., 0], spans[..., 1], selected)


def marginal_span_loss(start: Tensor, end: Tensor, spans: Tensor) -> Tensor:
    """Mean of -log sum over spans of P_start(first) P_end(last): any right place will do.

    `start` and `end` are the positive passages' logits (questions, tokens), `spans` the first and
    last token of each place (questions, places, 2), -1 where a question has fewer.
    """
    firsts, lasts = spans[..., 0], spans[..., 1]
    known = firsts >= 0
    starts = start.log_softmax(dim=1).gather(1, firsts.clamp(min=0))
    ends = end.log_softmax(dim=1).gather(1, lasts.clamp(min=0))
    return -(starts + ends).masked_fill(~known, MINUS_INFINITY).logsumexp(dim=1).mean()


def selection_loss(selected: Tensor, present: Tensor) -> Tensor:
    """Mean of -log P_selected of the first passage of each row (questions, passages)."""
    scores = selected.masked_fill(~present, MINUS_INFINITY)
    return nn.functional.cross_entropy(scores, torch.zeros_like(scores[:, 0], dtype=torch.long))


def pretrained(checkpoint: str, *, dropout: float) -> DprReader:
    """A reader on a pretrained BERT, with untrained heads, or one that was trained here."""
    if (Path(checkpoint) / SETTINGS).is_file():
        return load(Path(checkpoint)).network
    options = {
        "hidden_dropout_prob": dropout,
        "attention_probs_dropout_prob": dropout,
        "add_pooling_layer": False,
    }
    encoder = backbone(
        checkpoint, families=FAMILIES, tiny=TINY_BERT, head=BertModel, options=options
    )
    return DprReader(bert_inside(encoder))


def stacked(rows: Sequence[ReadInput], inputs: DprInputs) -> tuple[Tensor, Tensor, Tensor]:
    """Ids, attention and readability of passages, padded to the longest."""
    ids, attended = inputs.padded([row.ids for row in rows])
    readable = torch.zeros_like(ids, dtype=torch.bool)
    for at, row in enumerate(rows):
        readable[at, row.start : row.start + len(row.offsets)] = True
    return ids, attended, readable


@dataclass(frozen=True, slots=True)
class Lengths:
    """Most tokens of a question, of question and passage together, and of an answer."""

    question: int
    passage: int
    answer: int


class DprSpanReader:
    """Answers from every hit, the chosen one first; it never abstains.

    A score is P_selected P_start P_end, which falls as more passages share in it.
    """

    def __init__(
        self,
        network: DprReader,
        inputs: DprInputs,
        *,
        lengths: Lengths,
        choice: Choice = "passage",
        spans: int = 1,
    ) -> None:
        if choice not in CHOICES:
            raise unknown("choice of an answer", choice, CHOICES)
        self.network, self.inputs = network.eval(), inputs
        self.lengths, self.choice, self.spans = lengths, choice, spans

    def read(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[Answer]]:
        return [self._answers(*pair) for pair in zip(queries, hits, strict=True)]

    def _answers(self, query: Query, hits: Sequence[Hit]) -> list[Answer]:
        if not hits:
            return []
        question = self.inputs.question(query.text, self.lengths.question)
        passages = [hit.passage for hit in hits]
        rows = self.inputs.reading(question, passages, self.lengths.passage)
        scored = list(self._scored(rows))
        selection = _probabilities(np.array([selected for _, _, selected in scored]))
        found: list[tuple[float, float, Answer]] = []
        for hit, row, (start, end, _), chosen in zip(hits, rows, scored, selection, strict=True):
            for first, last, logits in self._spans(row, start, end):
                offsets = row.offsets[first - row.start], row.offsets[last - row.start]
                span = _whole_words(Span(hit.passage, offsets[0][0], offsets[1][1]))
                likely = _log_total(start) + _log_total(end)
                score = float(chosen) * float(np.exp(logits - likely))
                found.append((float(chosen), logits, Answer(span, score)))
        return [answer for _, _, answer in sorted(found, key=self._worth, reverse=True)]

    def _worth(self, found: tuple[float, float, Answer]) -> tuple[float, float]:
        chosen, logits, _ = found
        return (chosen, logits) if self.choice == "passage" else (logits, chosen)

    def _spans(
        self, row: ReadInput, start: np.ndarray, end: np.ndarray
    ) -> list[tuple[int, int, float]]:
        within = (row.start, row.start + len(row.offsets))
        return best_spans(start, end, within, longest=self.lengths.answer, count=self.spans)

    def _scored(self, rows: Sequence[ReadInput]) -> Iterator[tuple[np.ndarray, np.ndarray, float]]:
        """Start and end logits and the selection score of each passage."""
        device = next(self.network.parameters()).device
        with torch.inference_mode():
            for at in range(0, len(rows), ROWS):
                tensors = stacked(rows[at : at + ROWS], self.inputs)
                scores = self.network(*(tensor.to(device) for tensor in tensors))
                yield from zip(
                    array(scores.start),
                    array(scores.end),
                    scores.selected.tolist(),
                    strict=True,
                )


def _probabilities(scores: np.ndarray) -> np.ndarray:
    raised = np.exp(scores - scores.max())
    normed: np.ndarray = raised / raised.sum()
    return normed


def _log_total(logits: np.ndarray) -> float:
    return float(np.logaddexp.reduce(logits))


def _whole_words(span: Span) -> Span:
    """The span with the rest of the words that it begins or ends within."""
    text, start, end = span.passage.text, span.start, span.end
    while start > 0 and text[start - 1].isalnum() and text[start].isalnum():
        start -= 1
    while end < len(text) and text[end - 1].isalnum() and text[end].isalnum():
        end += 1
    return Span(span.passage, start, end)


def export(
    network: DprReader, folder: Path, *, inputs: DprInputs, lengths: Lengths, choice: Choice
) -> None:
    """Write a trained reader for `load`."""
    settings = {
        "question_length": lengths.question,
        "passage_length": lengths.passage,
        "answer_length": lengths.answer,
        "choice": choice,
    }
    save(network, folder, settings, tokenizer=inputs.tokenizer)


def load(folder: Path) -> DprSpanReader:
    """The trained reader of a folder."""
    settings = settings_of(folder)
    check_kind(settings, DprReader, folder)
    config = BertConfig.from_pretrained(folder, local_files_only=True)
    network = DprReader(BertModel(config, add_pooling_layer=False))
    load_weights(network, folder)
    names = ("question_length", "passage_length", "answer_length")
    lengths = Lengths(*(int(settings[name]) for name in names))
    inputs = DprInputs(tokenizer_of(str(folder)))
    return DprSpanReader(network, inputs, lengths=lengths, choice=settings["choice"])
