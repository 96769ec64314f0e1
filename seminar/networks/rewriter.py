"""The rewriter: an edit tagger over the history and the question."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn
from transformers import BertConfig, BertModel

IGNORED = -100
MINUS_INFINITY = -1e4
SEGMENTS = 3  # title and section, earlier questions, earlier answers


@dataclass(frozen=True, slots=True)
class RewriterOutput:
    """Logits for every token: drop it, put something before it, what joins, what is copied.

    `drop` and `insert` are (batch, tokens, 2), `before` and `after` (batch, tokens, phrases) and
    `start` and `end` (batch, tokens, tokens), the copied span's ends for an insertion at a token;
    a span from [CLS] to [CLS] copies nothing.
    """

    drop: Tensor
    insert: Tensor
    before: Tensor
    after: Tensor
    start: Tensor
    end: Tensor


class RewriterNetwork(nn.Module):
    """Which words of the question go, and which history span and joining words come instead."""

    def __init__(self, encoder: BertModel, phrases: int) -> None:
        super().__init__()
        size = encoder.config.hidden_size
        self.encoder = encoder
        self.mark = nn.Embedding(SEGMENTS + 1, size)
        self.drop = nn.Linear(size, 2)
        self.insert = nn.Linear(size, 2)
        self.before = nn.Linear(size, phrases)
        self.after = nn.Linear(size, phrases)
        self.places = nn.Linear(size, 2 * size)
        self.sources = nn.Linear(size, 2 * size)
        nn.init.zeros_(self.mark.weight)

    def forward(
        self, ids: Tensor, attended: Tensor, segments: Tensor, marks: Tensor
    ) -> RewriterOutput:
        """Logits of a batch; segments are 0 in the history and 1 in the question."""
        words = self.encoder.embeddings.word_embeddings(ids) + self.mark(marks)
        states = self.encoder(
            inputs_embeds=words, attention_mask=attended, token_type_ids=segments
        ).last_hidden_state  # (batch, tokens, size)
        copyable = attended.bool() & ~segments.bool()
        start, end = self._pointers(states)
        hidden = ~copyable.unsqueeze(1)  # (batch, 1, tokens)
        return RewriterOutput(
            self.drop(states),
            self.insert(states),
            self.before(states),
            self.after(states),
            start.masked_fill(hidden, MINUS_INFINITY),
            end.masked_fill(hidden, MINUS_INFINITY),
        )

    def _pointers(self, states: Tensor) -> tuple[Tensor, Tensor]:
        """How well each history token begins or ends what is put before each question token."""
        size = states.shape[-1]
        starts, ends = self.places(states).split(size, dim=-1)
        from_starts, from_ends = self.sources(states).split(size, dim=-1)
        scale = size**-0.5
        return (
            torch.matmul(starts, from_starts.transpose(1, 2)) * scale,
            torch.matmul(ends, from_ends.transpose(1, 2)) * scale,
        )

    def freeze(self, layers: int) -> None:
        """Stop training the word embeddings and the lowest encoder layers."""
        self.encoder.embeddings.word_embeddings.weight.requires_grad_(False)
        for layer in self.encoder.encoder.layer[:layers]:
            layer.requires_grad_(False)


def pretrained(folder: Path, phrases: int, dropout: float) -> RewriterNetwork:
    """A rewriter on a pretrained BERT-like encoder, with untrained heads."""
    encoder = BertModel.from_pretrained(
        folder,
        add_pooling_layer=False,
        hidden_dropout_prob=dropout,
        attention_probs_dropout_prob=dropout,
    )
    return RewriterNetwork(encoder, phrases)


def untrained(config: BertConfig, phrases: int) -> RewriterNetwork:
    """A rewriter with random weights of the given shape."""
    return RewriterNetwork(BertModel(config, add_pooling_layer=False), phrases)


def token_loss(logits: Tensor, labels: Tensor) -> Tensor:
    """Mean cross-entropy over the tokens that are labelled; zero where none is."""
    if bool((labels == IGNORED).all()):
        return logits.sum() * 0.0
    return nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=IGNORED)
