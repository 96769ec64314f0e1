"""Training Fusion-in-Decoder: one answer, all answers in a row, or PragmatiCQA's target form."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from torch import Tensor

from seminar.errors import ConfigurationError, unknown
from seminar.networks.checkpoints import tokenizer_of
from seminar.networks.papers.fusion.network import FusionInDecoder, fusion_backbone
from seminar.networks.papers.fusion.reader import PASSAGES, Asked, FusionReader, load, save_fusion
from seminar.networks.papers.fusion.texts import MARKS, Context, FusionText, Lengths, with_marks
from seminar.training.loop.batches import Epochs
from seminar.training.loop.run import Position
from seminar.training.papers.fusion.data import load_examples
from seminar.training.papers.fusion.examples import FusionExample
from seminar.training.papers.fusion.scores import set_scores
from seminar.training.samples import rank


@dataclass(frozen=True, slots=True)
class FusionConfig:
    """What is read and what is to be generated.

    `form` is "answer" (one of the answers), "answers" (all, parted by [SEP], in random order),
    "passage" (one answer from one passage that holds it: AmbigPrompt's auxiliary reader) or
    "target" (what the examples say, as PragmatiCQA's form). `start_from` is a trained folder.
    """

    backbone: str = "tiny"
    family: str = "t5"
    data: str = "pragmaticqa/train"
    held_out: str = "pragmaticqa/val"
    form: str = "answer"
    passages: int = PASSAGES
    passage_tokens: int = 200
    answer_tokens: int = 32
    batch_size: int = 8
    dropout: float = 0.1
    sample: int = 200
    start_from: str = ""


@dataclass(frozen=True, slots=True)
class Lesson:
    """What is asked, the answers that are told beforehand, and what is to be generated."""

    asked: Asked
    target: str
    told: tuple[str, ...] = ()

    @property
    def length(self) -> int:
        return max((len(passage) for passage in self.asked.passages), default=0)


@dataclass(frozen=True, slots=True)
class FusionBatch:
    """Questions over their passages, and the labels of what is to be generated."""

    context: Context
    labels: Tensor


Lecture = Callable[[FusionExample, random.Random, int], Lesson]


def _answer(example: FusionExample, draw: random.Random, passages: int) -> Lesson:
    return Lesson(example.asked(passages), draw.choice(example.answers)[0])


def _answers(example: FusionExample, draw: random.Random, passages: int) -> Lesson:
    """All answers; they have no order of their own."""
    shuffled = draw.sample(example.answers, len(example.answers))
    return Lesson(example.asked(passages), f" {MARKS[0]} ".join(one[0] for one in shuffled))


def _passage(example: FusionExample, draw: random.Random, passages: int) -> Lesson:
    """One answer from a passage that holds it, or from the best one where none does."""
    aliases = draw.choice(example.answers)
    held = example.evidence(aliases) or list(example.passages[:1])
    return Lesson(Asked(example.question, (draw.choice(held),)), aliases[0])


def _target(example: FusionExample, draw: random.Random, passages: int) -> Lesson:
    return Lesson(example.asked(passages), example.target)


FORMS: Mapping[str, Lecture] = {
    "answer": _answer,
    "answers": _answers,
    "passage": _passage,
    "target": _target,
}


class FusionTask:
    """Training a Fusion-in-Decoder on examples."""

    def __init__(
        self,
        reader: FusionReader,
        config: FusionConfig,
        examples: Sequence[FusionExample],
        *,
        held_out: Sequence[FusionExample] = (),
        seed: int = 0,
    ) -> None:
        if config.form not in FORMS:
            raise unknown("form", config.form, FORMS)
        self._reader, self._config = reader, config
        self._examples, self._held_out = list(examples), list(held_out)
        self._epochs = Epochs(self._examples, config.batch_size, seed=seed)

    @property
    def network(self) -> FusionInDecoder:
        return self._reader.network

    def batches(self, position: Position) -> Iterator[tuple[FusionBatch, Position]]:
        return self._epochs.stream(
            position, self._lesson, length=lambda one: one.length, collate=self._collate
        )

    def losses(self, batch: FusionBatch) -> dict[str, Tensor]:
        return {"answer": self.network(batch.context, batch.labels)}

    @property
    def epoch_batches(self) -> int:
        return self._epochs.batches

    def evaluate(self) -> dict[str, float]:
        """The scores of the held-out answers, and the perplexity of a token of the targets."""
        if not self._held_out:
            return {}
        lessons = [self._lesson(one, random.Random(one.id)) for one in self._held_out]
        perplexity = {"perplexity": self._perplexity(lessons)}
        if self._config.form == "target":
            return perplexity
        said = self._reader.answers([one.asked for one in lessons])
        texts = [[one.text for one in found] for found in said]
        return asdict(set_scores([one.answers for one in self._held_out], texts)) | perplexity

    def export(self, folder: Path) -> None:
        save_fusion(self._reader, folder)

    def _perplexity(self, lessons: Sequence[Lesson]) -> float:
        total = tokens = 0.0
        for at in range(0, len(lessons), self._config.batch_size):
            batch = self._collate(lessons[at : at + self._config.batch_size])
            count = float((batch.labels >= 0).sum())
            total, tokens = total + count * self.losses(batch)["answer"].item(), tokens + count
        return round(math.exp(total / tokens), 4)

    def _lesson(self, example: FusionExample, draw: random.Random) -> Lesson:
        return FORMS[self._config.form](example, draw, self._config.passages)

    def _collate(self, lessons: Sequence[Lesson]) -> FusionBatch:
        text = self._reader.text
        return FusionBatch(context_of(text, lessons), text.labels([one.target for one in lessons]))


def context_of(text: FusionText, lessons: Sequence[Lesson]) -> Context:
    """What is asked, as token ids."""
    asked = [one.asked for one in lessons]
    return text.context([one.question for one in asked], [one.passages for one in asked])


def held_out_of(name: str, *, passages: int, sample: int) -> list[FusionExample]:
    """A fixed sample of what is scored."""
    examples = load_examples(name, passages=passages)
    return sorted(examples, key=lambda one: rank(one.id))[:sample]


def fusion_task(config: FusionConfig, *, cache: Path, seed: int) -> FusionTask:
    """The whole task from its configuration."""
    examples = load_examples(config.data, passages=config.passages)
    if config.form != "target" and not all(one.answers for one in examples):
        raise ConfigurationError(f"{config.data} has questions without answers: use form 'target'")
    held_out = held_out_of(config.held_out, passages=config.passages, sample=config.sample)
    return FusionTask(begin(config, seed=seed), config, examples, held_out=held_out, seed=seed)


def begin(config: FusionConfig, *, seed: int) -> FusionReader:
    """The reader at the beginning of its training: on a backbone, or on a trained folder."""
    torch.manual_seed(seed)
    if config.start_from:
        trained = load(Path(config.start_from))
        network, tokenizer = trained.network, trained.text.tokenizer
    else:
        model = fusion_backbone(config.backbone, config.family, dropout=config.dropout)
        tokenizer = tokenizer_of(config.backbone)
        with_marks(model, tokenizer)
        network = FusionInDecoder(model)
    lengths = Lengths(config.passage_tokens, config.answer_tokens)
    text = FusionText(tokenizer, network.model, lengths)
    return FusionReader(network, text, passages=config.passages)
