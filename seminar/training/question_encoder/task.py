"""The conversational question encoder's training: dialogues in, the fixed encoder's vectors out."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Sequence
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
from seminar.training.loop.batches import CHUNK_BATCHES, Epochs, as_it_is
from seminar.training.loop.run import Position
from seminar.training.question_encoder.pairs import (
    Lesson,
    quac_lessons,
    rewrite_lessons,
    squad_lessons,
)
from seminar.training.reader.negatives import search
from seminar.training.rewriter.rewrites import apart_from, with_titles
from seminar.training.samples import quac_parts, sample
from seminar.types import Matrix

CLS, SEP = 101, 102
LONGEST = 160
PASSAGES_SEARCHED = 5  # the best of these that is not the aim is the hard negative


@dataclass(frozen=True, slots=True)
class EncoderConfig:
    """Data and losses; questions in their dialogues are drawn toward their aims.

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
    """A dialogue's word pieces, the row of its aim, and the row of a hard negative or -1."""

    ids: tuple[int, ...]
    aim: int
    negative: int
    rewrite: bool


@dataclass(frozen=True, slots=True)
class EncoderBatch:
    """Padded inputs (batch, tokens), the aims' vectors, hard negatives, and which aim to meet."""

    ids: Tensor
    attended: Tensor
    aims: Tensor
    negatives: Tensor
    rewrites: Tensor


class EncoderTask:
    """Training the question side; `vectors` are the aims in the fixed encoder's space."""

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
        self._network, self._config = network, config
        size = config.batch_size
        self._epochs = Epochs(list(examples), size, seed=seed, chunk=size * CHUNK_BATCHES)
        self._held_out = list(held_out)
        self._vectors = torch.from_numpy(vectors)

    @property
    def network(self) -> QuestionEncoder:
        return self._network

    def batches(self, position: Position) -> Iterator[tuple[EncoderBatch, Position]]:
        return self._epochs.stream(
            position, as_it_is, length=lambda one: len(one.ids), collate=self._collate
        )

    def losses(self, batch: EncoderBatch) -> dict[str, Tensor]:
        questions = self._network(batch.ids, batch.attended)
        losses = {
            "contrast": contrast(questions, batch.aims, batch.negatives, self._config.temperature)
        }
        met = 1 - (questions * batch.aims).sum(dim=1)
        distance = (met * batch.rewrites).sum() / batch.rewrites.sum().clamp(min=1)
        return {**losses, "distance": self._config.rewrite_weight * distance}

    def evaluate(self) -> dict[str, float]:
        """How often the held-out questions' own passage is first, or among the first five."""
        if not self._held_out:
            return {}
        ranks = []
        for at in range(0, len(self._held_out), 32):
            batch = self._held_out[at : at + 32]
            inputs = self._collate(batch)
            scores = self._network(inputs.ids, inputs.attended) @ self._vectors.T
            own = (inputs.aims @ self._vectors.T).argmax(dim=1, keepdim=True)
            ranks.append((scores > scores.gather(1, own)).sum(dim=1))
        all_ranks = torch.cat(ranks)
        return {
            f"recall at {k}": round(100 * float((all_ranks < k).float().mean()), 2) for k in (5, 1)
        }

    def _collate(self, examples: Sequence[EncoderExample]) -> EncoderBatch:
        longest = max(len(one.ids) for one in examples)
        negatives = [one.negative for one in examples if one.negative >= 0]
        return EncoderBatch(
            torch.tensor([[*one.ids, *[0] * (longest - len(one.ids))] for one in examples]),
            torch.tensor([[1] * len(one.ids) + [0] * (longest - len(one.ids)) for one in examples]),
            self._vectors[[one.aim for one in examples]],
            self._vectors[negatives],
            torch.tensor([float(one.rewrite) for one in examples]),
        )


def encoder_task(config: EncoderConfig, *, cache: Path, seed: int) -> EncoderTask:
    """The whole task from the datasets under SEMINAR_DATA, toward the index's own `minilm`."""
    draw = random.Random(f"{seed} lessons")
    quac, held_out = quac_parts()
    kept = apart_from(
        [*with_titles(list(load("canard/train-pairs"))), *load("qrecc/train-part")],
        [*load("canard/dev"), *load("qrecc/dev-part")],
    )
    dialogues = quac_lessons(quac)
    lessons = [
        *dialogues,
        *squad_lessons(sample(load("squad/train"), config.squad), draw),
        *rewrite_lessons(sample(kept, config.rewrites)),
    ]
    scored = quac_lessons(held_out)
    scored = draw.sample(scored, min(config.sample, len(scored)))
    aims = list(dict.fromkeys(one.aim for one in (*lessons, *scored)))
    encoder = encoder_folder()
    pieces = WordPieces(encoder)
    examples = prepare_lessons(lessons, aims, pieces)
    repeated = examples[: len(dialogues)] * (config.quac_repeats - 1)
    return EncoderTask(
        pretrained(encoder),
        config,
        [*examples, *repeated],
        vectors=encoded(aims, cache),
        held_out=prepare_lessons(scored, aims, pieces, negatives=False),
        seed=seed,
    )


def prepare_lessons(
    lessons: Sequence[Lesson], aims: Sequence[str], pieces: WordPieces, *, negatives: bool = True
) -> list[EncoderExample]:
    """Lessons in word pieces; BM25 finds each passage's hardest rival for its question."""
    rows = {aim: at for at, aim in enumerate(aims)}
    asked = [one for one in lessons if not one.rewrite]
    passages = list(dict.fromkeys(one.aim for one in asked))
    rivals: dict[int, int] = {}
    if negatives and asked:
        rankings = search([one.text for one in asked], passages, depth=PASSAGES_SEARCHED)
        for one, ranking in zip(asked, rankings, strict=True):
            wrong = (at for at in ranking if passages[at] != one.aim)
            rivals[id(one)] = rows[passages[next(wrong)]]
    return [
        EncoderExample(
            (CLS, *pieces.split(one.text)[-LONGEST:], SEP),
            rows[one.aim],
            rivals.get(id(one), -1),
            one.rewrite,
        )
        for one in lessons
    ]


def encoded(texts: Sequence[str], cache: Path) -> Matrix:
    """The texts' vectors by the encoder that indexes passages, kept in the cache."""
    encoder = load_encoder("minilm")
    digest = hashlib.sha256("\0".join([encoder.name, *texts]).encode()).hexdigest()[:16]
    path = cache / f"aims-{digest}.npy"
    if not path.exists():
        cache.mkdir(parents=True, exist_ok=True)
        np.save(path, encoder.encode(texts))
    vectors: Matrix = np.load(path)
    return vectors
