"""The conversational question encoder: a BERT whose mean state is the question's vector."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from transformers import BertModel


class QuestionEncoder(nn.Module):
    """Questions with their history to unit vectors; passages are encoded by another, fixed one."""

    def __init__(self, encoder: BertModel) -> None:
        super().__init__()
        self.encoder = encoder
        # Frozen, as in the reader: little data can only spoil what the words mean.
        encoder.embeddings.word_embeddings.weight.requires_grad_(False)

    def forward(self, ids: Tensor, attended: Tensor) -> Tensor:
        """(batch, tokens) to (batch, size)."""
        states = self.encoder(input_ids=ids, attention_mask=attended).last_hidden_state
        weights = attended.unsqueeze(-1).to(states.dtype)
        return F.normalize((states * weights).sum(dim=1) / weights.sum(dim=1), dim=-1)


def pretrained(folder: Path) -> QuestionEncoder:
    """A question encoder that begins as the passage encoder."""
    return QuestionEncoder(
        BertModel.from_pretrained(
            folder,
            add_pooling_layer=False,
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
        )
    )


def contrast(questions: Tensor, wanted: Tensor, others: Tensor, temperature: float) -> Tensor:
    """Cross-entropy of each question's own target among the batch's and some further vectors.

    A target that stands in the batch more than once is right wherever it stands.
    """
    targets = torch.cat([wanted, others])
    scores = questions @ targets.T / temperature  # (batch, batch + others)
    same = (wanted @ targets.T > 0.9999).float()
    return F.cross_entropy(scores, same / same.sum(dim=1, keepdim=True))
