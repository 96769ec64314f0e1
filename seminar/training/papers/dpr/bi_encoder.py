"""DPR's training: in-batch negatives beside hard ones, validated by likelihood and by rank."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from torch import Tensor

from seminar.errors import unknown
from seminar.networks.checkpoints import tokenizer_of
from seminar.networks.papers.dpr.bi_encoder import (
    BiEncoder,
    export,
    in_batch_loss,
    pretrained,
    ranks,
    sides,
)
from seminar.networks.papers.dpr.inputs import DprInputs, Ids, check_length
from seminar.training.loop.epoch_task import EpochTask
from seminar.training.papers.dpr.negatives import Mined, Mining, mine
from seminar.training.papers.dpr.pairs import Pair, check_some, pairs_of
from seminar.training.samples import rank

# What chooses the best checkpoint: DPR's first epochs by the loss, its last ones by rank.
VALIDATIONS = {"loss": "loss", "rank": "average rank"}


@dataclass(frozen=True, slots=True)
class BiEncoderConfig:
    """Data, checkpoint and negatives; the defaults train a `tiny` one on the QuAC part.

    `checkpoint` may also be a folder that was trained here, to train on. `mined_from` is such a
    folder too: its highest ranked wrong passages are hard negatives beside BM25's. Both kinds are
    looked for in `index`, an index of the whole corpus, or else among the passages of the pairs.
    """

    checkpoint: str = "tiny"
    passage_checkpoint: str = ""
    source: str = "quac"
    form: str = "all-history"
    questions_only: bool = False
    batch_size: int = 32
    hard_negatives: int = 1
    mined_from: str = ""
    index: str = ""
    depth: int = 100
    question_length: int = 256
    passage_length: int = 256
    dropout: float = 0.1
    most: int = 0
    validation: str = "loss"
    sample: int = 300
    rank_negatives: int = 30

    def __post_init__(self) -> None:
        if self.validation not in VALIDATIONS:
            raise unknown("validation", self.validation, VALIDATIONS)


@dataclass(frozen=True, slots=True)
class BiEncoderExample:
    """A question's tokens, its passage's place in the pool, and those of its hard negatives."""

    ids: Ids
    positive: int
    negatives: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class BiEncoderBatch:
    """Padded questions and passages, each question's own column, and what it is compared with."""

    questions: tuple[Tensor, Tensor]
    passages: tuple[Tensor, Tensor]
    positive: Tensor
    rivals: Tensor


class BiEncoderTask(EpochTask[BiEncoderExample, BiEncoderExample, BiEncoderBatch]):
    """Training a bi-encoder; `pool` are the passages' tokens, by the places that examples name."""

    network: BiEncoder
    held_out: list[BiEncoderExample]

    def __init__(
        self,
        network: BiEncoder,
        config: BiEncoderConfig,
        examples: Sequence[BiEncoderExample],
        *,
        pool: Sequence[Ids],
        inputs: DprInputs,
        held_out: Sequence[BiEncoderExample] = (),
        seed: int = 0,
    ) -> None:
        super().__init__(
            network, examples, batch_size=config.batch_size, held_out=held_out, seed=seed
        )
        self._config, self._pool, self._inputs = config, pool, inputs

    def sample(self, example: BiEncoderExample, draw: random.Random) -> BiEncoderExample:
        """The example with as many of its negatives as a batch takes."""
        count = min(self._config.hard_negatives, len(example.negatives))
        return replace(example, negatives=tuple(draw.sample(example.negatives, count)))

    def length(self, sample: BiEncoderExample) -> int:
        return len(sample.ids)

    def collate(self, samples: Sequence[BiEncoderExample]) -> BiEncoderBatch:
        places = [sample.positive for sample in samples]
        places += [place for sample in samples for place in sample.negatives]
        columns = torch.tensor(places)
        own = torch.arange(len(samples))
        rivals = columns.unsqueeze(0) != columns[: len(samples)].unsqueeze(1)
        rivals[own, own] = True
        return BiEncoderBatch(
            self._inputs.padded([sample.ids for sample in samples]),
            self._inputs.padded([self._pool[place] for place in places]),
            own,
            rivals,
        )

    def losses(self, batch: BiEncoderBatch) -> dict[str, Tensor]:
        scores = self.network(batch.questions, batch.passages)
        return {"contrast": in_batch_loss(scores, batch.positive, batch.rivals)}

    def score(self) -> dict[str, float]:
        """The loss within batches, and the mean rank among all held-out passages together."""
        scores = {"loss": self._loss(), "average rank": self._average_rank()}
        chosen = VALIDATIONS[self._config.validation]
        return {chosen: scores[chosen], **scores}

    def export(self, folder: Path) -> None:
        lengths = (self._config.question_length, self._config.passage_length)
        export(self.network, folder, inputs=self._inputs, lengths=lengths)

    def _loss(self) -> float:
        """The mean loss of the held-out questions, each with its hardest negatives."""
        size, count = self.batch_size, self._config.hard_negatives
        total = 0.0
        for start in range(0, len(self.held_out), size):
            batch = [
                replace(example, negatives=example.negatives[:count])
                for example in self.held_out[start : start + size]
            ]
            total += self.losses(self.collate(batch))["contrast"].item() * len(batch)
        return round(total / len(self.held_out), 4)

    def _average_rank(self) -> float:
        """The mean rank of each question's own passage among all that are held out (DPR)."""
        count = self._config.rank_negatives
        places = list(
            dict.fromkeys(
                place for one in self.held_out for place in (one.positive, *one.negatives[:count])
            )
        )
        column = {place: at for at, place in enumerate(places)}
        both = sides(self.network, self._inputs, name="", lengths=(0, 0))
        questions = torch.from_numpy(both.questions.vectors([one.ids for one in self.held_out]))
        passages = torch.from_numpy(both.passages.vectors([self._pool[at] for at in places]))
        own = torch.tensor([column[one.positive] for one in self.held_out])
        return round(float(ranks(questions @ passages.T, own).float().mean()), 4)


def bi_encoder_task(config: BiEncoderConfig, *, cache: Path, seed: int) -> BiEncoderTask:
    """The whole task from the datasets under SEMINAR_DATA."""
    torch.manual_seed(seed)
    network, inputs = begin(config)
    pairs = check_some(pairs_of(config.source, config.form, most=config.most), config.source)
    held_out = sorted(pairs.held_out, key=lambda one: rank(one.id))[: config.sample]
    wanted = max(config.hard_negatives, config.rank_negatives)
    mining = Mining(wanted, config.depth, model=config.mined_from, index=config.index)
    learnt = mine(pairs.train, pairs.pool, mining, cache=cache)
    scored = mine(held_out, learnt.pool, mining, cache=cache)

    def prepared(asked: Sequence[Pair], mined: Mined) -> list[BiEncoderExample]:
        return [
            BiEncoderExample(inputs.question(one.query, config.question_length), one.positive, bad)
            for one, bad in zip(asked, mined.negatives, strict=True)
        ]

    return BiEncoderTask(
        network,
        config,
        prepared(pairs.train, learnt),
        pool=inputs.passages(scored.pool, config.passage_length),
        inputs=inputs,
        held_out=prepared(held_out, scored),
        seed=seed,
    )


def begin(config: BiEncoderConfig) -> tuple[BiEncoder, DprInputs]:
    """The network to start from, and its inputs."""
    network = pretrained(
        config.checkpoint,
        config.passage_checkpoint,
        dropout=config.dropout,
        questions_only=config.questions_only,
    )
    check_length("question_length", config.question_length, network.question.config)
    check_length("passage_length", config.passage_length, network.passage.config)
    return network, DprInputs(tokenizer_of(config.checkpoint))
