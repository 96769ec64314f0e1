"""The training of DPR's reader: one passage that answers among retrieved ones that don't."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from torch import Tensor

from seminar.errors import DatasetError, unknown
from seminar.metrics.measures.answer_spans import answer_spans
from seminar.metrics.measures.overlap import exact_match, f1_agreeing
from seminar.networks.checkpoints import tokenizer_of
from seminar.networks.papers.dpr.inputs import DprInputs, Ids, ReadInput, check_length
from seminar.networks.papers.dpr.reader import (
    CHOICES,
    Choice,
    DprReader,
    DprSpanReader,
    Lengths,
    export,
    marginal_span_loss,
    pretrained,
    selection_loss,
    stacked,
)
from seminar.training.loop.epoch_task import EpochTask
from seminar.training.papers.dpr.negatives import Mining, mine
from seminar.training.papers.dpr.pairs import Pair, check_some, pairs_of
from seminar.training.samples import rank
from seminar.types import Hit, Passage, Query


@dataclass(frozen=True, slots=True)
class DprReaderConfig:
    """Data and sizes; the defaults train a `tiny` one on the QuAC part.

    A question is read with `passages` passages, one of which answers it; the others were retrieved
    by BM25 and, where `retrieved_by` names a trained bi-encoder's folder, by that in turn: from
    `index`, an index of the whole corpus, or else from the passages of the pairs.
    """

    checkpoint: str = "tiny"
    source: str = "quac"
    form: str = "all-history"
    retrieved_by: str = ""
    index: str = ""
    batch_size: int = 8
    passages: int = 8
    depth: int = 100
    question_length: int = 96
    passage_length: int = 350
    answer_length: int = 10
    most_spans: int = 10
    choice: Choice = "passage"
    dropout: float = 0.1
    most: int = 0
    sample: int = 100

    def __post_init__(self) -> None:
        if self.choice not in CHOICES:
            raise unknown("choice of an answer", self.choice, CHOICES)

    @property
    def lengths(self) -> Lengths:
        return Lengths(self.question_length, self.passage_length, self.answer_length)


@dataclass(frozen=True, slots=True)
class DprReaderExample:
    """A question, its passage with the places of the answer in tokens, and retrieved passages."""

    question: Ids
    positive: ReadInput
    spans: tuple[tuple[int, int], ...]
    negatives: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DprReaderBatch:
    """Passages one below another, which of them each question has, and where its answers stand.

    `rows` (questions, passages) are places among the passages, the right one first, -1 for none.
    """

    ids: Tensor
    attended: Tensor
    readable: Tensor
    rows: Tensor
    spans: Tensor


class DprReaderTask(EpochTask[DprReaderExample, DprReaderExample, DprReaderBatch]):
    """Training DPR's reader; `pool` are the passages by the places that examples name."""

    network: DprReader
    held_out: list[tuple[Pair, tuple[int, ...]]]

    def __init__(
        self,
        network: DprReader,
        config: DprReaderConfig,
        examples: Sequence[DprReaderExample],
        *,
        pool: Sequence[Passage],
        inputs: DprInputs,
        held_out: Sequence[tuple[Pair, tuple[int, ...]]] = (),
        seed: int = 0,
    ) -> None:
        super().__init__(
            network, examples, batch_size=config.batch_size, held_out=held_out, seed=seed
        )
        self._config, self._pool, self._inputs = config, pool, inputs

    def sample(self, example: DprReaderExample, draw: random.Random) -> DprReaderExample:
        """The example with as many of its negatives as are read beside its own passage."""
        count = min(self._config.passages - 1, len(example.negatives))
        return replace(example, negatives=tuple(draw.sample(example.negatives, count)))

    def length(self, sample: DprReaderExample) -> int:
        return len(sample.positive.ids)

    def collate(self, samples: Sequence[DprReaderExample]) -> DprReaderBatch:
        inputs: list[ReadInput] = []
        rows: list[list[int]] = []
        for sample in samples:
            wrong = [self._pool[place] for place in sample.negatives]
            read = [sample.positive]
            if wrong:
                read += self._inputs.reading(sample.question, wrong, self._config.passage_length)
            rows.append(list(range(len(inputs), len(inputs) + len(read))))
            inputs += read
        return DprReaderBatch(
            *stacked(inputs, self._inputs),
            rows=_padded(rows, -1),
            spans=_padded([list(sample.spans) for sample in samples], (-1, -1)),
        )

    def losses(self, batch: DprReaderBatch) -> dict[str, Tensor]:
        scores = self.network(batch.ids, batch.attended, batch.readable)
        first = batch.rows[:, 0]
        selected = scores.selected[batch.rows.clamp(min=0)]  # (questions, passages)
        return {
            "span": marginal_span_loss(scores.start[first], scores.end[first], batch.spans),
            "selection": selection_loss(selected, batch.rows >= 0),
        }

    def score(self) -> dict[str, float]:
        """Exact match, F1, and how often the answer comes from the right passage, in percent.

        The right passage is read among retrieved ones. TopiOCQA's authors keep the checkpoint with
        the best exact match.
        """
        config = self._config
        reader = DprSpanReader(
            self.network, self._inputs, lengths=config.lengths, choice=config.choice
        )
        hits = [self._hits(pair, negatives) for pair, negatives in self.held_out]
        queries = [Query(pair.query) for pair, _ in self.held_out]
        exact, f1, chosen = 0.0, 0.0, 0.0
        for (pair, _), answers in zip(self.held_out, reader.read(queries, hits), strict=True):
            best = answers[0].text if answers else ""
            exact += max(exact_match(best, reference) for reference in pair.answers)
            f1 += max(f1_agreeing(best, reference) for reference in pair.answers)
            chosen += bool(answers) and answers[0].span.passage == self._pool[pair.positive]
        sums = {"exact match": exact, "f1": f1, "right passage": chosen}
        return {name: round(100 * value / len(hits), 2) for name, value in sums.items()}

    def export(self, folder: Path) -> None:
        config = self._config
        export(
            self.network,
            folder,
            inputs=self._inputs,
            lengths=config.lengths,
            choice=config.choice,
        )

    def _hits(self, pair: Pair, negatives: Sequence[int]) -> list[Hit]:
        places = [pair.positive, *negatives[: self._config.passages - 1]]
        return [Hit(self._pool[place], 0.0) for place in places]


def _padded(rows: Sequence[list[int]] | Sequence[list[tuple[int, int]]], filling: object) -> Tensor:
    """Rows padded to the longest of them."""
    longest = max(len(row) for row in rows)
    return torch.tensor([[*row, *[filling] * (longest - len(row))] for row in rows])


def dpr_reader_task(config: DprReaderConfig, *, cache: Path, seed: int) -> DprReaderTask:
    """The whole task from the datasets under SEMINAR_DATA."""
    torch.manual_seed(seed)
    network = pretrained(config.checkpoint, dropout=config.dropout)
    check_length("passage_length", config.passage_length, network.encoder.config)
    inputs = DprInputs(tokenizer_of(config.checkpoint))
    pairs = check_some(pairs_of(config.source, config.form, most=config.most), config.source)
    held_out = sorted(pairs.held_out, key=lambda one: rank(one.id))[: config.sample]

    mining = Mining(config.depth, config.depth, model=config.retrieved_by, index=config.index)
    learnt = mine(pairs.train, pairs.pool, mining, cache=cache)
    scored = mine(held_out, learnt.pool, mining, cache=cache)
    retrieved = list(zip(pairs.train, learnt.negatives, strict=True))
    return DprReaderTask(
        network,
        config,
        prepare(retrieved, pairs.pool, inputs, config=config),
        pool=scored.pool,
        inputs=inputs,
        held_out=list(zip(held_out, scored.negatives, strict=True)),
        seed=seed,
    )


def prepare(
    pairs: Sequence[tuple[Pair, tuple[int, ...]]],
    pool: Sequence[Passage],
    inputs: DprInputs,
    *,
    config: DprReaderConfig,
) -> list[DprReaderExample]:
    """Questions in tokens; those whose passage shares no word with the answer are left out."""
    examples = []
    for pair, wrong in pairs:
        passage = pool[pair.positive]
        question = inputs.question(pair.query, config.question_length)
        [positive] = inputs.reading(question, [passage], config.passage_length)
        found = answer_spans(passage.text, pair.answers, most=config.most_spans)
        places = (positive.tokens(span.start, span.end) for span in found)
        spans = tuple(place for place in places if place)
        if spans:
            examples.append(DprReaderExample(question, positive, spans, wrong))
    if not examples:
        raise DatasetError(f"no question of {config.source} has its answer's words in its passage")
    return examples
