"""Span QA as SQuAD 2.0 has it: start and end logits, and [CLS] where there is no answer.

The extractive baselines of QAConv (Wu et al., 2022): BERT, RoBERTa or DistilBERT with one linear
layer for start and end. A long text is read through windows; the answer is the best span of all of
them unless the null score, that of [CLS] in the window where it is lowest, is above it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from transformers import AutoModelForQuestionAnswering, PreTrainedModel

from seminar.logistic import probability
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
    untrained,
)
from seminar.networks.papers.span_qa.windows import SpanInputs, Window, WindowSizes, n_best
from seminar.types import Answer, Hit, Passage, Query, Span

FAMILIES = ("albert", "bert", "distilbert", "electra", "roberta")
MINUS_INFINITY = -1e9
ROWS = 16  # windows that are read at once


class SpanQa(nn.Module):
    """A Hugging Face model for question answering, whose spans keep to the text or to [CLS]."""

    def __init__(self, model: PreTrainedModel) -> None:
        super().__init__()
        self.model = model
        self.parted = getattr(model.config, "type_vocab_size", 0) > 1

    def forward(
        self, ids: Tensor, attended: Tensor, segments: Tensor, readable: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Start and end logits; every argument is (windows, tokens)."""
        parts = {"token_type_ids": segments} if self.parted else {}
        output = self.model(input_ids=ids, attention_mask=attended, **parts)
        return (
            output.start_logits.float().masked_fill(~readable, MINUS_INFINITY),
            output.end_logits.float().masked_fill(~readable, MINUS_INFINITY),
        )


def span_loss(start: Tensor, end: Tensor, spans: Tensor) -> Tensor:
    """Mean cross-entropy of start and end; `spans` (windows, 2) are 0, 0 where there is none."""
    cross_entropy = nn.functional.cross_entropy
    return (cross_entropy(start, spans[:, 0]) + cross_entropy(end, spans[:, 1])) / 2


def pretrained(checkpoint: str) -> SpanQa:
    """A network on any checkpoint of the families, tuned for SQuAD 2.0 already or not.

    A folder that was trained here is one too, to be trained on.
    """
    if (Path(checkpoint) / SETTINGS).is_file():
        return load(Path(checkpoint)).network
    head = AutoModelForQuestionAnswering
    return SpanQa(backbone(checkpoint, families=FAMILIES, tiny=TINY_BERT, head=head))


@dataclass(frozen=True, slots=True)
class Decision:
    """How spans are chosen: tokens of the longest, how many, and what null must be ahead by."""

    longest: int = 30
    count: int = 20
    null_threshold: float = 0.0


@dataclass(frozen=True, slots=True)
class Candidate:
    """A span of a text and its margin: how far its logits are above the null score."""

    start: int
    end: int
    margin: float


class SpanQaReader:
    """The n best spans of the first hits, none at all where null is the best answer.

    A score is the odds of the span against null, so that 0.5 is where the decision turns.
    """

    def __init__(
        self,
        network: SpanQa,
        inputs: SpanInputs,
        *,
        decision: Decision | None = None,
        passages: int = 1,  # QAConv's full mode reads the best chunk only
    ) -> None:
        self.network, self.inputs = network.eval(), inputs
        self.decision, self.passages = decision or Decision(), passages

    def read(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[Answer]]:
        asked = [
            (query.text, hit.passage)
            for query, found in zip(queries, hits, strict=True)
            for hit in found[: self.passages]
        ]
        texts = [(question, passage.text) for question, passage in asked]
        found = zip(asked, self.candidates(texts), strict=True)
        return [self._answers([next(found) for _ in ranking[: self.passages]]) for ranking in hits]

    def _answers(
        self, found: Sequence[tuple[tuple[str, Passage], Sequence[Candidate]]]
    ) -> list[Answer]:
        threshold = self.decision.null_threshold
        answers = [
            Answer(Span(passage, one.start, one.end), probability(one.margin + threshold))
            for (_, passage), candidates in found
            for one in candidates
        ]
        answers.sort(key=lambda answer: -answer.score)
        return answers if answers and answers[0].score >= 0.5 else []

    def candidates(self, asked: Sequence[tuple[str, str]]) -> list[list[Candidate]]:
        """The n best spans of each text for its question over all its windows, best first."""
        rows = [
            (number, window)
            for number, (question, text) in enumerate(asked)
            for window in self.inputs.windows(question, text)
        ]
        nulls = [math.inf] * len(asked)
        spans: list[dict[tuple[int, int], float]] = [{} for _ in asked]
        for (number, window), (start, end) in zip(rows, self._logits(rows), strict=True):
            nulls[number] = min(nulls[number], float(start[0] + end[0]))
            for first, last, score in self._best(window, start, end):
                place = window.characters(first, last)
                spans[number][place] = max(score, spans[number].get(place, -math.inf))
        return [
            _ranked(found, null, self.decision.count)
            for found, null in zip(spans, nulls, strict=True)
        ]

    def _best(
        self, window: Window, start: NDArray[np.float32], end: NDArray[np.float32]
    ) -> list[tuple[int, int, float]]:
        decision = self.decision
        return n_best(start, end, window.text, longest=decision.longest, count=decision.count)

    def _logits(
        self, rows: Sequence[tuple[int, Window]]
    ) -> Iterator[tuple[NDArray[np.float32], NDArray[np.float32]]]:
        device = next(self.network.parameters()).device
        with torch.inference_mode():
            for at in range(0, len(rows), ROWS):
                tensors = self.inputs.stacked([window for _, window in rows[at : at + ROWS]])
                start, end = self.network(*(tensor.to(device) for tensor in tensors))
                yield from zip(array(start), array(end), strict=True)


def _ranked(spans: dict[tuple[int, int], float], null: float, count: int) -> list[Candidate]:
    best = sorted(spans.items(), key=lambda pair: (-pair[1], pair[0]))[:count]
    return [Candidate(*place, score - null) for place, score in best]


def export(
    network: SpanQa,
    folder: Path,
    *,
    inputs: SpanInputs,
    decision: Decision,
    passages: int,
    data: Sequence[str] = (),
) -> None:
    """Write a trained network for `load`, and what it was trained on."""
    settings = {
        "data": list(data),
        "sizes": asdict(inputs.sizes),
        "decision": asdict(decision),
        "passages": passages,
    }
    save(network, folder, settings, tokenizer=inputs.tokenizer)


def load(folder: Path) -> SpanQaReader:
    """The trained span reader of a folder."""
    settings = settings_of(folder)
    check_kind(settings, SpanQa, folder)
    network = SpanQa(untrained(folder, AutoModelForQuestionAnswering))
    load_weights(network, folder)
    inputs = SpanInputs(tokenizer_of(str(folder)), WindowSizes(**settings["sizes"]))
    decision = Decision(**settings["decision"])
    return SpanQaReader(network, inputs, decision=decision, passages=int(settings["passages"]))


def published(
    checkpoint: str, *, sizes: WindowSizes | None = None, decision: Decision | None = None
) -> SpanQaReader:
    """A reader that others trained for SQuAD 2.0, as it is: QAConv's zero-shot rows."""
    inputs = SpanInputs(tokenizer_of(checkpoint), sizes or WindowSizes())
    return SpanQaReader(pretrained(checkpoint), inputs, decision=decision)
