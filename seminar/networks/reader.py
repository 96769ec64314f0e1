"""The reader: one encoder with heads for the span, the answer's type and what comes next."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from transformers import AutoModel, BertConfig, BertModel, MPNetModel

from seminar.models.reader.layout import ANSWER_TYPES, CLS, CONTINUATIONS, MARKS, SEP
from seminar.networks.checkpoints import VOCABULARY_SIZE, family_of

IGNORED = -100
MINUS_INFINITY = -1e4

FAMILIES = ("bert", "mpnet")
# MPNet's vocabulary is BERT's behind four marks of its own, of which these stand for BERT's.
MPNET_SHIFT, MPNET_BEGIN, MPNET_END = 4, 0, 2


@dataclass(frozen=True, slots=True)
class ReaderOutput:
    """Logits: start and end (batch, tokens), type (batch, 5) and continuation (batch, 3)."""

    start: Tensor
    end: Tensor
    type: Tensor
    continuation: Tensor


class ReaderNetwork(nn.Module):
    """Span, answer type and continuation from a question, its history and a passage.

    The start and the end may also fall on [CLS], which says that this passage holds no answer;
    the type head says the same from another side, and the two are read together.
    """

    def __init__(self, encoder: BertModel | MPNetModel) -> None:
        super().__init__()
        size = encoder.config.hidden_size
        self.encoder = encoder
        self.mark = nn.Embedding(MARKS, size)
        self.span_head = nn.Linear(size, 2)
        self.type_head = nn.Linear(size, len(ANSWER_TYPES))
        self.continuation_head = nn.Linear(size, len(CONTINUATIONS))
        # Zero marks leave the pretrained encoder's input as it was at the first step.
        nn.init.zeros_(self.mark.weight)
        for head in (self.span_head, self.type_head, self.continuation_head):
            nn.init.normal_(head.weight, std=0.02)
            nn.init.zeros_(head.bias)

    def forward(
        self, ids: Tensor, attended: Tensor, segments: Tensor, marks: Tensor
    ) -> ReaderOutput:
        """Logits of a batch; every argument is (batch, tokens), `attended` 0 where it is padded."""
        words = self.encoder.embeddings.word_embeddings(ids) + self.mark(marks)
        segmented = {"token_type_ids": segments} if isinstance(self.encoder, BertModel) else {}
        states = self.encoder(
            inputs_embeds=words, attention_mask=attended, **segmented
        ).last_hidden_state  # (batch, tokens, size)
        readable = segments.bool() & attended.bool()
        readable[:, 0] = True
        spans = self.span_head(states).masked_fill(~readable.unsqueeze(-1), MINUS_INFINITY)
        first = states[:, 0]
        return ReaderOutput(
            spans[..., 0], spans[..., 1], self.type_head(first), self.continuation_head(first)
        )

    def freeze(self, layers: int) -> None:
        """Stop training the word embeddings and the lowest encoder layers."""
        self.encoder.embeddings.word_embeddings.weight.requires_grad_(False)
        for layer in self.encoder.encoder.layer[:layers]:
            layer.requires_grad_(False)


def pretrained(name: str, dropout: float, layers: int = 0) -> ReaderNetwork:
    """A reader on the encoder of a folder or a hub's checkpoint, with untrained heads.

    It reads BERT's word pieces whatever the family. Of the encoder's layers the lowest are kept,
    all if `layers` is 0.
    """
    family = family_of(name, FAMILIES)
    encoder = AutoModel.from_pretrained(
        name,
        add_pooling_layer=False,
        hidden_dropout_prob=dropout,
        attention_probs_dropout_prob=dropout,
        **({"attn_implementation": "eager"} if family == "mpnet" else {}),
    )
    if family == "mpnet":
        encoder.set_input_embeddings(_renumbered(encoder.get_input_embeddings().weight))
    if layers:
        encoder.encoder.layer = encoder.encoder.layer[:layers]
        encoder.config.num_hidden_layers = len(encoder.encoder.layer)
    return ReaderNetwork(encoder)


def _renumbered(words: Tensor) -> nn.Embedding:
    """MPNet's word embeddings in the order of BERT's vocabulary."""
    numbers = torch.arange(VOCABULARY_SIZE) + MPNET_SHIFT
    numbers[CLS], numbers[SEP] = MPNET_BEGIN, MPNET_END
    return nn.Embedding.from_pretrained(words.detach()[numbers].clone(), freeze=False)


def untrained(config: BertConfig) -> ReaderNetwork:
    """A reader with random weights of the given shape."""
    return ReaderNetwork(BertModel(config, add_pooling_layer=False))


def span_loss(output: ReaderOutput, start: Tensor, end: Tensor) -> Tensor:
    """Mean cross-entropy of start and end; IGNORED where a question has no marked span."""
    if bool((start == IGNORED).all()):
        return output.start.sum() * 0.0
    cross_entropy = nn.functional.cross_entropy
    starts = cross_entropy(output.start, start, ignore_index=IGNORED)
    ends = cross_entropy(output.end, end, ignore_index=IGNORED)
    return (starts + ends) / 2


def choice_loss(logits: Tensor, label: Tensor) -> Tensor:
    """Mean cross-entropy of one choice; zero where nothing in the batch is labelled."""
    if bool((label == IGNORED).all()):
        return logits.sum() * 0.0
    return nn.functional.cross_entropy(logits, label, ignore_index=IGNORED)
