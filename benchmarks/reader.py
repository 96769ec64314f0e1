"""The trained reader: on given passages, over retrieval, and how long it takes.

    scripts/bench reader --model FOLDER                           every task, all questions
    scripts/bench reader --model FOLDER --task squad2 --limit 300  a sample of one task
    scripts/bench reader --task latency --checkpoint runs/reader/last.pt

Needs SEMINAR_DATA. With a checkpoint, and PyTorch installed, the latency task also times the same
weights run by transformers in the usual way. Indexes are kept in the --work folder.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Callable
from pathlib import Path

from benchmarks.latency import latency
from benchmarks.open_answers import open_answers
from benchmarks.reading_tasks import READING
from benchmarks.results import read_result, write_result
from seminar.models.reader.model import ReaderModel
from seminar.models.runtime import model_file
from seminar.reading.readers import load_reader
from seminar.weights import weights_folder

TASKS = (*READING, "open", "latency")


def tasks_of(options: argparse.Namespace) -> dict[str, Callable[[], object]]:
    """What to run for each chosen task."""
    chosen = options.task or list(TASKS)
    runs: dict[str, Callable[[], object]] = {}
    if set(chosen) & set(READING):
        model = ReaderModel(options.model)
        for name in READING:
            runs[name] = lambda name=name: READING[name](model, options.limit)
    if set(chosen) - set(READING):
        reader, work, limit = load_reader(str(options.model)), options.work, options.limit
        runs["open"] = lambda: open_answers(reader, work, limit)
        usually = (options.checkpoint, options.encoder) if options.checkpoint else None
        runs["latency"] = lambda: latency(reader, work, limit, usually)
    return {name: runs[name] for name in chosen}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--model", type=Path, default=weights_folder("reader"), help="a reader's folder"
    )
    parser.add_argument("--task", choices=TASKS, action="append")
    parser.add_argument("--limit", type=int, help="only so many questions of each task")
    parser.add_argument("--work", type=Path, default=Path(".seminar/bench/retrieval"))
    parser.add_argument("--checkpoint", type=Path, help="the same weights for PyTorch")
    parser.add_argument("--encoder", help="what the checkpoint was begun from; else MiniLM-L6")
    options = parser.parse_args()
    weights = hashlib.sha256(model_file(options.model).read_bytes()).hexdigest()
    name = "reader-sample" if options.limit else "reader"
    measured = {"sha256 of the model": weights, "limit": options.limit}
    before = read_result(name)
    # Tasks measured earlier stay, if they were measured on the same weights.
    results = before if measured.items() <= before.items() else measured
    for task, run in tasks_of(options).items():
        results[task] = run()
        write_result(name, results)


if __name__ == "__main__":
    main()
