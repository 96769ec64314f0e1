"""The conversational question encoder's training: dialogues in, the fixed encoder's vectors out."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from seminar.datasets.catalog import load
from seminar.models.encoders.registry import load_encoder
from seminar.models.word_pieces import WordPieces
from seminar.networks.checkpoints import encoder_folder
from seminar.networks.question_encoder import QuestionEncoder, contrast, pretrained
from seminar.training.loop.batches import CHUNK_BATCHES
from seminar.training.loop.epoch_task import EpochTask
from seminar.training.question_encoder.pairs import (
    EncoderPair,
    quac_pairs,
    rewrite_pairs,
    squad_pairs,
)
from seminar.training.reader.negatives import search
from seminar.training.rewriter.rewrites import disjoint_from, with_titles
from seminar.training.samples import quac_parts, sample
from seminar.types import Matrix

CLS, SEP = 101, 102
LONGEST = 160
PASSAGES_SEARCHED = 5  # the best of these that is not the target is the hard negative
SCORED_AT_ONCE = 32


@dataclass(frozen=True, slots=True)
class EncoderConfig:
    """Data and losses: questions in their dialogues are drawn toward their targets.

    `rewrite_weight` counts the cosine distance to a rewrite's vector beside the contrast.
    """

    batch_size: int = 32
    temperature: float = 0.05
    rewrite_weight: float = 1.0
    squad: int = 12_000
    rewrites: int = 16_000
    quac_repeats: int = 3
    sample: int = 300


@dataclass(frozen=True, slots=True)
class EncoderExample:
    """A dialogue's word pieces, the row of its target, and the row of a hard negative or -1."""

    ids: tuple[int, ...]
    target: int
    negative: int
    rewrite: bool


@dataclass(frozen=True, slots=True)
class EncoderBatch:
    """Padded inputs (batch, tokens), vectors of targets and hard negatives (rows, dimensions).

    `rewrites` (batch,) is 1 where the target is a rewrite.
    """

    ids: Tensor
    attended: Tensor
    targets: Tensor
    negatives: Tensor
    rewrites: Tensor


class EncoderTask(EpochTask[EncoderExample, EncoderExample, EncoderBatch]):
    """Training the question side; `vectors` are the targets in the fixed encoder's space."""

    network: QuestionEncoder
    held_out: list[EncoderExample]

    def __init__(
        self,
        network: QuestionEncoder,
        config: EncoderConfig,
        examples: Sequence[EncoderExample],
        *,
        vectors: Matrix,
        held_out: Sequence[EncoderExample] = (),
        seed: int = 0,
    ) -> None:
        super().__init__(
            network,
            examples,
            batch_size=config.batch_size,
            held_out=held_out,
            seed=seed,
            chunk=config.batch_size * CHUNK_BATCHES,
        )
        self._config, self._vectors = config, torch.from_numpy(vectors)

    def length(self, sample: EncoderExample) -> int:
        return len(sample.ids)

    def collate(self, samples: Sequence[EncoderExample]) -> EncoderBatch:
        longest = max(len(one.ids) for one in samples)
        negatives = [one.negative for one in samples if one.negative >= 0]
        return EncoderBatch(
            torch.tensor([[*one.ids, *[0] * (longest - len(one.ids))] for one in samples]),
            torch.tensor([[1] * len(one.ids) + [0] * (longest - len(one.ids)) for one in samples]),
            self._vectors[[one.target for one in samples]],
            self._vectors[negatives],
            torch.tensor([float(one.rewrite) for one in samples]),
        )

    def losses(self, batch: EncoderBatch) -> dict[str, Tensor]:
        questions = self.network(batch.ids, batch.attended)
        temperature = self._config.temperature
        distances = 1 - (questions * batch.targets).sum(dim=1)
        distance = (distances * batch.rewrites).sum() / batch.rewrites.sum().clamp(min=1)
        return {
            "contrast": contrast(questions, batch.targets, batch.negatives, temperature),
            "distance": self._config.rewrite_weight * distance,
        }

    def score(self) -> dict[str, float]:
        """How often the held-out questions' own passage is first, or among the first five."""
        ranks = []
        for start in range(0, len(self.held_out), SCORED_AT_ONCE):
            inputs = self.collate(self.held_out[start : start + SCORED_AT_ONCE])
            scores = self.network(inputs.ids, inputs.attended) @ self._vectors.T
            own = (inputs.targets @ self._vectors.T).argmax(dim=1, keepdim=True)
            ranks.append((scores > scores.gather(1, own)).sum(dim=1))
        all_ranks = torch.cat(ranks)
        return {
            f"recall at {k}": round(100 * float((all_ranks < k).float().mean()), 2) for k in (5, 1)
        }


def encoder_task(config: EncoderConfig, *, cache: Path, seed: int) -> EncoderTask:
    """The whole task from the datasets under SEMINAR_DATA, toward the index's own `minilm`."""
    draw = random.Random(f"{seed} lessons")  # part of every trained encoder's batches
    quac, held_out = quac_parts()
    rewritten = disjoint_from(
        [*with_titles(list(load("canard/train-pairs"))), *load("qrecc/train-part")],
        [*load("canard/dev"), *load("qrecc/dev-part")],
    )
    dialogues = quac_pairs(quac)
    pairs = [
        *dialogues,
        *squad_pairs(sample(load("squad/train"), config.squad), draw),
        *rewrite_pairs(sample(rewritten, config.rewrites)),
    ]
    scored = quac_pairs(held_out)
    scored = draw.sample(scored, min(config.sample, len(scored)))
    targets = list(dict.fromkeys(pair.target for pair in (*pairs, *scored)))
    encoder = encoder_folder()
    pieces = WordPieces(encoder)
    examples = prepare_pairs(pairs, targets, pieces)
    repeated = examples[: len(dialogues)] * (config.quac_repeats - 1)
    return EncoderTask(
        pretrained(encoder),
        config,
        [*examples, *repeated],
        vectors=encoded(targets, cache),
        held_out=prepare_pairs(scored, targets, pieces, negatives=False),
        seed=seed,
    )


def prepare_pairs(
    pairs: Sequence[EncoderPair],
    targets: Sequence[str],
    pieces: WordPieces,
    *,
    negatives: bool = True,
) -> list[EncoderExample]:
    """Pairs in word pieces; BM25 finds a hard negative for each question with a passage."""
    rows = {target: row for row, target in enumerate(targets)}
    answered = [pair for pair in pairs if not pair.rewrite]
    passages = list(dict.fromkeys(pair.target for pair in answered))
    hard: dict[int, int] = {}
    if negatives and answered:
        rankings = search([pair.text for pair in answered], passages, depth=PASSAGES_SEARCHED)
        for pair, ranking in zip(answered, rankings, strict=True):
            wrong = (at for at in ranking if passages[at] != pair.target)
            hard[id(pair)] = rows[passages[next(wrong)]]
    return [
        EncoderExample(
            (CLS, *pieces.split(pair.text)[-LONGEST:], SEP),
            rows[pair.target],
            hard.get(id(pair), -1),
            pair.rewrite,
        )
        for pair in pairs
    ]


def encoded(texts: Sequence[str], cache: Path) -> Matrix:
    """The texts' vectors by the encoder that indexes passages, kept in the cache."""
    encoder = load_encoder("minilm")
    digest = hashlib.sha256("\0".join([encoder.name, *texts]).encode()).hexdigest()[:16]
    path = cache / f"targets-{digest}.npy"
    if not path.exists():
        cache.mkdir(parents=True, exist_ok=True)
        np.save(path, encoder.encode(texts))
    vectors: Matrix = np.load(path)
    return vectors
