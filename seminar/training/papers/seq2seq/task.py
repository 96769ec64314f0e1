"""Training an encoder-decoder to write one text for another, whatever the texts are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import torch
from torch import Tensor

from seminar.networks.checkpoints import SETTINGS, tokenizer_of
from seminar.networks.papers.fusion.network import fusion_backbone
from seminar.networks.papers.seq2seq.network import Sizes, TextToText, Writer, load_writer
from seminar.training.loop.epoch_task import EpochTask
from seminar.training.papers.perplexity import perplexity


@dataclass(frozen=True, slots=True)
class Pair:
    """A text to read, the text to write for it, and every text that would be right."""

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
    """What a writer is trained for: how its texts are scored, and how it is saved."""

    score: Score
    export: Callable[[Path], None]


class Seq2SeqTask(EpochTask[Pair, Pair, Seq2SeqBatch]):
    """Training a writer on pairs."""

    network: TextToText
    held_out: list[Pair]

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
        super().__init__(writer.network, pairs, batch_size=batch_size, held_out=held_out, seed=seed)
        self._writer, self._purpose = writer, purpose

    def length(self, sample: Pair) -> int:
        return len(sample.source)

    def collate(self, samples: Sequence[Pair]) -> Seq2SeqBatch:
        ids, attended = self._writer.inputs([pair.source for pair in samples])
        return Seq2SeqBatch(ids, attended, self._writer.labels([pair.target for pair in samples]))

    def losses(self, batch: Seq2SeqBatch) -> dict[str, Tensor]:
        return {"likelihood": self.network(batch.ids, batch.attended, batch.labels)}

    def score(self) -> dict[str, float]:
        """The purpose's own scores on the held-out pairs, and the perplexity of a token."""
        written = self._writer.write([pair.source for pair in self.held_out])
        scores = self._purpose.score([text.text for text in written], self.held_out)
        return {**scores, "perplexity": round(self._perplexity(), 3)}

    def export(self, folder: Path) -> None:
        self._purpose.export(folder)

    def _perplexity(self) -> float:
        starts = range(0, len(self.held_out), self.batch_size)
        batches = (self.collate(self.held_out[at : at + self.batch_size]) for at in starts)
        return perplexity(batches, lambda batch: self.losses(batch)["likelihood"])


class WriterConfig(Protocol):
    """The part of a configuration that says which network to start from."""

    @property
    def checkpoint(self) -> str: ...
    @property
    def family(self) -> str: ...
    @property
    def dropout(self) -> float: ...


def new_writer(kind: type[TextToText], config: WriterConfig, sizes: Sizes, *, seed: int) -> Writer:
    """A writer that starts from a checkpoint, or with random weights that depend on the seed.

    The checkpoint may also be a folder that was trained here.
    """
    torch.manual_seed(seed)
    folder = Path(config.checkpoint)
    if (folder / SETTINGS).is_file():
        trained = load_writer(folder, kind)
        return Writer(trained.network, trained.tokenizer, sizes)
    model = fusion_backbone(config.checkpoint, config.family, dropout=config.dropout)
    return Writer(kind(model), tokenizer_of(config.checkpoint), sizes)
