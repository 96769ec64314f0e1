"""Training an encoder-decoder to write one text for another, whatever the texts are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from seminar.networks.checkpoints import SETTINGS, tokenizer_of
from seminar.networks.papers.fusion.network import fusion_backbone
from seminar.networks.papers.seq2seq.network import Sizes, TextToText, Writer, load_writer
from seminar.training.loop.batches import Epochs, as_it_is
from seminar.training.loop.run import Position


@dataclass(frozen=True, slots=True)
class Pair:
    """What is read, what is to be written, and everything that would be right."""

    source: str
    target: str
    references: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Seq2SeqBatch:
    """Padded inputs and labels, all (texts, tokens)."""

    ids: Tensor
    attended: Tensor
    labels: Tensor


Score = Callable[[Sequence[str], Sequence[Pair]], dict[str, float]]


@dataclass(frozen=True, slots=True)
class Purpose:
    """What the writing is for: how it is compared with what is right, and how it is saved."""

    score: Score
    export: Callable[[Path], None]


class Seq2SeqTask:
    """Training a writer on pairs."""

    def __init__(
        self,
        writer: Writer,
        pairs: Sequence[Pair],
        purpose: Purpose,
        *,
        batch_size: int,
        held_out: Sequence[Pair] = (),
        seed: int = 0,
    ) -> None:
        self._writer, self._purpose = writer, purpose
        self.pairs, self.held_out = list(pairs), list(held_out)
        self._size = batch_size
        self._epochs = Epochs(self.pairs, batch_size, seed=seed)

    @property
    def network(self) -> TextToText:
        return self._writer.network

    @property
    def epoch_batches(self) -> int:
        return self._epochs.batches

    def batches(self, position: Position) -> Iterator[tuple[Seq2SeqBatch, Position]]:
        return self._epochs.stream(
            position, as_it_is, length=lambda pair: len(pair.source), collate=self._collate
        )

    def losses(self, batch: Seq2SeqBatch) -> dict[str, Tensor]:
        return {"likelihood": self.network(batch.ids, batch.attended, batch.labels)}

    def evaluate(self) -> dict[str, float]:
        """The task's own scores on the held-out pairs, and the perplexity of a token."""
        if not self.held_out:
            return {}
        written = self._writer.write([pair.source for pair in self.held_out])
        scores = self._purpose.score([one.text for one in written], self.held_out)
        return {**scores, "perplexity": round(self._perplexity(), 3)}

    def export(self, folder: Path) -> None:
        self._purpose.export(folder)

    def _perplexity(self) -> float:
        total = tokens = 0.0
        for at in range(0, len(self.held_out), self._size):
            batch = self._collate(self.held_out[at : at + self._size])
            count = float((batch.labels >= 0).sum())
            total, tokens = total + count * float(self.losses(batch)["likelihood"]), tokens + count
        return float(torch.tensor(total / tokens).exp())

    def _collate(self, pairs: Sequence[Pair]) -> Seq2SeqBatch:
        ids, attended = self._writer.inputs([pair.source for pair in pairs])
        return Seq2SeqBatch(ids, attended, self._writer.labels([pair.target for pair in pairs]))


def new_writer(
    kind: type[TextToText],
    checkpoint: str,
    family: str,
    *,
    sizes: Sizes,
    dropout: float,
    seed: int,
) -> Writer:
    """A writer that begins from a checkpoint, or with random weights that the seed decides.

    A folder that was trained here is one too, to be trained on.
    """
    torch.manual_seed(seed)
    if (Path(checkpoint) / SETTINGS).is_file():
        trained = load_writer(Path(checkpoint), kind)
        return Writer(trained.network, trained.tokenizer, sizes)
    model = fusion_backbone(checkpoint, family, dropout=dropout)
    return Writer(kind(model), tokenizer_of(checkpoint), sizes)
