"""Questions of public datasets for a calibration: answered here, hidden, or unanswerable."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from seminar.datasets.catalog import load
from seminar.examples import Example, dialogue_of
from seminar.models.encoders.registry import load_encoder
from seminar.questions.registry import HISTORIES
from seminar.retrieval.representations import FusedRepresentations
from seminar.text import sentences
from seminar.training.fitting.sentence_reader import index_paragraphs
from seminar.training.fitting.trials import HIDDEN_DEPTH, HITS
from seminar.training.reader.examples import CANNOT_ANSWER, without_sentinel
from seminar.training.samples import boolq_parts, quac_parts, rank, sample
from seminar.types import Dialogue, Hit, Passage, Query

COLLECTIONS = 40  # some 700 paragraphs each


@dataclass(frozen=True, slots=True)
class Probe:
    """A question, and whether its article is "here" or "hidden", or it is "unanswerable"."""

    kind: str
    example: Example

    @property
    def dialogue(self) -> Dialogue:
        """The turns before the question."""
        return dialogue_of(self.example, CANNOT_ANSWER)

    def is_about(self, passage: Passage) -> bool:
        """Whether a passage is of the question's article; Natural Questions have no title."""
        title = self.example.title.replace("_", " ")
        return passage.title == title if title else passage.text == self.example.context


def probes(size: int, seed: int) -> tuple[list[Example], list[Probe]]:
    """Everything to index, and the questions to ask of it."""
    chance = random.Random(seed)
    squad = list(load("squad/train"))
    tested = {example.question for example in load("nq_gold_passages/oracle")}
    natural = [one for one in load("nq_gold_passages/openbook") if one.question not in tested]
    dialogs = (replace(one, context=without_sentinel(one.context)) for one in quac_parts()[0])
    quac = [with_opening_turn(one) for one in dialogs]
    boolq = sample(boolq_parts()[0], size)
    natural = [
        one if at % 2 else in_dialogue_of(chance.choice(quac), one)
        for at, one in enumerate(natural)
    ]
    near_misses = sample(load("squad/train-v2-unanswerable"), size // 4)
    asked: list[Probe] = []
    quarter = size // 4
    counts = ((squad, size), (natural, size), (boolq, quarter), (quac, quarter))
    for source, count in counts:
        drawn = chance.sample(source, min(count, len(source)))
        asked += [
            Probe("unanswerable" if not one.gold.answerable else ("here", "hidden")[at % 2], one)
            for at, one in enumerate(drawn)
        ]
    asked += [Probe("unanswerable", one) for one in near_misses]
    chance.shuffle(asked)
    return [*squad, *natural, *boolq, *quac], asked


def with_opening_turn(example: Example) -> Example:
    """A dialogue that opens with a question and an answer about its subject."""
    text = example.background or example.context
    start, end = sentences(text)[0]
    subject = example.title.replace("_", " ")
    return replace(example, history=((f"What is {subject}?", text[start:end]), *example.history))


def in_dialogue_of(dialogue: Example, example: Example) -> Example:
    """A question that changes the subject of a dialogue."""
    return replace(example, history=dialogue.history)


def searched(
    indexed: Sequence[Example], asked: Sequence[Probe]
) -> Iterator[tuple[Probe, Query, list[Hit]]]:
    """Each probe as it is searched and its hits, without those of a hidden article.

    Every other probe is asked of all articles, the rest of the small collection of their own.
    """
    encoder, rewriter = load_encoder("static"), HISTORIES["auto"]()
    for collections, some in ((1, asked[::2]), (COLLECTIONS, asked[1::2])):
        places = [collection_of(one, collections) for one in indexed]
        for number in range(collections):
            collection = [one for one, at in zip(indexed, places, strict=True) if at == number]
            mine = [one for one in some if collection_of(one.example, collections) == number]
            with tempfile.TemporaryDirectory() as folder:
                index = index_paragraphs(collection, Path(folder) / "index", encoder)
                retriever = FusedRepresentations(index)
                for probe in mine:
                    [query] = rewriter.rewrite([probe.dialogue], [probe.example.question])
                    [hits] = retriever.search([query], HIDDEN_DEPTH)
                    yield probe, query, _visible(probe, hits)


def collection_of(example: Example, collections: int) -> int:
    """The small collection of an article, always the same; without a title, by its words."""
    return int(rank(example.title.replace("_", " ") or example.context), 16) % collections


def _visible(probe: Probe, hits: Sequence[Hit]) -> list[Hit]:
    seen = [hit for hit in hits if probe.kind != "hidden" or not probe.is_about(hit.passage)]
    return seen[:HITS]
