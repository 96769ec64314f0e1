"""A trained BiDAF++ at work: it predicts QuAC's examples, and reads retrieved passages."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import groupby
from pathlib import Path

import torch
from transformers import AutoModel, PreTrainedTokenizerFast

from seminar.datasets.dialogues.quac import AFFIRMATIONS, CANNOT_ANSWER, CONTINUATIONS
from seminar.errors import ConfigurationError
from seminar.examples import Example
from seminar.logistic import probability
from seminar.metrics.official.quac import QuacPrediction
from seminar.models.reader.layout import best_spans
from seminar.networks.checkpoints import (
    TINY_BERT,
    backbone,
    encoder_folder,
    load_weights,
    save,
    settings_of,
    tokenizer_of,
)
from seminar.networks.papers.bidaf.layout import (
    AFFIRMATION,
    BidafLayout,
    Dialog,
    Question,
    Section,
    dialog_of,
    given_in,
    section_of,
    words_of,
)
from seminar.networks.papers.bidaf.network import BidafNetwork, BidafOutput, BidafShape
from seminar.types import Answer, Hit, Query, Span

MINILM = "minilm"
WORDS_AT_ONCE = 12_000  # of all sections in a batch, so that memory stays flat
FAMILIES = ("bert", "distilbert", "roberta", "mpnet", "electra")

YES_NO = tuple(AFFIRMATIONS)
FOLLOW_UP = tuple(CONTINUATIONS)
MAJORITY_ACTS = YES_NO.index("x"), FOLLOW_UP.index("n")


@dataclass(frozen=True, slots=True)
class Found:
    """The best span of a section in words, its log odds against no answer, and its acts."""

    first: int
    last: int
    margin: float
    affirmation: int
    continuation: int

    def characters(self, section: Section) -> tuple[int, int]:
        return section.offsets[self.first][0], section.offsets[self.last][1]


def untrained(vectors: str, shape: BidafShape) -> tuple[BidafNetwork, PreTrainedTokenizerFast]:
    """A network on the word vectors of a checkpoint, and the tokenizer that goes with them."""
    name = str(encoder_folder()) if vectors == MINILM else vectors
    model = backbone(name, families=FAMILIES, tiny=TINY_BERT, head=AutoModel)
    table = model.get_input_embeddings().weight.detach().clone()
    return BidafNetwork(table, shape), tokenizer_of(name)


def save_bidaf(
    network: BidafNetwork,
    folder: Path,
    tokenizer: PreTrainedTokenizerFast,
    training: Mapping[str, object],
) -> None:
    """Write a trained network; `training` has its `data` and whether these have `acts`."""
    settings = {**asdict(network.shape), **training, "vectors": [*network.words.vectors.shape]}
    save(network, folder, settings, tokenizer=tokenizer)


def load(folder: Path, *, longest: int = 30) -> BidafReader:
    """The reader in a folder that `seminar train bidaf` wrote."""
    settings = settings_of(folder)
    try:
        shape = BidafShape(**{one.name: settings[one.name] for one in fields(BidafShape)})
        network = BidafNetwork(torch.zeros(*settings["vectors"]), shape)
    except (KeyError, TypeError) as error:
        kind = settings.get("network", "something else")
        raise ConfigurationError(f"{folder} holds a {kind}, not a BidafNetwork") from error
    load_weights(network, folder)
    layout = BidafLayout(tokenizer_of(str(folder)), shape.contexts)
    return BidafReader(network, layout, acts=bool(settings.get("acts")), longest=longest)


class BidafReader:
    """Answers from a section, the answers before marked in it; satisfies `Reader`.

    Scores are the network's own odds of the span against no answer, not calibrated. A network
    trained without acts predicts the most frequent ones: neither, and don't follow up.
    """

    def __init__(
        self, network: BidafNetwork, layout: BidafLayout, *, acts: bool, longest: int = 30
    ) -> None:
        self.network, self._layout = network.eval(), layout
        self._acts, self._longest = acts, longest

    def predict(self, examples: Iterable[Example]) -> list[QuacPrediction]:
        """What the official scorer wants of each example; its context is its whole section."""
        asked = list(examples)
        groups = [list(turns) for _, turns in groupby(asked, key=_place)]
        dialogs = [dialog_of(turns) for turns in groups]
        return [
            self._prediction(dialog.section, found)
            for dialog, answers in zip(dialogs, self.find(dialogs), strict=True)
            for found in answers
        ]

    def _prediction(self, section: Section, found: Found) -> QuacPrediction:
        start, end = found.characters(section)
        return QuacPrediction(
            section.text[start:end] if found.margin > 0 else CANNOT_ANSWER,
            yesno=YES_NO[found.affirmation],
            followup=FOLLOW_UP[found.continuation],
        )

    def read(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[Answer]]:
        dialogs = [
            _dialog(query, hit)
            for query, ranking in zip(queries, hits, strict=True)
            for hit in ranking
        ]
        found = iter(zip(dialogs, self.find(dialogs), strict=True))
        answers = [[_answer(hit, *next(found)) for hit in ranking] for ranking in hits]
        return [
            sorted((one for one in ranking if one), key=lambda one: -one.score)
            for ranking in answers
        ]

    @torch.no_grad()
    def find(self, dialogs: Sequence[Dialog]) -> list[list[Found]]:
        """The best span for each question of each dialog."""
        found: dict[int, list[Found]] = {}
        for batch in _batches(dialogs):
            chosen = [dialogs[at] for at in batch]
            output: BidafOutput = self.network(self._layout.batch(chosen))
            rows = iter(range(len(output.start)))
            for at in batch:
                words = len(dialogs[at].section.words)
                found[at] = [self._found(output, next(rows), words) for _ in dialogs[at].questions]
        return [found[at] for at in range(len(dialogs))]

    def _found(self, output: BidafOutput, row: int, words: int) -> Found:
        start = output.start[row, :words].double().cpu().numpy()
        end = output.end[row, :words].double().cpu().numpy()
        nothing = words - 1
        none = float(start[nothing] + end[nothing])
        spans = best_spans(start, end, (0, nothing), longest=self._longest)
        first, last, score = spans[0] if spans else (nothing, nothing, -math.inf)
        at = last if score > none else nothing
        acts = MAJORITY_ACTS
        if self._acts:
            yes = int(output.affirmation[row, at].argmax())
            acts = yes, int(output.continuation[row, at].argmax())
        return Found(first, last, score - none, *acts)


def _place(example: Example) -> tuple[str, str]:
    return example.dialogue_id, example.context


def _batches(dialogs: Sequence[Dialog]) -> Iterator[list[int]]:
    """Places of dialogs of like length, as many at once as fit."""
    batch: list[int] = []
    rows = 0
    for at in sorted(range(len(dialogs)), key=lambda at: len(dialogs[at].section.words)):
        rows += len(dialogs[at].questions)
        if batch and rows * len(dialogs[at].section.words) > WORDS_AT_ONCE:
            yield batch
            batch, rows = [], len(dialogs[at].questions)
        batch.append(at)
    if batch:
        yield batch


def _dialog(query: Query, hit: Hit) -> Dialog:
    """The query as a turn about one passage."""
    section = section_of(hit.passage.text)
    question = Question(
        id=hit.passage.id,
        words=words_of(query.typed),
        turn=len(query.history) + 1,
        given=given_in(section, query.history),
    )
    return Dialog(section, (question,))


def _answer(hit: Hit, dialog: Dialog, found: list[Found]) -> Answer | None:
    [best] = found
    if best.margin == -math.inf:
        return None  # a passage without a word
    start, end = best.characters(dialog.section)
    chance = probability(best.margin)
    return Answer(Span(hit.passage, start, end), chance, affirmation=AFFIRMATION[best.affirmation])
