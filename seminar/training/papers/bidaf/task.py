"""Training BiDAF++ with k contexts: all questions of a dialog together, as its authors do."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from torch import Tensor, nn
from transformers import PreTrainedTokenizerFast

from seminar.errors import ConfigurationError, unknown
from seminar.examples import Example
from seminar.metrics.official.quac import QuacPrediction
from seminar.networks.papers.bidaf.layout import (
    IGNORED,
    BidafBatch,
    BidafLayout,
    Dialog,
)
from seminar.networks.papers.bidaf.network import BidafNetwork, BidafShape, act_logits, widen
from seminar.networks.papers.bidaf.reader import MINILM, BidafReader, save_bidaf, untrained
from seminar.networks.papers.bidaf.reader import load as load_trained
from seminar.training.loop.epoch_task import EpochTask
from seminar.training.papers.bidaf.data import DATA, BidafData, Scores

CHUNK = 4000  # dialogs drawn at once, sorted by length and cut into batches


@dataclass(frozen=True, slots=True)
class BidafConfig:
    """Sizes, data and batches; the sizes are those of the QuAC paper's released configuration.

    `data` is quac, quac-part or squad; `start` the folder of a trained network without contexts to
    begin from; `section_words` bounds what is read of a section in training, and questions
    answered beyond it are left out; of more than `questions` about one section some are drawn.
    """

    contexts: int = 2
    hidden: int = 100
    characters: int = 100
    mark: int = 10
    dropout: float = 0.2
    vectors: str = MINILM
    start: str = ""
    data: str = "quac-part"
    dialogs: int = 10
    questions: int = 12
    section_words: int = 500
    longest_answer: int = 30

    @property
    def shape(self) -> BidafShape:
        return BidafShape(self.contexts, self.hidden, self.characters, self.mark, self.dropout)


@dataclass(frozen=True, slots=True)
class LabelledBatch:
    """A batch and what the network should say of each question; (questions,) each."""

    inputs: BidafBatch
    start: Tensor
    end: Tensor
    affirmation: Tensor
    continuation: Tensor


class BidafTask(EpochTask[Dialog, Dialog, LabelledBatch]):
    """Training BiDAF++ on dialogs."""

    network: BidafNetwork
    held_out: list[Example]

    def __init__(
        self,
        network: BidafNetwork,
        tokenizer: PreTrainedTokenizerFast,
        data: BidafData,
        *,
        config: BidafConfig,
        seed: int = 0,
    ) -> None:
        if not data.dialogs:
            raise ConfigurationError(
                f"no question's answer stands in the first {config.section_words} words of its "
                "section: raise section_words"
            )
        super().__init__(
            network,
            data.dialogs,
            batch_size=config.dialogs,
            held_out=data.held_out,
            seed=seed,
            chunk=len(data.dialogs) // math.ceil(len(data.dialogs) / CHUNK),  # equal ones
        )
        self._tokenizer, self._data, self._config = tokenizer, data, config
        self._layout = BidafLayout(tokenizer, config.contexts)

    def sample(self, example: Dialog, draw: random.Random) -> Dialog:
        """A dialog with some of its questions, each with one of the answers that people gave."""
        places = range(len(example.questions))
        kept = sorted(draw.sample(places, min(self._config.questions, len(places))))
        questions = [example.questions[at] for at in kept]
        return replace(
            example,
            questions=tuple(replace(one, spans=(draw.choice(one.spans),)) for one in questions),
        )

    def length(self, sample: Dialog) -> int:
        return len(sample.section.words)

    def collate(self, samples: Sequence[Dialog]) -> LabelledBatch:
        """Dialogs whose questions have one answer each, as a batch."""
        questions = [one for dialog in samples for one in dialog.questions]
        return LabelledBatch(
            inputs=self._layout.batch(samples),
            start=torch.tensor([one.spans[0][0] for one in questions]),
            end=torch.tensor([one.spans[0][1] for one in questions]),
            affirmation=torch.tensor([one.affirmation for one in questions]),
            continuation=torch.tensor([one.continuation for one in questions]),
        )

    def losses(self, batch: LabelledBatch) -> dict[str, Tensor]:
        output = self.network(batch.inputs)
        cross_entropy = nn.functional.cross_entropy
        losses = {
            "start_loss": cross_entropy(output.start, batch.start),
            "end_loss": cross_entropy(output.end, batch.end),
        }
        for name, logits, label in (
            ("affirmation_loss", output.affirmation, batch.affirmation),
            ("continuation_loss", output.continuation, batch.continuation),
        ):
            if bool((label != IGNORED).any()):
                chosen = act_logits(logits, batch.end)  # acts are learnt at the right end
                losses[name] = cross_entropy(chosen, label, ignore_index=IGNORED)
        return losses

    def score(self) -> Scores:
        return self._data.measure(self.held_out, self.predict(self.held_out))

    def predict(self, examples: Iterable[Example]) -> list[QuacPrediction]:
        """The answers of the network as it is now."""
        return self.reader().predict(examples)

    def reader(self) -> BidafReader:
        longest = self._config.longest_answer
        return BidafReader(self.network, self._layout, acts=self._data.acts, longest=longest)

    def export(self, folder: Path) -> None:
        about = {"acts": self._data.acts, "data": self._config.data}
        save_bidaf(self.network, folder, self._tokenizer, about)


def bidaf_task(config: BidafConfig, *, cache: Path, seed: int) -> BidafTask:
    """The whole task from the datasets under SEMINAR_DATA; nothing of it is worth a cache."""
    if config.data not in DATA:
        raise unknown("data for bidaf", config.data, DATA)
    torch.manual_seed(seed)
    network, tokenizer = untrained(config.vectors, config.shape)
    if config.start:
        begin_from(network, Path(config.start))
    data = DATA[config.data](config.section_words)
    return BidafTask(network, tokenizer, data, config=config, seed=seed)


def begin_from(network: BidafNetwork, folder: Path) -> None:
    """Take over a trained network of this size, without contexts or with as many."""
    trained = load_trained(folder).network
    own, its = network.shape, trained.shape
    if (
        its.contexts not in (0, own.contexts)
        or replace(its, contexts=own.contexts, dropout=own.dropout) != own
    ):
        raise ConfigurationError(f"{folder} holds {its}; to begin from it needs a {own}")
    widen(network, trained)
