"""The reader's training: its mix of data, its curriculum, its losses and its scores."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from torch import Tensor

from seminar.datasets.catalog import load
from seminar.examples import Example
from seminar.models.reader_layout import ANSWER_TYPES
from seminar.models.word_pieces import WordPieces
from seminar.networks.checkpoints import encoder_folder
from seminar.networks.reader import (
    IGNORED,
    ReaderNetwork,
    ReaderOutput,
    choice_loss,
    pretrained,
    span_loss,
)
from seminar.training.batches import CHUNK_BATCHES, Epochs, bucketed, stream
from seminar.training.coqa import conversations
from seminar.training.loop import Position
from seminar.training.negatives import retrieved_negatives
from seminar.training.pseudo_answers import read_pseudo_answers
from seminar.training.reading import ReaderExample, Target, crop, prepare, target_of, unnamed
from seminar.training.reading_scores import ReadingScores
from seminar.training.samples import boolq_parts, qaconv_chunks, quac_parts, sample

QUERY = 1029  # the question mark's word piece
WHAT_IS = (2054, 2003)
OPENING = 24  # word pieces of a passage that tell what it is about
PRONOUNS = ((2009,), (2009,), (2002,), (2016,), (2027,))  # it, twice as often as he, she, they


@dataclass(frozen=True, slots=True)
class ReaderConfig:
    """The reader's data and input; `windows` pairs a number of examples seen with a window size.

    Each share is the probability that an example is shown so.
    """

    batch_size: int = 16
    windows: tuple[tuple[int, int], ...] = ((0, 104), (24_000, 152), (96_000, 264))
    dropout: float = 0.0
    frozen_layers: int = 0
    quac_repeats: int = 4
    boolq_repeats: int = 1
    qaconv_repeats: int = 0  # the shipped reader has not seen QAConv, so it is measured zero-shot
    negatives: int = 16_000
    boolq_negatives: int = 0
    coqa_repeats: int = 0
    quac_openings: bool = True  # first questions, whose answers are a sentence or more
    history_share: float = 0.15  # SQuAD: after other questions about the passage
    pronoun_share: float = 0.0  # of those: with a pronoun for what was named before
    introduced_share: float = 0.0  # BoolQ: after a question of what the passage is about
    found_share: float = 0.06  # told answers that were found
    end_share: float = 0.03  # told that all were found
    end_elsewhere_share: float = 0.0  # told so over a passage that a search found beside the right
    unmarked_share: float = 0.0  # without its question mark
    bare_share: float = 0.3  # without a heading
    away_share: float = 0.2  # QuAC: through a window that the answer isn't in
    pseudo_answers: str = ""  # a file in the cache, made by training.pseudo_answers
    squad_sample: int = 1200
    quac_sample: int = 200
    boolq_sample: int = 300


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
        seed: int = 0,
    ) -> None:
        network.freeze(config.frozen_layers)
        self._network, self._config = network, config
        self._scores, size = scores, config.batch_size
        self._epochs = Epochs(list(examples), size, seed=seed, chunk=size * CHUNK_BATCHES)
        self._pseudo = pseudo or {}
        self._beside: dict[str, list[ReaderExample]] = defaultdict(list)
        self._answers: dict[str, tuple[int, ...]] = {}
        for example in self._epochs.items:
            if example.span and example.source == "squad":
                self._beside[example.passage.text].append(example)
                self._answers[example.id] = example.passage.ids[slice(*example.span)]

    @property
    def network(self) -> ReaderNetwork:
        return self._network

    def batches(self, position: Position) -> Iterator[tuple[ReaderBatch, Position]]:
        return stream(position, self._chunk, collate)

    def losses(self, batch: ReaderBatch) -> dict[str, Tensor]:
        output = run(self._network, batch)
        return {
            "span_loss": span_loss(output, batch.start, batch.end),
            "type_loss": choice_loss(output.type, batch.type),
            "continuation_loss": choice_loss(output.continuation, batch.continuation),
        }

    def evaluate(self) -> dict[str, float]:
        return self._scores.measure(self._network) if self._scores else {}

    def _chunk(self, number: int) -> list[list[Target]]:
        """Some batches of like length in random order, a function of the seed and the number."""
        examples, draw = self._epochs.drawn(number)
        window = self._window(number * self._epochs.chunk)
        targets = [self._seen(example, window, draw) for example in examples]
        return bucketed(
            targets, self._config.batch_size, draw, length=lambda one: len(one.layout.ids)
        )

    def _window(self, seen: int) -> int:
        return [size for start, size in self._config.windows if start <= seen][-1]

    def _seen(self, example: ReaderExample, window: int, draw: random.Random) -> Target:
        """An example as it is shown this time: cropped, with or without history and heading."""
        found: tuple[tuple[int, ...], ...] = ()
        if example.source in ("squad", "unanswerable"):
            example, found = self._varied(example, draw)
        elif example.source == "boolq":
            example = self._introduced(example, draw)
        elif example.id in self._answers and draw.random() < self._config.end_elsewhere_share:
            found = (self._answers[example.id],)
            example = replace(example, type="end")
        if example.question[-1:] == (QUERY,) and draw.random() < self._config.unmarked_share:
            example = replace(example, question=example.question[:-1])
        where = crop(example, window, draw)
        if example.source == "quac" and draw.random() < self._config.away_share:
            where = crop(replace(example, span=None), window, draw)
        heading = draw.random() >= self._config.bare_share or example.source == "quac"
        return target_of(example, where, heading=heading, found=found)

    def _introduced(self, example: ReaderExample, draw: random.Random) -> ReaderExample:
        """A question for yes or no, sometimes after one of what the passage is about."""
        passage = example.passage
        if not passage.heading or draw.random() >= self._config.introduced_share:
            return example
        opening = (0, min(OPENING, len(passage.ids)))
        turn = ((*WHAT_IS, *passage.heading, QUERY), passage.ids[slice(*opening)])
        known = replace(example, history=(turn,), given=(opening,), names=(passage.heading,))
        return unnamed(known, turn, draw.choice(PRONOUNS))

    def _varied(
        self, example: ReaderExample, draw: random.Random
    ) -> tuple[ReaderExample, tuple[tuple[int, ...], ...]]:
        """With a made-up history, or with answers said to be found already, as the shares say."""
        chance, config = draw.random(), self._config
        others = [one for one in self._beside[example.passage.text] if one is not example]
        draw.shuffle(others)
        told = [one for one in others[: draw.randint(1, 3)] if one.span != example.span]
        answers = [example.passage.ids[slice(*one.span)] for one in told if one.span]
        if chance < config.history_share:
            turns = tuple((one.question, answer) for one, answer in zip(told, answers, strict=True))
            given = tuple(one.span for one in reversed(told))
            if config.pronoun_share and draw.random() < config.pronoun_share:
                said = (text for turn in turns for text in turn)
                example = unnamed(example, said, draw.choice(PRONOUNS))
            return replace(example, history=turns, given=given), ()
        chance -= config.history_share
        if chance < config.found_share:
            pseudo = self._pseudo.get(example.id)
            if pseudo:
                answers = draw.sample(pseudo, draw.randint(1, len(pseudo)))
            return example, tuple(answers)
        chance -= config.found_share
        if chance < config.end_share and example.span:
            found = [*answers[:1], example.passage.ids[slice(*example.span)]]
            draw.shuffle(found)
            return replace(example, type="end", span=None), tuple(found)
        return example, ()


def run(network: ReaderNetwork, batch: ReaderBatch) -> ReaderOutput:
    """The network's logits for a batch."""
    output: ReaderOutput = network(batch.ids, batch.attended, batch.segments, batch.marks)
    return output


def collate(targets: Sequence[Target]) -> ReaderBatch:
    """Targets of like length as one padded batch."""
    longest = max(len(target.layout.ids) for target in targets)

    def padded(rows: Iterable[Sequence[int]]) -> Tensor:
        return torch.tensor([[*row, *[0] * (longest - len(row))] for row in rows])

    def spans(positions: Iterable[int]) -> Tensor:
        # Where nobody marked the words that show a yes or no, the span heads learn nothing.
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
    """A space-tokenised question as people type it, or its spelling would betray its label."""
    question = example.question
    if question.startswith('"') and question.endswith('"') and '""' in question:
        question = question[1:-1].replace('""', '"')
    question = question.replace(" n't", "n't").replace("can not", "cannot")
    return replace(example, question=question)


def queried(example: Example) -> Example:
    """A question of BoolQ with the mark it lacks, or the lack of one would betray a yes or no."""
    return replace(example, question=f"{example.question}?")


def reader_task(config: ReaderConfig, *, cache: Path, seed: int) -> ReaderTask:
    """The whole task from the datasets under SEMINAR_DATA and the pretrained MiniLM."""
    encoder = encoder_folder()
    pieces = WordPieces(encoder)
    squad = list(load("squad/train"))
    quac, quac_held_out = quac_parts()
    quac = [one for one in quac if one.history or config.quac_openings]
    boolq, boolq_held_out = boolq_parts()
    negatives = retrieved_negatives(sample(squad, config.negatives), squad, cache)
    strange = retrieved_negatives(sample(boolq, config.boolq_negatives), boolq, cache)
    examples = [
        *prepare(squad, pieces, "squad"),
        *prepare(map(untokenised, load("squad/train-v2-unanswerable")), pieces, "unanswerable"),
        *prepare(map(queried, boolq), pieces, "boolq") * config.boolq_repeats,
        *prepare(map(queried, strange), pieces, "boolq"),
        *prepare(quac, pieces, "quac") * config.quac_repeats,
        *prepare(negatives, pieces, "negative"),
        *_coqa(config, pieces),
        *_qaconv(config, pieces),
    ]
    scores = ReadingScores(
        pieces,
        squad=sample(load("squad/dev-v2"), config.squad_sample),
        quac=sample(quac_held_out, config.quac_sample),
        boolq=sample(boolq_held_out, config.boolq_sample),
    )
    network = pretrained(encoder, config.dropout)
    made = config.pseudo_answers
    pseudo = read_pseudo_answers(cache / made, pieces) if made else None
    return ReaderTask(network, config, examples, scores=scores, pseudo=pseudo, seed=seed)


def _coqa(config: ReaderConfig, pieces: WordPieces) -> list[ReaderExample]:
    if not config.coqa_repeats:
        return []
    return prepare(conversations(), pieces, "coqa") * config.coqa_repeats


def _qaconv(config: ReaderConfig, pieces: WordPieces) -> list[ReaderExample]:
    if not config.qaconv_repeats:
        return []
    return prepare(qaconv_chunks(), pieces, "qaconv") * config.qaconv_repeats
