"""Training BiDAF++ with k contexts: all questions of a dialog together, as its authors do."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

import torch
from torch import Tensor, nn
from transformers import PreTrainedTokenizerFast

from seminar.datasets.catalog import load
from seminar.errors import ConfigurationError, unknown
from seminar.metrics.quac import CANNOT_ANSWER, QuacDialog, QuacPrediction, score_dialogs
from seminar.metrics.squad import score_v2_answer
from seminar.networks.bidaf import BidafNetwork, BidafShape, act_logits, widen
from seminar.networks.bidaf_layout import (
    IGNORED,
    BidafBatch,
    BidafLayout,
    Dialog,
    dialog_of,
)
from seminar.networks.bidaf_reader import MINILM, BidafReader, save_bidaf, untrained
from seminar.networks.bidaf_reader import load as load_trained
from seminar.training.batches import bucketed, drawn, stream
from seminar.training.loop import Position
from seminar.training.reader import untokenised
from seminar.training.samples import quac_parts, sample
from seminar.types import Example

CHUNK = 4000  # dialogs drawn at once, sorted by length and cut into batches
SQUAD_SAMPLE = 600

Scores = dict[str, float]
Measure = Callable[[Sequence[Example], Sequence[QuacPrediction]], Scores]


@dataclass(frozen=True, slots=True)
class BidafConfig:
    """Sizes, data and batches; the sizes are those of the QuAC paper's released configuration.

    `data` is quac, quac-part or squad; `start` the folder of a trained network without contexts to
    begin from; `section_words` bounds what is read of a section in training, and questions
    answered beyond it are left out; of more than `questions` about one section some are drawn.
    """

    contexts: int = 2
    hidden: int = 100
    characters: int = 100
    mark: int = 10
    dropout: float = 0.2
    vectors: str = MINILM
    start: str = ""
    data: str = "quac-part"
    dialogs: int = 10
    questions: int = 12
    section_words: int = 500
    longest_answer: int = 30

    @property
    def shape(self) -> BidafShape:
        return BidafShape(self.contexts, self.hidden, self.characters, self.mark, self.dropout)


@dataclass(frozen=True, slots=True)
class LabelledBatch:
    """A batch and what the network should say of each question; (questions,) each."""

    inputs: BidafBatch
    start: Tensor
    end: Tensor
    affirmation: Tensor
    continuation: Tensor


@dataclass(frozen=True, slots=True)
class BidafData:
    """Dialogs to learn from, examples held out, and how answers to those are measured."""

    dialogs: Sequence[Dialog]
    held_out: Sequence[Example] = ()
    measure: Measure = lambda examples, said: {}

    @property
    def acts(self) -> bool:
        """Whether any question tells its dialog acts."""
        return any(
            one.affirmation != IGNORED or one.continuation != IGNORED
            for dialog in self.dialogs
            for one in dialog.questions
        )


class BidafTask:
    """Training BiDAF++ on dialogs."""

    def __init__(
        self,
        network: BidafNetwork,
        tokenizer: PreTrainedTokenizerFast,
        data: BidafData,
        *,
        config: BidafConfig,
        seed: int = 0,
    ) -> None:
        if not data.dialogs:
            raise ConfigurationError(
                f"no question's answer stands in the first {config.section_words} words of its "
                "section: raise section_words"
            )
        self._network, self._tokenizer = network, tokenizer
        self._data, self._config, self._seed = data, config, seed
        self._layout = BidafLayout(tokenizer, config.contexts)

    @property
    def network(self) -> BidafNetwork:
        return self._network

    def batches(self, position: Position) -> Iterator[tuple[LabelledBatch, Position]]:
        return stream(position, self._chunk, self.collate)

    def losses(self, batch: LabelledBatch) -> dict[str, Tensor]:
        output = self._network(batch.inputs)
        cross_entropy = nn.functional.cross_entropy
        losses = {
            "start_loss": cross_entropy(output.start, batch.start),
            "end_loss": cross_entropy(output.end, batch.end),
        }
        for name, logits, label in (
            ("affirmation_loss", output.affirmation, batch.affirmation),
            ("continuation_loss", output.continuation, batch.continuation),
        ):
            if bool((label != IGNORED).any()):
                chosen = act_logits(logits, batch.end)  # acts are learnt at the right end
                losses[name] = cross_entropy(chosen, label, ignore_index=IGNORED)
        return losses

    def evaluate(self) -> Scores:
        return self._data.measure(self._data.held_out, self.predict(self._data.held_out))

    def predict(self, examples: Iterable[Example]) -> list[QuacPrediction]:
        """What the network answers as it stands."""
        return self.reader().predict(examples)

    def reader(self) -> BidafReader:
        longest = self._config.longest_answer
        return BidafReader(self._network, self._layout, acts=self._data.acts, longest=longest)

    def export(self, folder: Path) -> None:
        save_bidaf(self._network, folder, self._tokenizer, acts=self._data.acts)

    def collate(self, dialogs: Sequence[Dialog]) -> LabelledBatch:
        """Dialogs whose questions have one answer each, as a batch."""
        asked = [one for dialog in dialogs for one in dialog.questions]
        return LabelledBatch(
            inputs=self._layout.batch(dialogs),
            start=torch.tensor([one.spans[0][0] for one in asked]),
            end=torch.tensor([one.spans[0][1] for one in asked]),
            affirmation=torch.tensor([one.affirmation for one in asked]),
            continuation=torch.tensor([one.continuation for one in asked]),
        )

    def _chunk(self, number: int) -> list[list[Dialog]]:
        size = min(len(self._data.dialogs), CHUNK)
        draw = random.Random(f"{self._seed} chunk {number}")
        chosen = [
            _seen(dialog, self._config.questions, draw)
            for dialog in drawn(self._data.dialogs, number, size=size, seed=self._seed)
        ]
        return bucketed(
            chosen, self._config.dialogs, draw, length=lambda one: len(one.section.words)
        )


def _seen(dialog: Dialog, questions: int, draw: random.Random) -> Dialog:
    """A dialog as it is shown this time: one of the answers that people gave to each question."""
    places = range(len(dialog.questions))
    kept = sorted(draw.sample(places, min(questions, len(places))))
    asked = [dialog.questions[at] for at in kept]
    return replace(
        dialog, questions=tuple(replace(one, spans=(draw.choice(one.spans),)) for one in asked)
    )


def dialogs_of(examples: Iterable[Example], limit: int) -> list[Dialog]:
    """Examples as dialogs, without the questions whose answer isn't in what is read."""
    turns = groupby(examples, key=lambda one: (one.sources, one.context))
    whole = [dialog_of(list(group), limit) for _, group in turns]
    taught = [
        replace(one, questions=tuple(asked for asked in one.questions if asked.spans))
        for one in whole
    ]
    return [one for one in taught if one.questions]


def quac_scores(examples: Sequence[Example], said: Sequence[QuacPrediction]) -> Scores:
    """F1, human equivalence by question and by dialog, as the official scorer has them."""
    pairs = list(zip(examples, said, strict=True))
    groups = [list(group) for _, group in groupby(pairs, key=lambda pair: pair[0].dialogue_id)]
    scores = score_dialogs(
        (_official(group), {example.id: one for example, one in group}) for group in groups
    )
    return {
        "f1": round(scores.f1, 2),
        "heq_q": round(scores.heq, 2),
        "heq_d": round(scores.dheq, 2),
        "f1_all": round(scores.unfiltered_f1, 2),
    }


def _official(group: Sequence[tuple[Example, QuacPrediction]]) -> QuacDialog:
    """A dialog as far as the scorer looks; acts are not scored here."""
    first = group[0][0]
    return {
        "id": first.dialogue_id,
        "context": first.context,
        "qas": [
            {
                "id": example.id,
                "answers": [{"text": text} for text in example.gold.answers],
                "yesno": "x",
                "followup": "n",
            }
            for example, _ in group
        ],
    }


def squad_scores(examples: Sequence[Example], said: Sequence[QuacPrediction]) -> Scores:
    """F1 of SQuAD 2.0 with the network's own decision whether there is an answer."""
    texts = ["" if one.text == CANNOT_ANSWER else one.text for one in said]
    f1 = [
        score_v2_answer(text, example.gold.answers).f1
        for example, text in zip(examples, texts, strict=True)
    ]
    return {"f1": round(100 * sum(f1) / max(1, len(f1)), 2)}


def _quac(config: BidafConfig) -> BidafData:
    examples = load("quac/train")
    return BidafData(dialogs_of(examples, config.section_words), [*load("quac/val")], quac_scores)


def _quac_part(config: BidafConfig) -> BidafData:
    examples, held_out = quac_parts()
    return BidafData(dialogs_of(examples, config.section_words), held_out, quac_scores)


def _squad(config: BidafConfig) -> BidafData:
    """SQuAD's paragraphs as dialogs, answerable and unanswerable questions of each together."""
    by_paragraph: dict[str, list[Example]] = {}
    for example in (*load("squad/train"), *map(untokenised, load("squad/train-v2-unanswerable"))):
        by_paragraph.setdefault(example.context, []).append(example)
    examples = [one for paragraph in by_paragraph.values() for one in paragraph]
    held_out = sample(load("squad/dev-v2"), SQUAD_SAMPLE)
    return BidafData(dialogs_of(examples, config.section_words), held_out, squad_scores)


DATA: dict[str, Callable[[BidafConfig], BidafData]] = {
    "quac": _quac,
    "quac-part": _quac_part,
    "squad": _squad,
}


def bidaf_task(config: BidafConfig, *, cache: Path, seed: int) -> BidafTask:
    """The whole task from the datasets under SEMINAR_DATA; nothing of it is worth a cache."""
    if config.data not in DATA:
        raise unknown("data for bidaf", config.data, DATA)
    torch.manual_seed(seed)
    network, tokenizer = untrained(config.vectors, config.shape)
    if config.start:
        begin_from(network, Path(config.start))
    return BidafTask(network, tokenizer, DATA[config.data](config), config=config, seed=seed)


def begin_from(network: BidafNetwork, folder: Path) -> None:
    """Take over a trained network of this size, without contexts or with as many."""
    trained = load_trained(folder).network
    own, its = network.shape, trained.shape
    if (
        its.contexts not in (0, own.contexts)
        or replace(its, contexts=own.contexts, dropout=own.dropout) != own
    ):
        raise ConfigurationError(f"{folder} holds {its}; to begin from it needs a {own}")
    widen(network, trained)
