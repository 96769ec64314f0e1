"""BARTScore's model: how probable one text is after another (Yuan et al., 2021).

PragmatiCQA measures answers by facebook/bart-large-cnn; any BART can take its place.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from transformers import (
    BartConfig,
    BartForConditionalGeneration,
    PreTrainedModel,
    PreTrainedTokenizerFast,
)

from seminar.metrics.measures.bartscore import MAX_LENGTH, mean_log_probability
from seminar.networks.arrays import array
from seminar.networks.checkpoints import backbone, tokenizer_of

BATCH = 4


class BartScorer:
    """A `ConditionalScorer`: the mean log probability of each target's tokens after its source."""

    def __init__(self, model: PreTrainedModel, tokenizer: PreTrainedTokenizerFast) -> None:
        self._model, self._tokenizer = model.eval(), tokenizer
        self._longest = min(MAX_LENGTH, model.config.max_position_embeddings)

    def __call__(self, sources: Sequence[str], targets: Sequence[str]) -> list[float]:
        pairs = list(zip(sources, targets, strict=True))
        return [
            score
            for start in range(0, len(pairs), BATCH)
            for score in self._scores(pairs[start : start + BATCH])
        ]

    @torch.inference_mode()
    def _scores(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        read, target = (
            self._tokenizer(
                list(texts),
                truncation=True,
                max_length=self._longest,
                padding=True,
                return_tensors="pt",
            )
            for texts in zip(*pairs, strict=True)
        )
        logits = self._model(
            input_ids=read["input_ids"],
            attention_mask=read["attention_mask"],
            labels=target["input_ids"],
        ).logits  # (pairs, tokens, vocabulary)
        padding = self._model.config.pad_token_id
        return [
            mean_log_probability(array(rows), ids.tolist(), pad_id=padding)
            for rows, ids in zip(logits, target["input_ids"], strict=True)
        ]


def published(checkpoint: str) -> BartScorer:
    """A scorer by a checkpoint's name or folder."""
    model = backbone(
        checkpoint, families=("bart",), tiny=BartConfig(), head=BartForConditionalGeneration
    )
    return BartScorer(model, tokenizer_of(checkpoint))
