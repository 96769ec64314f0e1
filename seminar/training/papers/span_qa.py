"""The training of span QA: every window of every context, [CLS] where the answer is not in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from seminar.datasets.conversations.qaconv_chunks import load_split
from seminar.errors import DatasetError
from seminar.examples import Example
from seminar.metrics.measures.answer_spans import answer_spans
from seminar.metrics.official.squad import score_v2_answer
from seminar.networks.checkpoints import tokenizer_of
from seminar.networks.papers.dpr.inputs import check_length
from seminar.networks.papers.span_qa.network import (
    Decision,
    SpanQa,
    SpanQaReader,
    export,
    pretrained,
    span_loss,
)
from seminar.networks.papers.span_qa.windows import SpanInputs, Window, WindowSizes
from seminar.training.loop.epoch_task import EpochTask
from seminar.training.reader.examples import without_sentinel
from seminar.training.reader.task import untokenised
from seminar.training.samples import sample

# Space-tokenised questions, whose spelling would give away that they have no answer.
TOKENISED = "squad/train-v2-unanswerable"


@dataclass(frozen=True, slots=True)
class SpanQaConfig:
    """Data, window sizes and how an answer is chosen; the defaults train a `tiny` one on SQuAD 2.0.

    Windows are `stride` tokens apart. `most` keeps a sample of each training set, 0 all of it.
    """

    checkpoint: str = "tiny"
    data: tuple[str, ...] = ("squad/train", TOKENISED)
    held_out: str = "squad/dev-v2"
    batch_size: int = 16
    question_length: int = 64
    window: int = 384
    stride: int = 128
    longest: int = 30
    n_best: int = 20
    null_threshold: float = 0.0
    passages: int = 1
    most: int = 0
    sample: int = 300

    @property
    def sizes(self) -> WindowSizes:
        return WindowSizes(self.question_length, self.window, self.stride)

    @property
    def decision(self) -> Decision:
        return Decision(self.longest, self.n_best, self.null_threshold)


@dataclass(frozen=True, slots=True)
class SpanQaExample:
    """A window and the first and last token of its answer, 0 and 0 where it has none."""

    window: Window
    span: tuple[int, int]


@dataclass(frozen=True, slots=True)
class SpanQaBatch:
    """Padded windows (windows, tokens) and their spans (windows, 2)."""

    ids: Tensor
    attended: Tensor
    segments: Tensor
    readable: Tensor
    spans: Tensor


class SpanQaTask(EpochTask[SpanQaExample, SpanQaExample, SpanQaBatch]):
    """Training span QA on prepared windows."""

    network: SpanQa
    held_out: list[Example]

    def __init__(
        self,
        network: SpanQa,
        config: SpanQaConfig,
        examples: Sequence[SpanQaExample],
        *,
        inputs: SpanInputs,
        held_out: Sequence[Example] = (),
        seed: int = 0,
    ) -> None:
        super().__init__(
            network, examples, batch_size=config.batch_size, held_out=held_out, seed=seed
        )
        self._config, self._inputs = config, inputs

    def length(self, sample: SpanQaExample) -> int:
        return len(sample.window.ids)

    def collate(self, samples: Sequence[SpanQaExample]) -> SpanQaBatch:
        tensors = self._inputs.stacked([sample.window for sample in samples])
        return SpanQaBatch(*tensors, spans=torch.tensor([sample.span for sample in samples]))

    def losses(self, batch: SpanQaBatch) -> dict[str, Tensor]:
        start, end = self.network(batch.ids, batch.attended, batch.segments, batch.readable)
        return {"span": span_loss(start, end, batch.spans)}

    def score(self) -> dict[str, float]:
        """SQuAD 2.0's F1 and exact match in percent, and the share of questions answered."""
        reader = SpanQaReader(self.network, self._inputs, decision=self._config.decision)
        rankings = reader.candidates([(one.question, one.context) for one in self.held_out])
        threshold = self._config.null_threshold
        f1, exact, answered = 0.0, 0.0, 0
        for example, candidates in zip(self.held_out, rankings, strict=True):
            answer = ""
            if candidates and candidates[0].margin + threshold >= 0:
                answer = example.context[candidates[0].start : candidates[0].end]
            references = example.gold.answers if example.gold.answerable else ()
            score = score_v2_answer(answer, references)
            f1, exact, answered = f1 + score.f1, exact + score.exact, answered + bool(answer)
        sums = {"f1": f1, "exact match": exact, "answered": answered}
        return {name: round(100 * value / len(self.held_out), 2) for name, value in sums.items()}

    def export(self, folder: Path) -> None:
        config = self._config
        export(
            self.network,
            folder,
            inputs=self._inputs,
            decision=config.decision,
            passages=config.passages,
            data=config.data,
        )


def span_qa_task(config: SpanQaConfig, *, cache: Path, seed: int) -> SpanQaTask:
    """The whole task from the datasets under SEMINAR_DATA."""
    torch.manual_seed(seed)
    network = pretrained(config.checkpoint)
    check_length("window", config.window, network.model.config)
    inputs = SpanInputs(tokenizer_of(config.checkpoint), config.sizes)
    examples = [one for name in config.data for one in _loaded(name, config.most)]
    held_out = sample(_loaded(config.held_out, 0), config.sample) if config.held_out else []
    return SpanQaTask(
        network,
        config,
        prepare(examples, inputs),
        inputs=inputs,
        held_out=held_out,
        seed=seed,
    )


def _loaded(name: str, most: int) -> list[Example]:
    """The questions of a split that have a context."""
    examples = [one for one in load_split(name, None) if one.context]
    chosen = sample(examples, most) if most else examples
    return [untokenised(one) for one in chosen] if name == TOKENISED else chosen


def prepare(examples: Iterable[Example], inputs: SpanInputs) -> list[SpanQaExample]:
    """All windows of all contexts; answerable questions whose answer isn't found are left out."""
    prepared = []
    for example in examples:
        span = answer_span(example)
        if span is None and example.gold.answerable:
            continue
        for window in inputs.windows(example.question, without_sentinel(example.context)):
            prepared.append(SpanQaExample(window, window.tokens(span)))
    if not prepared:
        raise DatasetError("no question has a context with its answer in it")
    return prepared


def answer_span(example: Example) -> tuple[int, int] | None:
    """The answer's span: the dataset's own, or else where its words first occur."""
    if not example.gold.answerable:
        return None
    if example.gold.spans:
        return example.gold.spans[0]
    literal = [one for one in answer_spans(example.context, example.gold.answers) if one.f1 == 1]
    return (literal[0].start, literal[0].end) if literal else None
