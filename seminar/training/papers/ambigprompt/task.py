"""Training AmbigPrompt: post-pretraining on pseudo answers, then prompt-based tuning (3.3)."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from torch import Tensor

from seminar.errors import ConfigurationError, unknown
from seminar.metrics.official.ambigqa import matches
from seminar.networks.checkpoints import settings_of, tokenizer_of
from seminar.networks.papers.ambigprompt import reader as ambigprompt_reader
from seminar.networks.papers.ambigprompt.network import PROMPTINGS, AmbigPrompt, Prompting
from seminar.networks.papers.ambigprompt.reader import AmbigPromptReader, save_ambigprompt
from seminar.networks.papers.fusion import reader as fusion_reader
from seminar.networks.papers.fusion.network import fusion_backbone
from seminar.networks.papers.fusion.reader import PASSAGES
from seminar.networks.papers.fusion.texts import (
    END_OF_ITERATION,
    Context,
    FusionText,
    KnownAnswers,
    Lengths,
    with_marks,
)
from seminar.training.loop.epoch_task import EpochTask
from seminar.training.papers.ambigprompt.pseudo import PseudoAnswers, read_pseudo_answers
from seminar.training.papers.fusion.data import load_examples
from seminar.training.papers.fusion.examples import FusionExample
from seminar.training.papers.fusion.scores import set_scores
from seminar.training.papers.fusion.task import FusionSample, context_of, load_held_out

TUNING, POST_PRETRAINING = "tuning", "post-pretraining"


@dataclass(frozen=True, slots=True)
class AmbigPromptConfig:
    """What is read, and how the model is prompted.

    `stage` is "post-pretraining" (Eq. 9; `pseudo_answers` names the file) or "tuning" (Eq. 10).
    `end_share` is the paper's threshold lambda: how often all answers are known and [EOI] is the
    target. `known_share` is the probability of each further answer to be known, so that their
    number is a sum of Bernoulli draws. Table 3's ablations are `prompting` "learned" (no prompting
    model) and "separate" (no interleaving), and tuning that doesn't `start_from` a post-pretrained
    folder.
    """

    backbone: str = "tiny"
    data: str = "synthetic/several"
    held_out: str = "synthetic/held-out"
    stage: str = TUNING
    prompting: str = "interleaved"
    pseudo_answers: str = "pseudo-answers.json"
    passages: int = PASSAGES
    passage_tokens: int = 200
    answer_tokens: int = 32
    batch_size: int = 32
    dropout: float = 0.1
    end_share: float = 0.5
    known_share: float = 0.5
    sample: int = 200
    start_from: str = ""

    def __post_init__(self) -> None:
        if self.prompting not in PROMPTINGS:
            raise unknown("prompting", self.prompting, PROMPTINGS)
        if self.stage not in (TUNING, POST_PRETRAINING):
            raise unknown("stage", self.stage, (TUNING, POST_PRETRAINING))
        for name in ("end_share", "known_share"):
            if not 0 <= getattr(self, name) <= 1:
                raise ConfigurationError(f"{name} is {getattr(self, name)}: say 0 to 1")


@dataclass(frozen=True, slots=True)
class AmbigPromptBatch:
    """Questions over their passages, the known answers, and the labels of a further one."""

    context: Context
    known: KnownAnswers
    labels: Tensor


class AmbigPromptTask(EpochTask[FusionExample, FusionSample, AmbigPromptBatch]):
    """Training AmbigPrompt in one of its stages."""

    network: AmbigPrompt
    held_out: list[FusionExample]

    def __init__(
        self,
        reader: AmbigPromptReader,
        config: AmbigPromptConfig,
        examples: Sequence[FusionExample],
        *,
        held_out: Sequence[FusionExample] = (),
        pseudo: PseudoAnswers | None = None,
        seed: int = 0,
    ) -> None:
        super().__init__(
            reader.network, examples, batch_size=config.batch_size, held_out=held_out, seed=seed
        )
        self._reader, self._config = reader, config
        self._pseudo: PseudoAnswers = pseudo or {}

    def sample(self, example: FusionExample, draw: random.Random) -> FusionSample:
        config = self._config
        if config.stage == TUNING:
            target, known = tuning_target(
                example.answers, draw, end_share=config.end_share, known_share=config.known_share
            )
        else:
            target, pseudo = example.answers[0][0], self._pseudo.get(example.id, ())
            known = sample_pseudo_answers(
                pseudo, draw, gold=example.answers[0], share=config.known_share
            )
        return FusionSample(example.input(config.passages), target, known)

    def length(self, sample: FusionSample) -> int:
        return sample.length

    def collate(self, samples: Sequence[FusionSample]) -> AmbigPromptBatch:
        text = self._reader.text
        return AmbigPromptBatch(
            context_of(text, samples),
            text.known_answers([sample.known for sample in samples]),
            text.labels([sample.target for sample in samples]),
        )

    def losses(self, batch: AmbigPromptBatch) -> dict[str, Tensor]:
        return {"answer": self.network(batch.context, batch.known, batch.labels)}

    def score(self) -> dict[str, float]:
        """F1, precision and recall of the answers to held-out questions, and their number."""
        inputs = [example.input(self._config.passages) for example in self.held_out]
        answers = [[one.text for one in texts] for texts in self._reader.answers(inputs)]
        return asdict(set_scores([example.answers for example in self.held_out], answers))

    def export(self, folder: Path) -> None:
        save_ambigprompt(self._reader, folder)


def tuning_target(
    answers: Sequence[Sequence[str]], draw: random.Random, *, end_share: float, known_share: float
) -> tuple[str, tuple[str, ...]]:
    """A further answer and those known before it, or the end once all are known (Eq. 10).

    The answers are shuffled, since a set has no order. t - 1 of n - 1 draws come out true.
    """
    shuffled = [aliases[0] for aliases in draw.sample(answers, len(answers))]
    if draw.random() < end_share:
        return END_OF_ITERATION, tuple(shuffled)
    before = sum(draw.random() < known_share for _ in shuffled[1:])
    return shuffled[before], tuple(shuffled[:before])


def sample_pseudo_answers(
    pseudo: Sequence[str], draw: random.Random, *, gold: Sequence[str], share: float
) -> tuple[str, ...]:
    """Some of the pseudo answers, in random order, none the same as the gold answer (Eq. 9)."""
    count = sum(draw.random() < share for _ in pseudo)
    return tuple(answer for answer in draw.sample(pseudo, count) if not matches(gold, answer))


def begin(config: AmbigPromptConfig, *, seed: int) -> AmbigPromptReader:
    """The reader at the beginning of its training: on a backbone, or on a trained folder.

    The folder may hold a Fusion-in-Decoder, the paper's reader of Natural Questions, whose weights
    the answering model takes, or an AmbigPrompt of the same prompting.
    """
    torch.manual_seed(seed)
    prompting: Prompting = next(one for one in PROMPTINGS if one == config.prompting)
    if not config.start_from:
        model = fusion_backbone(config.backbone, "t5", dropout=config.dropout)
        tokenizer = tokenizer_of(config.backbone)
        with_marks(model, tokenizer)
        network = AmbigPrompt(model, prompting=prompting)
    elif settings_of(Path(config.start_from))["network"] == AmbigPrompt.__name__:
        trained = ambigprompt_reader.load(Path(config.start_from))
        network, tokenizer = trained.network, trained.text.tokenizer
        if network.prompting != prompting:
            raise ConfigurationError(
                f"{config.start_from} was trained with prompting '{network.prompting}', "
                f"not '{prompting}'"
            )
    else:
        fusion = fusion_reader.load(Path(config.start_from))
        tokenizer = fusion.text.tokenizer
        network = AmbigPrompt(fusion.network.model, prompting=prompting)
    text = FusionText(
        tokenizer, network.model, Lengths(config.passage_tokens, config.answer_tokens)
    )
    return AmbigPromptReader(network, text, passages=config.passages)


def ambigprompt_task(config: AmbigPromptConfig, *, cache: Path, seed: int) -> AmbigPromptTask:
    """The whole task from its configuration; pseudo answers are looked for in the cache."""
    pseudo: Mapping[str, Sequence[str]] = {}
    if config.stage == POST_PRETRAINING:
        pseudo = read_pseudo_answers(cache / config.pseudo_answers)
    return AmbigPromptTask(
        begin(config, seed=seed),
        config,
        load_examples(config.data, passages=config.passages),
        held_out=load_held_out(config.held_out, passages=config.passages, sample=config.sample),
        pseudo=pseudo,
        seed=seed,
    )
