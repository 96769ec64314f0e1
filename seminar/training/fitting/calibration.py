"""Fit a reader's probabilities: python -m seminar.training.fitting.calibration --model FOLDER

Questions are asked as the assistant asks them: those whose article is there, those whose article is
hidden, and near misses (SQuAD 2.0's unanswerable questions); half of them of one large index, half
of small ones, since people have corpora and folders. SQuAD and Natural Questions give single
questions, BoolQ gives yes and no, QuAC questions with a history, and every other Natural Question
is asked amid one of QuAC's dialogues, to which it doesn't belong. Only Natural Questions are new to
the reader, so its own training questions look a little easier than an asker's; CoQA's stories,
which it has seen most often, are left out: it is sure of whatever it is asked about them.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from seminar.datasets.catalog import load
from seminar.examples import Example, dialogue_of
from seminar.io import write_atomic
from seminar.metrics.official.squad import score_v1_answer
from seminar.models.encoders.registry import load_encoder
from seminar.models.reader.model import ReaderModel
from seminar.questions.registry import HISTORIES
from seminar.reading.span_reader import FEATURES, Candidate, SpanReader
from seminar.retrieval.representations import FusedRepresentations
from seminar.text import sentences
from seminar.training.fitting.sentence_reader import (
    HIDDEN_DEPTH,
    HITS,
    Trial,
    best_of,
    calibrated,
    index_paragraphs,
    report,
)
from seminar.training.reader.examples import CANNOT_ANSWER, without_sentinel
from seminar.training.samples import boolq_parts, quac_parts, rank, sample
from seminar.types import Dialogue, Hit, Passage, Query

SHELVES = 40  # some 700 paragraphs each
THRESHOLDS = (0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7)
RIGHT_F1 = 0.5  # an answer with half of the reference's words tells the asker what was asked
BINS = 10


@dataclass(frozen=True, slots=True)
class Probe:
    """A question and whether its article is here or hidden, or whether it has no answer."""

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
    quac = [begun(one) for one in dialogs]
    boolq = sample(boolq_parts()[0], size)
    natural = [one if at % 2 else amid(chance.choice(quac), one) for at, one in enumerate(natural)]
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


def begun(example: Example) -> Example:
    """A dialogue that opens with what both sides of it knew: what it is about."""
    told = example.background or example.context
    start, end = sentences(told)[0]
    subject = example.title.replace("_", " ")
    return replace(example, history=((f"What is {subject}?", told[start:end]), *example.history))


def amid(dialogue: Example, example: Example) -> Example:
    """A question that changes the subject of a dialogue."""
    return replace(example, history=dialogue.history)


def searched(
    indexed: Sequence[Example], asked: Sequence[Probe]
) -> Iterator[tuple[Probe, Query, list[Hit]]]:
    """Each probe as it is asked and what it finds, the hidden left out.

    Every other one is asked of all articles, the rest of the shelf of their own.
    """
    encoder, rewriter = load_encoder("static"), HISTORIES["auto"]()
    for shelves, some in ((1, asked[::2]), (SHELVES, asked[1::2])):
        places = [shelf_of(one, shelves) for one in indexed]
        for number in range(shelves):
            shelf = [one for one, at in zip(indexed, places, strict=True) if at == number]
            mine = [one for one in some if shelf_of(one.example, shelves) == number]
            with tempfile.TemporaryDirectory() as folder:
                index = index_paragraphs(shelf, Path(folder) / "index", encoder)
                retriever = FusedRepresentations(index)
                for probe in mine:
                    [query] = rewriter.rewrite([probe.dialogue], [probe.example.question])
                    [hits] = retriever.search([query], HIDDEN_DEPTH)
                    yield probe, query, _visible(probe, hits)


def shelf_of(example: Example, shelves: int) -> int:
    """The shelf that an article stands on, always the same; without a title, by its words."""
    return int(rank(example.title.replace("_", " ") or example.context), 16) % shelves


def try_all(
    indexed: Sequence[Example], asked: Sequence[Probe], reader: SpanReader
) -> Iterator[Trial]:
    """What the reader finds for each question, and which of it is right."""
    for probe, query, hits in searched(indexed, asked):
        [candidates] = reader.candidates([query], [hits])
        if candidates:
            right = [probe.kind == "here" and is_right(one, probe) for one in candidates]
            features = np.array([one.features for one in candidates])
            yield Trial(probe.kind, features, np.array(right, dtype=bool))


def _visible(probe: Probe, hits: Sequence[Hit]) -> list[Hit]:
    seen = [hit for hit in hits if probe.kind != "hidden" or not probe.is_about(hit.passage)]
    return seen[:HITS]


def is_right(candidate: Candidate, probe: Probe) -> bool:
    """Whether an answer is of the right article and says what the reference says."""
    gold = probe.example.gold
    if not probe.is_about(candidate.span.passage):
        return False
    if gold.affirmation in ("yes", "no"):
        return candidate.affirmation == gold.affirmation
    return score_v1_answer(candidate.span.text, gold.answers).f1 >= RIGHT_F1


def calibration_error(trials: Sequence[Trial], weights: np.ndarray) -> float:
    """Mean gap between the best answer's probability and how often it is right, in percent."""
    scores, right = best_of(trials, weights)
    told = 1 / (1 + np.exp(-scores))
    bins = np.minimum((told * BINS).astype(int), BINS - 1)
    gaps = [abs(float((told - right)[bins == one].sum())) for one in range(BINS)]
    return round(100 * sum(gaps) / len(told), 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True, help="the reader's folder")
    parser.add_argument("--size", type=int, default=400, help="questions of each source")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    indexed, asked = probes(options.size, options.seed)
    reader = SpanReader(
        ReaderModel(options.model),
        load_encoder("minilm"),
        calibration=dict.fromkeys(FEATURES, 0.0),
    )
    trials = list(try_all(indexed, asked, reader))
    held_out = trials[::4]
    fitted = [one for at, one in enumerate(trials) if at % 4]
    weights = calibrated(fitted)
    kinds = ("here", "hidden", "unanswerable")
    scores = {
        "questions": {kind: sum(one.kind == kind for one in held_out) for kind in kinds},
        "calibration error": calibration_error(held_out, weights),
        "at threshold": {level: report(held_out, weights, level) for level in THRESHOLDS},
    }
    named = dict(zip(FEATURES, weights.round(4).tolist(), strict=True))
    _write(options.model / "calibration.json", named)
    _write(options.model / "calibration-scores.json", scores)


def _write(path: Path, content: object) -> None:
    write_atomic(path, json.dumps(content, indent=1).encode() + b"\n")


if __name__ == "__main__":
    main()
