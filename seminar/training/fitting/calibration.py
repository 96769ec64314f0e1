"""Fit a reader's probabilities: python -m seminar.training.fitting.calibration --model FOLDER

Questions are asked as the assistant asks them: those whose article is indexed, those whose article
is hidden, and near misses (SQuAD 2.0's unanswerable questions); half of them of one large index,
half of small ones, since people have corpora and folders. SQuAD and Natural Questions give single
questions, BoolQ gives yes and no, QuAC questions with a history, and every other Natural Question
is asked within one of QuAC's dialogues, to which it doesn't belong. The written dialogues that no
reader trains on give follow-ups over pages, chats, mail and transcripts, asked after the reader's
own replies, with plausible unanswerable ones. CoQA's stories, which the reader has seen most often,
are left out: it is certain of any answer about them.

Two regressions are fitted: that an answer's words are right, and that its yes or no is.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from seminar.datasets.dialogues.written import WrittenSet
from seminar.examples import Example
from seminar.io import write_atomic
from seminar.logistic import Floats, fit_logistic, probabilities
from seminar.metrics.official.squad import score_v1_answer
from seminar.models.encoders.registry import load_encoder
from seminar.models.reader.model import ReaderModel
from seminar.protocols import Retriever, Rewriter
from seminar.questions.registry import HISTORIES
from seminar.reading.span_reader import (
    AFFIRMATION_FEATURES,
    FEATURES,
    Calibration,
    Featured,
    SpanReader,
)
from seminar.stages import build_retriever
from seminar.training.fitting.public_probes import Probe, probes, searched
from seminar.training.fitting.sentence_reader import report
from seminar.training.fitting.trials import (
    HITS,
    Trial,
    best_of,
    calibrated,
    fill_index,
    write_json,
)
from seminar.training.fitting.written_probes import (
    WrittenProbe,
    asked_alone,
    dialogues_of,
    own_reply,
)
from seminar.training.samples import written_parts
from seminar.types import Affirmation, Dialogue, Query, Turn

THRESHOLDS = (0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7)
RIGHT_F1 = 0.5  # token F1 from which an answer counts as right
BINS = 10
AFFIRMATION_LEVELS = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


@dataclass(frozen=True, slots=True)
class AffirmationTrial:
    """Evidence for the yes or no of the strongest candidate, and whether that is right."""

    features: Floats
    right: bool


@dataclass(frozen=True, slots=True)
class ReadingTrial:
    """The candidates for a question: which of them are right, and whether the yes or no is.

    `source` is where the question comes from; `affirmation` is None where neither is considered.
    """

    source: str
    answers: Trial
    affirmation: AffirmationTrial | None = None


def try_all(
    indexed: Sequence[Example], asked: Sequence[Probe], reader: SpanReader
) -> Iterator[ReadingTrial]:
    """The reader on questions of the public datasets."""
    for probe, query, hits in searched(indexed, asked):
        [candidates] = reader.candidates([query], [hits])
        if candidates:
            here = probe.kind == "here"
            right = [here and is_right(one, probe) for one in candidates]
            wanted = probe.example.gold.affirmation if here else None
            yield reading_trial("public", probe.kind, candidates, right, wanted)


def try_written(groups: Sequence[WrittenSet], reader: SpanReader) -> Iterator[ReadingTrial]:
    """The reader on questions of the written dialogues, each over the files of its set."""
    encoder, rewriter = load_encoder("minilm"), HISTORIES["auto"]()
    for group in groups:
        ingested, dialogues = dialogues_of(group)
        with tempfile.TemporaryDirectory() as folder:
            index = fill_index(ingested.passages, Path(folder) / "index", encoder)
            line = _Line(rewriter, build_retriever(index, encoder), reader)
            for probes in dialogues:
                yield from _try_dialogue(probes, line)


@dataclass(frozen=True, slots=True)
class _Line:
    """The stages up to the candidates of one question."""

    rewriter: Rewriter
    retriever: Retriever
    reader: SpanReader

    def candidates(self, dialogue: Dialogue, question: str) -> tuple[Query, list[Featured]]:
        [query] = self.rewriter.rewrite([dialogue], [question])
        [hits] = self.retriever.search([query], HITS)
        [candidates] = self.reader.candidates([query], [hits])
        return query, candidates


def _try_dialogue(probes: Sequence[WrittenProbe], line: _Line) -> Iterator[ReadingTrial]:
    """The turns of a dialogue, each after the reader's own replies or alone in its rewrite."""
    dialogue = Dialogue()
    for number, probe in enumerate(probes):
        turn, alone = probe.turn, asked_alone(number)
        asked = (Dialogue(), turn.rewrite) if alone else (dialogue, turn.question)
        query, candidates = line.candidates(*asked)
        dialogue = dialogue.add(Turn(turn.question, own_reply(query, candidates)))
        if candidates:
            kind = "here" if turn.answerable else "unanswerable"
            right = [probe.is_right(one.span) for one in candidates]
            wanted = turn.affirmation if turn.answerable else None
            yield reading_trial("written", kind, candidates, right, wanted)


def reading_trial(
    source: str,
    kind: str,
    candidates: Sequence[Featured],
    right: Sequence[bool],
    wanted: Affirmation | None,
) -> ReadingTrial:
    """A trial of a question with the affirmation that it wants, None where it has no answer."""
    features = np.array([one.features for one in candidates])
    answers = Trial(kind, features, np.array(right, dtype=bool))
    best = candidates[0]  # candidates come strongest first
    if best.affirmation == "neither":
        return ReadingTrial(source, answers)
    evidence = np.array(best.affirmation_features)
    return ReadingTrial(source, answers, AffirmationTrial(evidence, best.affirmation == wanted))


def is_right(candidate: Featured, probe: Probe) -> bool:
    """Whether an answer is of the right article and agrees with the reference.

    BoolQ has no evidence within its passages, so any sentence of the article counts there.
    """
    gold = probe.example.gold
    if not probe.is_about(candidate.span.passage):
        return False
    if gold.affirmation in ("yes", "no"):
        return candidate.affirmation != "neither"
    return score_v1_answer(candidate.span.text, gold.answers).f1 >= RIGHT_F1


def calibration_error(trials: Sequence[Trial], weights: Floats) -> float:
    """Mean gap between the best answer's probability and how often it is right, in percent."""
    scores, right = best_of(trials, weights)
    predicted = probabilities(scores)
    bins = np.minimum((predicted * BINS).astype(int), BINS - 1)
    gaps = [abs(float((predicted - right)[bins == number].sum())) for number in range(BINS)]
    return round(100 * sum(gaps) / len(predicted), 1)


def fitted_affirmation(trials: Sequence[ReadingTrial]) -> Floats:
    """Weights of the probability that a yes or no is right."""
    rows = [one.affirmation for one in trials if one.affirmation]
    labels = np.array([float(row.right) for row in rows])
    return fit_logistic(np.stack([row.features for row in rows]), labels)


def affirmation_report(trials: Sequence[ReadingTrial], weights: Floats) -> dict[str, object]:
    """Of the questions with an affirmation: how often it is said, and right, at some levels."""
    rows = [one.affirmation for one in trials if one.affirmation]
    right = np.array([row.right for row in rows])
    likely = probabilities(np.array([row.features @ weights for row in rows]))
    return {
        str(level): {
            "said": round(100 * float((likely >= level).mean()), 1),
            "right of those said": round(100 * float(right[likely >= level].mean()), 1)
            if (likely >= level).any()
            else None,
        }
        for level in AFFIRMATION_LEVELS
    }


def evaluate(
    trials: Sequence[ReadingTrial], answer: Floats, affirmation: Floats
) -> dict[str, object]:
    """Scores of questions that were not fitted on, by the source of the question."""
    results: dict[str, object] = {}
    for source in ("public", "written"):
        some = [one for one in trials if one.source == source]
        answers = [one.answers for one in some]
        if not answers:
            continue
        kinds = ("here", "hidden", "unanswerable")
        results[source] = {
            "questions": {kind: sum(one.kind == kind for one in answers) for kind in kinds},
            "calibration error": calibration_error(answers, answer),
            "at threshold": {level: report(answers, answer, level) for level in THRESHOLDS},
            "yes or no": affirmation_report(some, affirmation),
        }
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True, help="the reader's folder")
    parser.add_argument("--size", type=int, default=400, help="questions of each public source")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--trials", type=Path, help="a file to keep the trials in, or to take them from"
    )
    options = parser.parse_args()
    if options.trials and options.trials.exists():
        trials = load_trials(options.trials)
    else:
        reader = SpanReader(
            ReaderModel(options.model), load_encoder("minilm"), calibration=Calibration.zero()
        )
        _, groups = written_parts()
        indexed, asked = probes(options.size, options.seed)
        trials = [*try_written(groups, reader), *try_all(indexed, asked, reader)]
        if options.trials:
            save_trials(options.trials, trials)
    held_out = trials[::4]
    rest = [one for at, one in enumerate(trials) if at % 4]
    answer = calibrated([one.answers for one in rest])
    affirmation = fitted_affirmation(rest)
    named = {
        "answer": dict(zip(FEATURES, answer.round(4).tolist(), strict=True)),
        "affirmation": dict(zip(AFFIRMATION_FEATURES, affirmation.round(4).tolist(), strict=True)),
    }
    write_json(options.model / "calibration.json", named)
    scores = evaluate(held_out, answer, affirmation)
    write_json(options.model / "calibration-scores.json", scores)


def save_trials(path: Path, trials: Sequence[ReadingTrial]) -> None:
    """Keep the trials, so that probabilities can be fitted again without reading."""
    rows = [
        {
            "source": one.source,
            "kind": one.answers.kind,
            "features": one.answers.features.tolist(),
            "right": one.answers.right.tolist(),
            "affirmation": one.affirmation and one.affirmation.features.tolist(),
            "affirmed": one.affirmation and one.affirmation.right,
        }
        for one in trials
    ]
    write_atomic(path, json.dumps(rows).encode())


def load_trials(path: Path) -> list[ReadingTrial]:
    """The trials of an earlier run."""
    return [
        ReadingTrial(
            row["source"],
            Trial(row["kind"], np.array(row["features"]), np.array(row["right"], dtype=bool)),
            AffirmationTrial(np.array(row["affirmation"]), row["affirmed"])
            if row["affirmation"]
            else None,
        )
        for row in json.loads(path.read_text(encoding="utf-8"))
    ]


if __name__ == "__main__":
    main()
