"""BiDAF++ with k contexts: attention flow and self-attention over a section (QuAC, section 5.3).

Bidirectional attention flow (Seo et al., 2017) with the self-attention of Clark and Gardner (2018)
as Peters et al. (2018) use it; a no-answer word after the section (Levy et al., 2017); dialog acts
read from the states that find the span's end. With contexts, embeddings mark the words of the
previous k answers in the section, and the turn's number stands in the question.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from seminar.networks.papers.bidaf.layout import (
    AFFIRMATION,
    BYTES,
    CONTINUATION,
    TURNS,
    BidafBatch,
)

MINUS_INFINITY = -1e4
MARK_KINDS = 4  # the answer's first word, one within, its last, an answer of one word
CHARACTER_SIZE, CHARACTER_WINDOW = 20, 5


@dataclass(frozen=True, slots=True)
class BidafShape:
    """Sizes: the GRUs' states in each direction, the character features, one mark's embedding."""

    contexts: int = 2
    hidden: int = 100
    characters: int = 100
    mark: int = 10
    dropout: float = 0.2


@dataclass(frozen=True, slots=True)
class BidafOutput:
    """Logits: start and end (questions, length), both acts at every end (questions, length, 3)."""

    start: Tensor
    end: Tensor
    affirmation: Tensor
    continuation: Tensor


class BidafNetwork(nn.Module):
    """Span and dialog acts for questions about sections, with the answers before them marked."""

    def __init__(self, vectors: Tensor, shape: BidafShape) -> None:
        super().__init__()
        self.shape = shape
        size = 2 * shape.hidden
        mark_size = shape.mark * shape.contexts
        self.words = WordVectors(vectors, shape.characters)
        if shape.contexts:
            self.marks = nn.Embedding(MARK_KINDS * shape.contexts + 1, shape.mark)
            self.turns = nn.Embedding(TURNS, mark_size)
        self.phrases = BidirectionalGru(self.words.size + mark_size, shape.hidden)
        self.attention = AttentionFlow(size)
        self.residual = BidirectionalGru(size, shape.hidden)
        self.self_attention = SelfAttention(size)
        self.start_states = BidirectionalGru(size, shape.hidden)
        self.end_states = BidirectionalGru(2 * size, shape.hidden)
        self.start = nn.Linear(size, 1, bias=False)  # a bias would cancel in the softmax
        self.end = nn.Linear(size, 1, bias=False)
        self.affirmation = nn.Linear(size, len(AFFIRMATION))
        self.continuation = nn.Linear(size, len(CONTINUATION))
        self.drop = SequenceDropout(shape.dropout)

    def forward(self, batch: BidafBatch) -> BidafOutput:
        """Logits for every question of the batch."""
        kept = (batch.section > 0)[batch.section_of]  # (questions, length)
        asked = batch.question > 0
        section, question = self._phrases(batch, kept, asked)
        merged = self.attention(section, question, kept, asked)  # (questions, length, size)
        states = self.drop(self.residual(merged, kept))
        merged = self.drop(merged + self.self_attention(states, kept))
        starting = self.start_states(merged, kept)
        ending = self.end_states(torch.cat([merged, starting], dim=-1), kept)
        return BidafOutput(
            start=self.start(starting).squeeze(-1).masked_fill(~kept, MINUS_INFINITY),
            end=self.end(ending).squeeze(-1).masked_fill(~kept, MINUS_INFINITY),
            affirmation=self.affirmation(ending),
            continuation=self.continuation(ending),
        )

    def _phrases(self, batch: BidafBatch, kept: Tensor, asked: Tensor) -> tuple[Tensor, Tensor]:
        """Section and question, encoded by the same GRU; both (questions, length, size)."""
        words = self.words(batch.pieces, batch.characters)
        section = self.drop(words[batch.section])
        question = self.drop(words[batch.question])
        if not self.shape.contexts:
            encoded = self.phrases(section, batch.section > 0)  # once for all turns of a dialog
            return self.drop(encoded)[batch.section_of], self.drop(self.phrases(question, asked))
        marks = self.marks(batch.marks)  # (questions, contexts, length, mark)
        section = torch.cat([section[batch.section_of], *marks.unbind(1)], dim=-1)
        turns = self.turns(batch.turn).unsqueeze(1).expand(-1, question.shape[1], -1)
        question = torch.cat([question, turns], dim=-1)
        return self.drop(self.phrases(section, kept)), self.drop(self.phrases(question, asked))


class WordVectors(nn.Module):
    """A word as the mean of its pieces' fixed vectors, beside features of its characters."""

    vectors: Tensor

    def __init__(self, vectors: Tensor, features: int) -> None:
        super().__init__()
        self.register_buffer("vectors", vectors)
        self.characters = nn.Embedding(BYTES, CHARACTER_SIZE, padding_idx=0)
        self.windows = nn.Conv1d(CHARACTER_SIZE, features, CHARACTER_WINDOW)
        self.size = vectors.shape[1] + features

    def forward(self, pieces: Tensor, characters: Tensor) -> Tensor:
        """(words, size); row 0 pads."""
        known = (pieces >= 0).unsqueeze(-1)
        total = (self.vectors[pieces.clamp(min=0)] * known).sum(1)
        windows = self.windows(self.characters(characters).transpose(1, 2))  # (words, features, at)
        return torch.cat([total / known.sum(1).clamp(min=1), windows.amax(-1).relu()], dim=-1)


class BidirectionalGru(nn.Module):
    """A GRU in each direction; the one back begins at a row's own last word, not at its padding.

    Two plain GRUs and a mirrored copy: on a CPU several times faster than a packed sequence.
    """

    def __init__(self, size: int, hidden: int) -> None:
        super().__init__()
        self.ahead = nn.GRU(size, hidden, batch_first=True)
        self.back = nn.GRU(size, hidden, batch_first=True)

    def forward(self, states: Tensor, kept: Tensor) -> Tensor:
        """(rows, length, size) to (rows, length, 2 * hidden); what padding gets means nothing."""
        at = torch.arange(kept.shape[1], device=kept.device)
        last = kept.sum(1, keepdim=True) - 1
        mirror = torch.where(at <= last, last - at, at)
        rows = torch.arange(len(kept), device=kept.device).unsqueeze(1)
        ahead, _ = self.ahead(states)
        back, _ = self.back(states[rows, mirror])
        return torch.cat([ahead, back[rows, mirror]], dim=-1)


class AttentionFlow(nn.Module):
    """Section to question and question to section: s(x, y) = w · [x; y; x * y] (Seo et al.)."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.section = nn.Linear(size, 1, bias=False)
        self.question = nn.Linear(size, 1, bias=False)
        self.both = _pair_weights(size)
        self.merge = nn.Linear(4 * size, size)

    def forward(self, section: Tensor, question: Tensor, kept: Tensor, asked: Tensor) -> Tensor:
        alike = (section * self.both) @ question.transpose(1, 2)
        alike = alike + self.section(section) + self.question(question).transpose(1, 2)
        alike = alike.masked_fill(~asked.unsqueeze(1), -torch.inf)  # (rows, length, asked)
        asking = alike.softmax(-1) @ question
        nearest = alike.amax(-1).masked_fill(~kept, -torch.inf).softmax(-1)
        read = nearest.unsqueeze(1) @ section  # (rows, 1, size)
        flow = torch.cat([section, asking, section * asking, section * read], dim=-1)
        merged: Tensor = self.merge(flow).relu()
        return merged


class SelfAttention(nn.Module):
    """Every word to all others of its section; the weights of the word itself would cancel."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.other = nn.Linear(size, 1, bias=False)
        self.both = _pair_weights(size)
        self.merge = nn.Linear(3 * size, size)

    def forward(self, states: Tensor, kept: Tensor) -> Tensor:
        alike = (states * self.both) @ states.transpose(1, 2) + self.other(states).transpose(1, 2)
        itself = torch.eye(states.shape[1], dtype=torch.bool, device=states.device)
        alike = alike.masked_fill(itself, MINUS_INFINITY)  # seen only if there is nothing else
        alike = alike.masked_fill(~kept.unsqueeze(1), -torch.inf)
        seen = alike.softmax(-1) @ states
        merged: Tensor = self.merge(torch.cat([seen, states, states * seen], dim=-1)).relu()
        return merged


class SequenceDropout(nn.Module):
    """Drops the same features at every place of a sequence (variational dropout)."""

    def __init__(self, share: float) -> None:
        super().__init__()
        self._share = share

    def forward(self, states: Tensor) -> Tensor:
        if not self.training or not self._share:
            return states
        kept = torch.empty_like(states[:, :1]).bernoulli_(1 - self._share) / (1 - self._share)
        return states * kept


def _pair_weights(size: int) -> nn.Parameter:
    return nn.Parameter(torch.empty(size).uniform_(-1, 1) / size**0.5)


def act_logits(logits: Tensor, end: Tensor) -> Tensor:
    """An act's logits (questions, 3) at the span's end; ends that nobody knows count as 0."""
    return logits[torch.arange(len(end), device=end.device), end.clamp(min=0)]


def widen(network: BidafNetwork, trained: BidafNetwork) -> None:
    """Take over the weights of a network without contexts; the new inputs begin without effect.

    Until it is trained further, the network therefore says what the trained one said.
    """
    own = network.state_dict()
    for name, weights in trained.state_dict().items():
        if weights.shape == own[name].shape:
            own[name] = weights
        else:  # the phrase GRUs' input weights: columns for marks and turn follow those for words
            own[name] = torch.zeros_like(own[name])
            own[name][:, : weights.shape[1]] = weights
    network.load_state_dict(own)
