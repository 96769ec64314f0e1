"""QAConv where its conversations are at hand: retrieval, then answers in chunk and full mode.

    scripts/bench qaconv                                    dev and test, retrieval and answers
    scripts/bench qaconv --reader FOLDER --part answers      another reader's answers
    scripts/bench qaconv --limit 100 --work /tmp/qaconv      a sample

Needs SEMINAR_DATA. Runs are kept in the --work folder, so that a stopped one goes on; results of
several readers stand beside each other in benchmarks/results/qaconv.json. The conversations are
the court's, one Slack channel (racket) and BC3 mail; Enron, the radio's and the other Slack
channels are not there, and neither is the official file of chunks (docs/conversations.md).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console

from benchmarks.results import read_result, write_result
from seminar.datasets.conversations.qaconv_chunks import load_split
from seminar.datasets.files import read_json_lines
from seminar.evaluation.evaluate import Plan, Watch, evaluate
from seminar.evaluation.predictions import from_record
from seminar.evaluation.published import rows_beside
from seminar.evaluation.runs import PREDICTIONS
from seminar.evaluation.tables import Row
from seminar.examples import Example
from seminar.metrics.official.qaconv import CUTOFFS, QaconvQuestion, score
from seminar.settings import Settings

SPLITS = {"dev": "val", "test": "tst"}
RETRIEVERS = ("bm25", "lexical", "dense", "fusion")
MODES = ("chunk", "full")
RECALLS = tuple(f"R@{k}" for k in CUTOFFS)
MEASURES = ("EM", "F1", "FZ-R", "EM answerable", "F1 answerable", "recall unanswerable")
# What the official scorer calls each measure of tables 6, 7 and 9.
OFFICIAL = {
    "EM": "exact",
    "F1": "f1",
    "FZ-R": "fzr",
    "EM answerable": "HasAns_exact",
    "F1 answerable": "HasAns_f1",
    "recall unanswerable": "NoAns_exact",
    "binary F1": "unans_bin_f1",
}


def retrieval(split: str, options: argparse.Namespace) -> dict[str, object]:
    """Recall of the gold segment in full mode, over all and by source."""
    name = f"qaconv/{SPLITS[split]}-full"
    work = options.work / f"{split}-retrieval-{options.encoder}"
    settings = Settings(encoder=options.encoder)
    plan = Plan(name, RETRIEVERS, work, settings=settings, limit=options.limit)
    [table] = evaluate(plan, watch=_telling(name)).tables
    located = list(load_split(name, None))[: options.limit]
    return {
        "questions": len(located),
        "with a located gold segment": sum(bool(one.gold.evidence) for one in located),
        "recall": {row.system: _recalls(row) for row in table.rows},
        "paper": {
            f"{row.system}, {row.place}": row.scores
            for row in rows_beside(name, "retrieval", RECALLS)
        },
    }


def _recalls(row: Row) -> dict[str, dict[str, float]]:
    parts = [("all", row), *((one.system.rpartition(": ")[2], one) for one in row.domains)]
    return {
        part: {column: round(one.scores[column].mean, 3) for column in RECALLS}
        for part, one in parts
    }


def answers(split: str, mode: str, options: argparse.Namespace) -> dict[str, object]:
    """The assistant's answers, scored by the official scorer over all and by source."""
    name = f"qaconv/{SPLITS[split]}-{mode}"
    reader = Path(options.reader).name or options.reader
    work = options.work / f"{split}-{mode}-{reader}"
    settings = Settings(encoder=options.encoder, reader=options.reader, pragmatic=False)
    evaluate(
        Plan(name, ("assistant",), work, settings=settings, limit=options.limit),
        watch=_telling(f"{name}, {reader}"),
    )
    lines = read_json_lines(work / "assistant" / PREDICTIONS)
    said = [from_record(line).prediction for line in lines]
    predictions = {one.id: one.answer for one in said}
    asked = list(load_split(name, None))[: options.limit]
    return {
        "questions": len(asked),
        "unanswerable": sum(not one.gold.answerable for one in asked),
        **{part: _scored(within, predictions) for part, within in _parts(asked)},
        "paper": {
            f"{row.system}, {row.place}": row.scores
            for row in rows_beside(name, "answers", (*MEASURES, "binary F1"))
        },
    }


def _parts(asked: Sequence[Example]) -> Iterator[tuple[str, list[Example]]]:
    yield "all", list(asked)
    for domain in sorted({one.domain for one in asked}):
        yield domain, [one for one in asked if one.domain == domain]


def _scored(asked: Sequence[Example], predictions: dict[str, str]) -> dict[str, float]:
    questions = [
        QaconvQuestion(id=one.id, answers=list(one.gold.answers), article_segment_id="")
        for one in asked
    ]
    table = score(questions, predictions)
    return {name: round(table[key], 2) for name, key in OFFICIAL.items() if key in table}


def _telling(what: str) -> Watch:
    console = Console(stderr=True)

    def watch(system: str, done: int, total: int) -> None:
        if done % 100 == 0 or done == total:
            console.print(f"{what}: {system} {done}/{total}", highlight=False)

    return watch


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--reader", default=Settings().reader, help="a reader's name or folder")
    parser.add_argument("--encoder", default="static")
    parser.add_argument("--split", choices=sorted(SPLITS), action="append")
    parser.add_argument("--part", choices=("retrieval", "answers"), action="append")
    parser.add_argument("--limit", type=int, help="only so many questions of each split")
    parser.add_argument("--work", type=Path, default=Path(".seminar/bench/qaconv"))
    options = parser.parse_args()
    name = "qaconv-sample" if options.limit else "qaconv"
    results = read_result(name)
    for split in options.split or list(SPLITS):
        if "retrieval" in (options.part or ["retrieval"]):
            results[f"{split}, retrieval, {options.encoder}"] = retrieval(split, options)
            write_result(name, results)
        for mode in MODES if "answers" in (options.part or ["answers"]) else ():
            results[f"{split}, {mode} mode, {options.reader}"] = answers(split, mode, options)
            write_result(name, results)


if __name__ == "__main__":
    main()
