"""The reader's scores on fixed samples: SQuAD 2.0, QuAC and BoolQ, by the official measures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch

from seminar.examples import Example
from seminar.logistic import probability
from seminar.metrics.measures.no_answer import NoAnswer, best_thresholds, breakdown
from seminar.metrics.official.quac import answer_f1
from seminar.metrics.official.squad import score_v2_answer
from seminar.models.reader.layout import (
    ANSWER_TYPES,
    Layout,
    PassageSide,
    QuestionSide,
    best_spans,
    lay_out,
    through,
    windows,
)
from seminar.models.word_pieces import WordPieces
from seminar.networks.arrays import array
from seminar.networks.reader import ReaderNetwork, ReaderOutput
from seminar.training.reader.examples import CANNOT_ANSWER, ReaderExample, prepare

WINDOW, STRIDE, BATCH = 320, 160, 16
LONGEST_ANSWER = {"squad": 24, "quac": 48, "boolq": 24}
SPAN, YES, NO, NO_ANSWER = (ANSWER_TYPES.index(kind) for kind in ("span", "yes", "no", "no answer"))


@dataclass(frozen=True, slots=True)
class Prediction:
    """The best span, how much better it is than no answer (log odds), and yes against no."""

    text: str
    margin: float
    yes: float


@dataclass(frozen=True, slots=True)
class _Seen:
    """One window of one example."""

    example: int
    left: int
    layout: Layout


class ReadingScores:
    """Fixed samples that a reader is measured on while it trains."""

    def __init__(
        self,
        pieces: WordPieces,
        *,
        squad: Sequence[Example] = (),
        quac: Sequence[Example] = (),
        boolq: Sequence[Example] = (),
    ) -> None:
        self._pieces = pieces
        self._squad, self._quac, self._boolq = list(squad), list(quac), list(boolq)

    def measure(self, network: ReaderNetwork) -> dict[str, float]:
        """Every score in percent; `best_f1` takes the best threshold of this very sample."""
        return {
            **self._squad_scores(network),
            **self._quac_scores(network),
            **self._boolq_scores(network),
        }

    def _squad_scores(self, network: ReaderNetwork) -> dict[str, float]:
        if not self._squad:
            return {}
        predicted = predict(network, self._squad, self._pieces, "squad")
        texts = {
            one.id: prediction.text for one, prediction in zip(self._squad, predicted, strict=True)
        }
        absent = {
            one.id: probability(-prediction.margin)
            for one, prediction in zip(self._squad, predicted, strict=True)
        }
        answerable = {one.id: one.gold.answerable for one in self._squad}
        scored = {one.id: score_v2_answer(texts[one.id], one.gold.answers) for one in self._squad}
        raw = {
            "f1": {key: score.f1 for key, score in scored.items()},
            "exact": {key: score.exact for key, score in scored.items()},
        }
        decided = NoAnswer(absent, threshold=0.5)
        thresholded = {name: decided.apply(scores, answerable) for name, scores in raw.items()}
        report = breakdown(thresholded, answerable) | best_thresholds(
            raw, texts, absent, answerable
        )
        names = ("best_f1", "best_exact", "f1", "exact", "HasAns_f1", "NoAns_f1")
        read = [score.f1 for key, score in scored.items() if answerable[key]]
        return {
            **{f"squad2_{name}": round(report[name], 2) for name in names if name in report},
            "squad1_f1": round(100 * sum(read) / max(1, len(read)), 2),
        }

    def _quac_scores(self, network: ReaderNetwork) -> dict[str, float]:
        if not self._quac:
            return {}
        predicted = predict(network, self._quac, self._pieces, "quac")
        f1 = [
            answer_f1(prediction.text if prediction.margin > 0 else CANNOT_ANSWER, one.gold.answers)
            for one, prediction in zip(self._quac, predicted, strict=True)
        ]
        return {"quac_f1": round(100 * sum(f1) / len(f1), 2)}

    def _boolq_scores(self, network: ReaderNetwork) -> dict[str, float]:
        if not self._boolq:
            return {}
        predicted = predict(network, self._boolq, self._pieces, "boolq")
        right = [
            (prediction.yes > 0) == (one.gold.affirmation == "yes")
            for one, prediction in zip(self._boolq, predicted, strict=True)
        ]
        return {"boolq_accuracy": round(100 * sum(right) / len(right), 2)}


def predict(
    network: ReaderNetwork, examples: Sequence[Example], pieces: WordPieces, source: str
) -> list[Prediction]:
    """The best answer to each example over all windows of its passage."""
    prepared = prepare(examples, pieces, source, keep_all=True)
    seen = [one for number, example in enumerate(prepared) for one in _windows(number, example)]
    seen.sort(key=lambda one: len(one.layout.ids))
    best: dict[int, Prediction] = {}
    for at in range(0, len(seen), BATCH):
        batch = seen[at : at + BATCH]
        for one, prediction in zip(
            batch, _read(network, batch, prepared, LONGEST_ANSWER[source]), strict=True
        ):
            known = best.get(one.example)
            if known is None or prediction.margin > known.margin:
                best[one.example] = prediction
    return [best[number] for number in range(len(prepared))]


def _windows(number: int, example: ReaderExample) -> Iterator[_Seen]:
    asked = QuestionSide(example.question, example.history)
    read = PassageSide(example.passage.ids, example.passage.heading, example.given)
    for window in windows(len(example.passage.ids), WINDOW, STRIDE):
        yield _Seen(number, window[0], lay_out(asked, through(read, window)))


def _read(
    network: ReaderNetwork, batch: Sequence[_Seen], examples: Sequence[ReaderExample], longest: int
) -> Iterator[Prediction]:
    output = _logits(network, [one.layout for one in batch])
    for row, one in enumerate(batch):
        types = array(output.type[row])
        start, end = array(output.start[row]), array(output.end[row])
        within = (one.layout.passage_start, len(one.layout.ids) - 1)
        [(first, last, score)] = best_spans(start, end, within, longest=longest)
        offsets = examples[one.example].passage.offsets
        shift = one.left - one.layout.passage_start
        text = examples[one.example].passage.text[
            offsets[first + shift][0] : offsets[last + shift][1]
        ]
        margin = score - float(start[0] + end[0]) + float(types[SPAN] - types[NO_ANSWER])
        yield Prediction(text, margin, float(types[YES] - types[NO]))


def _logits(network: ReaderNetwork, layouts: Sequence[Layout]) -> ReaderOutput:
    longest = max(len(layout.ids) for layout in layouts)

    def padded(rows: Iterator[list[int]]) -> torch.Tensor:
        return torch.tensor([row + [0] * (longest - len(row)) for row in rows])

    output: ReaderOutput = network(
        padded(layout.ids for layout in layouts),
        padded([1] * len(layout.ids) for layout in layouts),
        padded(layout.segments for layout in layouts),
        padded(layout.marks for layout in layouts),
    )
    return output
