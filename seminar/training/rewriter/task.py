"""The rewriter's training: questions and rewrites as edits, the losses and BLEU."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from seminar.datasets.catalog import load
from seminar.examples import Example
from seminar.metrics.measures.bleu import corpus_bleu
from seminar.models.rewriter.edits import Edit, Word, apply, text_of, words_of
from seminar.models.rewriter.layout import (
    EditLayout,
    EditLogits,
    HistoryWords,
    decode,
    history_words,
    lay_out_edits,
)
from seminar.models.rewriter.model import OUTPUTS
from seminar.models.word_pieces import WordPieces
from seminar.networks.arrays import array
from seminar.networks.checkpoints import encoder_folder
from seminar.networks.rewriter import (
    IGNORED,
    RewriterNetwork,
    RewriterOutput,
    pretrained,
    token_loss,
)
from seminar.training.loop.batches import CHUNK_BATCHES
from seminar.training.loop.epoch_task import EpochTask
from seminar.training.reader.examples import CANNOT_ANSWER
from seminar.training.rewriter.alignment import edits_of, joining_phrases
from seminar.training.rewriter.referents import referent_edits
from seminar.training.rewriter.rewrites import disjoint_from, with_titles
from seminar.training.samples import sample, written_parts
from seminar.training.written_histories import follow_ups

Phrases = Sequence[tuple[str, ...]]

NOTHING: tuple[str, ...] = ()  # the first joining phrase of every list
REWRITTEN_AT_ONCE = 16


@dataclass(frozen=True, slots=True)
class RewriterConfig:
    """The rewriter's data and input."""

    batch_size: int = 16
    dropout: float = 0.0
    frozen_layers: int = 0
    phrases: int = 60
    canard: int = 0  # train pairs of CANARD; 0 is all
    written_repeats: int = 0  # the written dialogues, each time with other changed replies
    sample: int = 600


@dataclass(frozen=True, slots=True)
class RewriterExample:
    """A question, its history and the edits that lead to its rewrite."""

    question: tuple[Word, ...]
    history: HistoryWords
    layout: EditLayout
    edits: tuple[Edit, ...]
    rewrite: str


@dataclass(frozen=True, slots=True)
class RewriterBatch:
    """Padded inputs and labels, all (batch, tokens)."""

    ids: Tensor
    attended: Tensor
    segments: Tensor
    marks: Tensor
    drop: Tensor
    insert: Tensor
    before: Tensor
    after: Tensor
    start: Tensor
    end: Tensor


class RewriterTask(EpochTask[RewriterExample, RewriterExample, RewriterBatch]):
    """Training the rewriter on prepared examples."""

    network: RewriterNetwork
    held_out: list[RewriterExample]

    def __init__(
        self,
        network: RewriterNetwork,
        config: RewriterConfig,
        examples: Sequence[RewriterExample],
        *,
        phrases: Phrases,
        held_out: Sequence[RewriterExample] = (),
        seed: int = 0,
    ) -> None:
        network.freeze(config.frozen_layers)
        super().__init__(
            network,
            examples,
            batch_size=config.batch_size,
            held_out=held_out,
            seed=seed,
            chunk=config.batch_size * CHUNK_BATCHES,
        )
        self._phrases = list(phrases)

    def length(self, sample: RewriterExample) -> int:
        return len(sample.layout.ids)

    def collate(self, samples: Sequence[RewriterExample]) -> RewriterBatch:
        return collate(samples, self._phrases)

    def losses(self, batch: RewriterBatch) -> dict[str, Tensor]:
        output: RewriterOutput = self.network(
            batch.ids, batch.attended, batch.segments, batch.marks
        )
        return {name: token_loss(getattr(output, name), getattr(batch, name)) for name in OUTPUTS}

    def score(self) -> dict[str, float]:
        """BLEU on the held-out questions, and how many come out exactly as their rewrite."""
        rewrites = rewrite(self.network, self.held_out, self._phrases)
        references = [example.rewrite for example in self.held_out]
        pairs = zip(rewrites, references, strict=True)
        exact = sum(rewrite.lower() == reference.lower() for rewrite, reference in pairs)
        return {
            "bleu": round(corpus_bleu(rewrites, [references]).score, 2),
            "exact": round(100 * exact / len(references), 2),
        }


def rewrite(
    network: RewriterNetwork, examples: Sequence[RewriterExample], phrases: Phrases
) -> list[str]:
    """The rewritten questions."""
    rewrites = []
    for start in range(0, len(examples), REWRITTEN_AT_ONCE):
        batch = examples[start : start + REWRITTEN_AT_ONCE]
        inputs = collate(batch, phrases)
        output = network(inputs.ids, inputs.attended, inputs.segments, inputs.marks)
        for row, example in enumerate(batch):
            edits = decode(_row(output, row), example.layout, phrases)
            rewrites.append(text_of(apply(example.question, example.history.words, edits)))
    return rewrites


def _row(output: RewriterOutput, row: int) -> EditLogits:
    return EditLogits(*(array(getattr(output, name)[row]) for name in OUTPUTS))


def prepare_rewrite(
    example: Example, pieces: WordPieces, phrases: Phrases, *, reworded: bool = False
) -> RewriterExample:
    """A question with its rewrite as edits over the history that the rewriter sees.

    Of a `reworded` one only the spans that it takes from the history become edits.
    """
    turns = [
        (question, "" if answer == CANNOT_ANSWER else answer)
        for question, answer in example.history
    ]
    history = history_words(example.title, example.section, turns)
    question = tuple(words_of(example.question))
    [rewritten] = example.gold.rewrites
    if reworded:
        edits = referent_edits(question, words_of(rewritten), history.words)
    else:
        edits = edits_of(question, words_of(rewritten), history.words, frozenset(phrases))
    layout = lay_out_edits(history, question, pieces.split)
    return RewriterExample(question, history, layout, tuple(edits), rewritten)


def collate(examples: Sequence[RewriterExample], phrases: Phrases) -> RewriterBatch:
    """Examples of like length as one padded batch."""
    longest = max(len(example.layout.ids) for example in examples)

    def padded(rows: Iterable[Sequence[int]], filler: int = 0) -> Tensor:
        return torch.tensor([[*row, *[filler] * (longest - len(row))] for row in rows])

    layouts = [example.layout for example in examples]
    labels = [_labels(example, phrases) for example in examples]
    return RewriterBatch(
        padded(layout.ids for layout in layouts),
        padded([1] * len(layout.ids) for layout in layouts),
        padded(layout.segments for layout in layouts),
        padded(layout.marks for layout in layouts),
        **{name: padded((one[name] for one in labels), IGNORED) for name in labels[0]},
    )


def _labels(example: RewriterExample, phrases: Phrases) -> dict[str, list[int]]:
    """The labels of each token; only the first piece of a question word has any."""
    layout = example.layout
    labels = {name: [IGNORED] * len(layout.ids) for name in OUTPUTS}
    for at in layout.places:
        labels["drop"][at] = labels["insert"][at] = 0
    labels["drop"][layout.places[-1]] = IGNORED
    for edit in example.edits:
        place = layout.places[edit.start]
        for number in range(edit.start, edit.end):
            labels["drop"][layout.places[number]] = 1
        labels["insert"][place] = 1
        labels["before"][place] = phrases.index(edit.before)
        labels["after"][place] = phrases.index(edit.after)
        copied = edit.copied
        labels["start"][place] = layout.starts[copied[0]] if copied else 0
        labels["end"][place] = layout.ends[copied[1] - 1] if copied else 0
    return labels


def rewriter_task(config: RewriterConfig, *, cache: Path, seed: int) -> RewriterTask:
    """The whole task from the datasets under SEMINAR_DATA and the pretrained MiniLM.

    The list of joining phrases is kept in the cache, since the trained weights count on its order.
    """
    encoder = encoder_folder()
    pieces = WordPieces(encoder)
    scored = list(load("canard/dev"))
    pairs = with_titles(list(load("canard/train-pairs")))
    examples = disjoint_from(
        [*(sample(pairs, config.canard) if config.canard else pairs), *load("qrecc/train-part")],
        [*scored, *load("qrecc/dev-part")],
    )
    phrases = load_phrases(examples, config.phrases, cache / "phrases.json")
    network = pretrained(encoder, len(phrases), config.dropout)
    return RewriterTask(
        network,
        config,
        [
            *(prepare_rewrite(one, pieces, phrases) for one in examples),
            *_written(config, pieces, phrases, seed),
        ],
        phrases=phrases,
        held_out=[prepare_rewrite(one, pieces, phrases) for one in sample(scored, config.sample)],
        seed=seed,
    )


def _written(
    config: RewriterConfig, pieces: WordPieces, phrases: Phrases, seed: int
) -> list[RewriterExample]:
    if not config.written_repeats:
        return []
    groups, _ = written_parts()
    asked = follow_ups(groups, seed=seed, repeats=config.written_repeats)
    return [prepare_rewrite(one, pieces, phrases, reworded=True) for one in asked]


def load_phrases(examples: Iterable[Example], count: int, path: Path) -> list[tuple[str, ...]]:
    """The joining phrases, nothing first: read from the file, or mined and written to it."""
    if path.exists():
        return [tuple(phrase) for phrase in json.loads(path.read_text(encoding="utf-8"))]
    mined = joining_phrases(
        (
            (
                words_of(one.question),
                words_of(one.gold.rewrites[0]),
                history_words(one.title, one.section, one.history).words,
            )
            for one in examples
        ),
        count,
    )
    phrases = [NOTHING, *mined]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(phrases), encoding="utf-8")
    return phrases
