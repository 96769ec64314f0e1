"""Several answers: iterative reading beside one pass, on AmbigQA; what is ambiguous, on Abg-CoQA.

    scripts/bench answers --reader FOLDER           AmbigQA dev and Abg-CoQA, at the tuned diversity
    scripts/bench answers --reader FOLDER --tune    every diversity, on questions of AmbigQA train

Of AmbigQA those questions are asked whose answers stand in the gold passages of Natural Questions
or in Wikispeedia (`benchmarks.answerable_ambigqa`). Needs SEMINAR_DATA. Index and chosen questions
are kept in the --work folder, so that a stopped run goes on.
"""

from __future__ import annotations

import argparse
import hashlib
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.ambiguity import ambiguity
from benchmarks.answerable_ambigqa import Asked, standing_questions
from benchmarks.results import progress, read_result, write_result
from seminar.examples import Example
from seminar.metrics.official.ambigqa import set_f1
from seminar.models.runtime import model_file
from seminar.protocols import Reader
from seminar.reading.iterative import IterativeReader, OnePassReader
from seminar.reading.readers import load_reader
from seminar.settings import Settings
from seminar.types import Answer, Query
from seminar.weights import weights_folder

BATCH = 16
DIVERSITIES = tuple(round(0.05 * step, 2) for step in range(19))  # up to 0.9
WAYS = ("one pass", "iterative")

Found = list[list[Answer]]
Row = dict[str, float]
Scores = dict[str, Row | int]


def read_all(asked: Sequence[Asked], reader: Reader, label: str) -> tuple[Found, float]:
    """The answers to each question, and the CPU seconds that reading took."""
    found: Found = []
    begun = time.process_time()
    for start in progress(range(0, len(asked), BATCH), label):
        batch = asked[start : start + BATCH]
        queries = [Query(one.example.question, one.example.question) for one in batch]
        found += reader.read(queries, [one.hits for one in batch])
    return found, time.process_time() - begun


def readers(reader: Reader, diversity: float) -> dict[str, Reader]:
    return {
        "one pass": OnePassReader(reader, diversity=diversity),
        "iterative": IterativeReader(reader, diversity=diversity),
    }


def kept_at(diversity: float, answers: Sequence[Answer]) -> list[Answer]:
    """What a reader of that diversity would have told, of what one that takes everything found.

    A further answer that is too weak ends either way of reading: one pass has its answers in the
    order of their scores, and the iterative reader stops there.
    """
    kept: list[Answer] = []
    for one in answers:
        if kept and one.score < (1 - diversity) * kept[0].score:
            break
        kept.append(one)
    return kept


def scores(asked: Sequence[Asked], found: Found) -> Scores:
    """F1 as AmbigQA has it, precision, recall, number of answers: all questions, and `multi` ones.

    Precision and recall are of the annotation that gives the best F1. The `told` are the questions
    whose first answer reaches the default threshold: those that the assistant would answer.
    """
    rows = np.array([_score(one.example, told) for one, told in zip(asked, found, strict=True)])
    several = np.array([is_multiple(one.example) for one in asked])
    told = np.array([bool(one) and one[0].score >= Settings().threshold for one in found])
    return {
        "full": _row(rows),
        "multi": _row(rows[several]),
        "told": int(told.sum()),
        "told, full": _row(rows[told]),
        "told, multi": _row(rows[told & several]),
    }


def is_multiple(example: Example) -> bool:
    """Whether no annotator holds a single answer for enough, as the official scorer has it."""
    return all(len(annotation) > 1 for annotation in example.gold.annotations)


def _score(example: Example, found: Sequence[Answer]) -> tuple[float, float, float, float]:
    told = [one.text for one in found]
    sets = [[one.aliases for one in annotation] for annotation in example.gold.annotations]
    f1s = [set_f1(answers, told) for answers in sets]
    answers = sets[f1s.index(max(f1s))]
    # F1 is 2 right / (answers + told), so the number that is right can be had from it.
    right = max(f1s) * (len(answers) + len(told)) / 2
    return max(f1s), right / max(1, len(told)), right / len(answers), len(told)


def _row(rows: np.ndarray) -> Row:
    f1, precision, recall, count = rows.mean(axis=0) if len(rows) else np.zeros(4)
    shares = {"F1": f1, "precision": precision, "recall": recall}
    return {name: round(100 * float(value), 2) for name, value in shares.items()} | {
        "answers": round(float(count), 2)
    }


def tune(asked: Sequence[Asked], reader: Reader) -> dict[str, object]:
    """The scores at every diversity, and the best one.

    Of the told questions it is best on average over all and over several-answer ones, since half of
    what people ask is ambiguous (Min et al., 2020).
    """
    result: dict[str, object] = {"questions": _counts(asked)}
    for name, one in readers(reader, diversity=DIVERSITIES[-1]).items():
        found, _ = read_all(asked, one, f"train, {name}")
        rows = {
            diversity: scores(asked, [kept_at(diversity, answers) for answers in found])
            for diversity in DIVERSITIES
        }
        best = max(rows, key=lambda key: _worth(rows[key]))
        result[name] = {"best": best, "by diversity": rows}
    return result


def _worth(row: Scores) -> float:
    full, several = row["told, full"], row["told, multi"]
    return full["F1"] + several["F1"] if isinstance(full, dict) and isinstance(several, dict) else 0


def measure(asked: Sequence[Asked], reader: Reader, tuned: dict[str, float]) -> dict[str, object]:
    """One answer, one pass and iterative reading, each at the diversity tuned for it."""
    result: dict[str, object] = {"questions": _counts(asked)}
    for name in WAYS:
        found, seconds = read_all(asked, readers(reader, tuned[name])[name], f"dev, {name}")
        if name == "one pass":
            result["the first answer only"] = scores(asked, [answers[:1] for answers in found])
        result[name] = {
            "diversity": tuned[name],
            **scores(asked, found),
            "CPU milliseconds a question": round(1000 * seconds / len(asked), 1),
        }
    return result


def _counts(asked: Sequence[Asked]) -> dict[str, int]:
    return {"full": len(asked), "multi": sum(is_multiple(one.example) for one in asked)}


def main() -> None:
    options = _options()
    reader = load_reader(str(options.reader))
    weights = hashlib.sha256(model_file(options.reader).read_bytes()).hexdigest()
    results = read_result("answers")
    if results.get("sha256 of the model") != weights:  # figures of other weights don't count
        results = {"sha256 of the model": weights}
    part = "train" if options.tune else "dev"
    asked = standing_questions(part, options.work)[: options.limit]
    if options.tune:
        results["tuned on AmbigQA train"] = tune(asked, reader)
    else:
        made = results.get("tuned on AmbigQA train")
        if not isinstance(made, dict):
            raise SystemExit("no diversity is tuned for these weights: run with --tune first")
        tuned = {name: float(made[name]["best"]) for name in WAYS}
        results["AmbigQA dev"] = measure(asked, reader, tuned)
        results["Abg-CoQA"] = ambiguity(reader, options.limit)
    write_result("answers", results)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--reader", type=Path, default=weights_folder("reader"), help="its folder")
    parser.add_argument("--tune", action="store_true", help="choose the diversity, on train")
    parser.add_argument("--limit", type=int, help="only so many questions of each set")
    parser.add_argument("--work", type=Path, default=Path(".seminar/bench/retrieval"))
    return parser.parse_args()


if __name__ == "__main__":
    main()
