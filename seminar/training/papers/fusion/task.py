"""Training Fusion-in-Decoder: one answer, all answers in a row, or PragmatiCQA's target form."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from torch import Tensor

from seminar.errors import ConfigurationError, unknown
from seminar.networks.checkpoints import tokenizer_of
from seminar.networks.papers.fusion.network import FusionInDecoder, fusion_backbone
from seminar.networks.papers.fusion.reader import (
    PASSAGES,
    FusionInput,
    FusionReader,
    load,
    save_fusion,
)
from seminar.networks.papers.fusion.texts import MARKS, Context, FusionText, Lengths, with_marks
from seminar.training.loop.epoch_task import EpochTask
from seminar.training.papers.fusion.data import load_examples
from seminar.training.papers.fusion.examples import FusionExample
from seminar.training.papers.fusion.scores import set_scores
from seminar.training.papers.perplexity import perplexity
from seminar.training.samples import rank


@dataclass(frozen=True, slots=True)
class FusionConfig:
    """What is read and what is generated.

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
class FusionSample:
    """A question over passages, the text to generate, and the answers that are known already."""

    input: FusionInput
    target: str
    known: tuple[str, ...] = ()

    @property
    def length(self) -> int:
        """Characters of the longest passage, which decides how long a batch's rows are."""
        return max((len(passage) for passage in self.input.passages), default=0)


@dataclass(frozen=True, slots=True)
class FusionBatch:
    """Questions over their passages, and the labels of what is to be generated."""

    context: Context
    labels: Tensor


def _answer(example: FusionExample, draw: random.Random, passages: int) -> FusionSample:
    return FusionSample(example.input(passages), draw.choice(example.answers)[0])


def _answers(example: FusionExample, draw: random.Random, passages: int) -> FusionSample:
    """All answers, shuffled, since a set of answers has no order."""
    shuffled = draw.sample(example.answers, len(example.answers))
    target = f" {MARKS[0]} ".join(aliases[0] for aliases in shuffled)
    return FusionSample(example.input(passages), target)


def _passage(example: FusionExample, draw: random.Random, passages: int) -> FusionSample:
    """One answer from a passage that holds it, or from the best one where none does."""
    aliases = draw.choice(example.answers)
    evidence = example.evidence(aliases) or list(example.passages[:1])
    return FusionSample(FusionInput(example.question, (draw.choice(evidence),)), aliases[0])


def _target(example: FusionExample, draw: random.Random, passages: int) -> FusionSample:
    return FusionSample(example.input(passages), example.target)


# Samples an example for the given number of passages.
Form = Callable[[FusionExample, random.Random, int], FusionSample]
FORMS: Mapping[str, Form] = {
    "answer": _answer,
    "answers": _answers,
    "passage": _passage,
    "target": _target,
}


class FusionTask(EpochTask[FusionExample, FusionSample, FusionBatch]):
    """Training a Fusion-in-Decoder on examples."""

    network: FusionInDecoder
    held_out: list[FusionExample]

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
        super().__init__(
            reader.network, examples, batch_size=config.batch_size, held_out=held_out, seed=seed
        )
        self._reader, self._config = reader, config

    def sample(self, example: FusionExample, draw: random.Random) -> FusionSample:
        return FORMS[self._config.form](example, draw, self._config.passages)

    def length(self, sample: FusionSample) -> int:
        return sample.length

    def collate(self, samples: Sequence[FusionSample]) -> FusionBatch:
        text = self._reader.text
        labels = text.labels([sample.target for sample in samples])
        return FusionBatch(context_of(text, samples), labels)

    def losses(self, batch: FusionBatch) -> dict[str, Tensor]:
        return {"answer": self.network(batch.context, batch.labels)}

    def score(self) -> dict[str, float]:
        """The scores of the held-out answers, and the perplexity of a token of the targets."""
        samples = [self.sample(example, random.Random(example.id)) for example in self.held_out]
        measured = {"perplexity": self._perplexity(samples)}
        if self._config.form == "target":
            return measured
        generated = self._reader.answers([sample.input for sample in samples])
        answers = [[one.text for one in texts] for texts in generated]
        references = [example.answers for example in self.held_out]
        return asdict(set_scores(references, answers)) | measured

    def export(self, folder: Path) -> None:
        save_fusion(self._reader, folder)

    def _perplexity(self, samples: Sequence[FusionSample]) -> float:
        size = self.batch_size
        starts = range(0, len(samples), size)
        batches = (self.collate(samples[start : start + size]) for start in starts)
        return round(perplexity(batches, lambda batch: self.losses(batch)["answer"]), 4)


def context_of(text: FusionText, samples: Sequence[FusionSample]) -> Context:
    """The questions and passages of samples as token ids."""
    inputs = [sample.input for sample in samples]
    return text.context([one.question for one in inputs], [one.passages for one in inputs])


def load_held_out(name: str, *, passages: int, sample: int) -> list[FusionExample]:
    """A fixed sample of a dataset's examples, to score a network on."""
    examples = load_examples(name, passages=passages)
    return sorted(examples, key=lambda example: rank(example.id))[:sample]


def fusion_task(config: FusionConfig, *, cache: Path, seed: int) -> FusionTask:
    """The whole task from its configuration."""
    examples = load_examples(config.data, passages=config.passages)
    if config.form != "target" and not all(one.answers for one in examples):
        raise ConfigurationError(f"{config.data} has questions without answers: use form 'target'")
    held_out = load_held_out(config.held_out, passages=config.passages, sample=config.sample)
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
