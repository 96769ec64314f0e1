"""The reader's training: its data, its curriculum of windows, its losses and its scores."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.func import functional_call

from seminar.datasets.catalog import load
from seminar.examples import Example
from seminar.models.reader.layout import ANSWER_TYPES
from seminar.models.word_pieces import WordPieces
from seminar.networks.checkpoints import VOCABULARY, encoder_folder
from seminar.networks.reader import (
    IGNORED,
    ReaderNetwork,
    ReaderOutput,
    choice_loss,
    pretrained,
    span_loss,
)
from seminar.training.loop.batches import CHUNK_BATCHES, Epochs, bucketed, stream
from seminar.training.loop.run import Position
from seminar.training.reader.augmentation import Augmentation
from seminar.training.reader.config import ReaderConfig
from seminar.training.reader.coqa import conversations
from seminar.training.reader.distillation import Teacher, distillation_loss
from seminar.training.reader.examples import ReaderExample, Target, prepare
from seminar.training.reader.from_onnx import recover
from seminar.training.reader.negatives import retrieved_negatives
from seminar.training.reader.pseudo_answers import read_pseudo_answers
from seminar.training.reader.quantisation import quantised_weights
from seminar.training.reader.scores import ReadingScores
from seminar.training.reader.verification import verification_examples
from seminar.training.reader.written import written_examples
from seminar.training.reader.yes_no import yes_no_questions
from seminar.training.samples import boolq_parts, qaconv_chunks, quac_parts, sample, written_parts

SHAPE_STEP = 16  # batches are padded to a multiple of so many word pieces


@dataclass(frozen=True, slots=True)
class ReaderBatch:
    """Padded inputs (batch, tokens) and labels (batch,)."""

    ids: Tensor
    attended: Tensor
    segments: Tensor
    marks: Tensor
    start: Tensor
    end: Tensor
    type: Tensor
    continuation: Tensor


class ReaderTask:
    """Training the reader on prepared examples."""

    def __init__(
        self,
        network: ReaderNetwork,
        config: ReaderConfig,
        examples: Sequence[ReaderExample],
        *,
        scores: ReadingScores | None = None,
        pseudo: Mapping[str, tuple[tuple[int, ...], ...]] | None = None,
        teacher: Teacher | None = None,
        seed: int = 0,
    ) -> None:
        network.freeze(config.frozen_layers)
        self._network, self._config, self._teacher = network, config, teacher
        self._scores, size = scores, config.batch_size
        self._epochs = Epochs(list(examples), size, seed=seed, chunk=size * CHUNK_BATCHES)
        self._augmentation = Augmentation(config, self._epochs.items, pseudo or {})

    @property
    def network(self) -> ReaderNetwork:
        return self._network

    def batches(self, position: Position) -> Iterator[tuple[ReaderBatch, Position]]:
        return stream(position, self._chunk, collate)

    def losses(self, batch: ReaderBatch) -> dict[str, Tensor]:
        quantised = self._config.quantisation_aware
        weights = quantised_weights(self._network) if quantised else {}
        output = run(self._network, batch, weights)
        losses = {
            "span_loss": span_loss(output, batch.start, batch.end),
            "type_loss": choice_loss(output.type, batch.type),
            "continuation_loss": choice_loss(output.continuation, batch.continuation),
        }
        if self._teacher is None:
            return losses
        share = self._config.teacher_share
        taught = self._teacher.read(lambda network: run(network, batch))
        return {
            **{name: (1 - share) * loss for name, loss in losses.items()},
            "teacher_loss": share * distillation_loss(output, taught),
        }

    def evaluate(self) -> dict[str, float]:
        return self._scores.measure(self._network) if self._scores else {}

    def _chunk(self, number: int) -> list[list[Target]]:
        """The batches of a chunk, a function of the seed and the number."""
        examples, draw = self._epochs.drawn(number)
        window = self._window(number * self._epochs.chunk)
        targets = [self._augmentation.sample(example, window, draw) for example in examples]
        return bucketed(
            targets, self._config.batch_size, draw, length=lambda one: len(one.layout.ids)
        )

    def _window(self, seen: int) -> int:
        return [size for start, size in self._config.windows if start <= seen][-1]


def run(
    network: nn.Module, batch: ReaderBatch, weights: Mapping[str, Tensor] | None = None
) -> ReaderOutput:
    """The network's logits for a batch, with other weights in place of some of its own if given."""
    inputs = (batch.ids, batch.attended, batch.segments, batch.marks)
    output: ReaderOutput = functional_call(network, dict(weights or {}), inputs)
    return output


def collate(targets: Sequence[Target]) -> ReaderBatch:
    """Targets of similar length as one padded batch."""
    # Few different shapes: matrix kernels are prepared, and kept, for each.
    longest = -(-max(len(target.layout.ids) for target in targets) // SHAPE_STEP) * SHAPE_STEP

    def padded(rows: Iterable[Sequence[int]]) -> Tensor:
        return torch.tensor([[*row, *[0] * (longest - len(row))] for row in rows])

    def spans(positions: Iterable[int]) -> Tensor:
        # A yes or no without annotated evidence doesn't train the span heads.
        marked = [target.end > 0 or target.type not in ("yes", "no") for target in targets]
        return torch.tensor(
            [at if known else IGNORED for at, known in zip(positions, marked, strict=True)]
        )

    return ReaderBatch(
        ids=padded(target.layout.ids for target in targets),
        attended=padded([1] * len(target.layout.ids) for target in targets),
        segments=padded(target.layout.segments for target in targets),
        marks=padded(target.layout.marks for target in targets),
        start=spans(target.start for target in targets),
        end=spans(target.end for target in targets),
        type=torch.tensor(
            [ANSWER_TYPES.index(one.type) if one.type else IGNORED for one in targets]
        ),
        continuation=torch.full((len(targets),), IGNORED),
    )


def untokenised(example: Example) -> Example:
    """A space-tokenised question as people type it: its spelling would give away its label."""
    question = example.question
    if question.startswith('"') and question.endswith('"') and '""' in question:
        question = question[1:-1].replace('""', '"')
    question = question.replace(" n't", "n't").replace("can not", "cannot")
    return replace(example, question=question)


def with_question_mark(example: Example) -> Example:
    """A question of BoolQ with the mark it lacks, which would otherwise give away a yes or no."""
    return replace(example, question=f"{example.question}?")


def reader_task(config: ReaderConfig, *, cache: Path, seed: int) -> ReaderTask:
    """The whole task from the datasets under SEMINAR_DATA and the pretrained encoder."""
    pieces = WordPieces(VOCABULARY.parent)
    squad = list(load("squad/train"))
    quac, quac_held_out = quac_parts()
    quac = [one for one in quac if one.history or config.quac_first_questions]
    boolq, boolq_held_out = boolq_parts()
    negatives = retrieved_negatives(sample(squad, config.negatives), squad, cache)
    boolq_negatives = retrieved_negatives(sample(boolq, config.boolq_negatives), boolq, cache)
    answered = [example for example in quac if example.gold.answerable]
    quac_negatives = retrieved_negatives(sample(answered, config.quac_negatives), quac, cache)
    unanswerable = _some(load("squad/train-v2-unanswerable"), config.unanswerable)
    examples = [
        *prepare(_some(squad, config.squad), pieces, "squad"),
        *prepare(map(untokenised, unanswerable), pieces, "unanswerable"),
        *prepare(map(with_question_mark, _some(boolq, config.boolq)), pieces, "boolq")
        * config.boolq_repeats,
        *prepare(map(with_question_mark, boolq_negatives), pieces, "boolq"),
        *prepare(quac, pieces, "quac") * config.quac_repeats,
        *prepare(quac_negatives, pieces, "quac"),
        *prepare(negatives, pieces, "negative"),
        *_yes_no(config, squad, pieces, seed),
        *_coqa(config, pieces, cache),
        *_qaconv(config, pieces),
        *_written(config, pieces, seed),
        *_verification(config, pieces),
    ]
    scores = ReadingScores(
        pieces,
        squad=sample(load("squad/dev-v2"), config.squad_sample),
        quac=sample(quac_held_out, config.quac_sample),
        boolq=sample(boolq_held_out, config.boolq_sample),
    )
    network = pretrained(config.encoder or str(encoder_folder()), config.dropout, config.layers)
    if config.weights:
        recover(network, Path(config.weights))
    file = config.pseudo_answers
    pseudo = read_pseudo_answers(cache / file, pieces) if file else None
    return ReaderTask(
        network,
        config,
        examples,
        scores=scores,
        pseudo=pseudo,
        teacher=_teacher(config),
        seed=seed,
    )


def _teacher(config: ReaderConfig) -> Teacher | None:
    if not config.teacher:
        return None
    encoder = config.teacher_encoder or str(encoder_folder())
    return Teacher.load(Path(config.teacher), encoder, config.teacher_layers)


def _yes_no(
    config: ReaderConfig, squad: Sequence[Example], pieces: WordPieces, seed: int
) -> list[ReaderExample]:
    if not config.yes_no_repeats:
        return []
    questions = _some(yes_no_questions(squad, random.Random(seed)), config.yes_no)
    return prepare(questions, pieces, "yes no") * config.yes_no_repeats


def _coqa(config: ReaderConfig, pieces: WordPieces, cache: Path) -> list[ReaderExample]:
    """Conversations about stories, each question also asked of a story that doesn't answer it.

    Without these negatives, a reader that has seen a story often answers any question about it.
    """
    if not config.coqa_repeats:
        return []
    asked = conversations()
    wrong = retrieved_negatives(asked, asked, cache)
    return prepare([*asked, *wrong], pieces, "coqa") * config.coqa_repeats


def _qaconv(config: ReaderConfig, pieces: WordPieces) -> list[ReaderExample]:
    if not config.qaconv_repeats:
        return []
    return prepare(qaconv_chunks(), pieces, "qaconv") * config.qaconv_repeats


def _written(config: ReaderConfig, pieces: WordPieces, seed: int) -> list[ReaderExample]:
    if not config.written_repeats:
        return []
    groups, _ = written_parts()
    examples = written_examples(groups, seed=seed, repeats=config.written_repeats)
    return prepare(examples, pieces, "written")


def _verification(config: ReaderConfig, pieces: WordPieces) -> list[ReaderExample]:
    if not config.verification:
        return []
    return prepare(verification_examples(config.verification), pieces, "verification")


def _some(examples: Iterable[Example], count: int) -> list[Example]:
    """A fixed sample of `count` examples; 0 is all."""
    return sample(examples, count) if count else list(examples)
