"""BiDAF++ with 0, 1 and 2 contexts, trained small on the QuAC part: is context above none?

    scripts/bench bidaf --work DIR                everything, about a quarter of an hour of one core
    scripts/bench bidaf --work DIR --contexts 1   with one context only
    scripts/bench bidaf --work DIR --seeds 3      three trainings of each, scores averaged
    scripts/bench bidaf --work DIR --start MODEL  from a network that bidaf-squad.toml trained

Needs SEMINAR_DATA. Each is trained on 600 dialogs of the QuAC part as configs/tiny/bidaf.toml says
and scored on the 100 held out, with its last weights. Stopped runs go on from their checkpoints,
finished ones are kept: the same command again. Beside the official scores stands the F1 of the best
span on answerable questions, whether or not the network would have abstained: networks that have
learnt little abstain almost always, and then the official scores can't tell them apart.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations, groupby
from pathlib import Path
from typing import Any

from benchmarks.results import write_result
from seminar.baselines.quac import majority
from seminar.baselines.transitions import TransitionMatrix
from seminar.evaluation.predictions import Prediction
from seminar.evaluation.scoring import score
from seminar.evaluation.suites import quac
from seminar.evaluation.suites.catalog import find_task
from seminar.examples import Example
from seminar.io import write_atomic
from seminar.metrics.official.quac import CANNOT_ANSWER
from seminar.metrics.statistics import bootstrap_interval, paired_randomisation
from seminar.networks.papers.bidaf.layout import dialog_of
from seminar.networks.papers.bidaf.reader import BidafReader, load
from seminar.training.loop.config import LoopConfig
from seminar.training.loop.run import LAST, Run
from seminar.training.papers.bidaf.task import BidafConfig, bidaf_task
from seminar.training.runs import filled, read_tables
from seminar.training.samples import quac_parts

CONFIG = Path(__file__).parent.parent / "configs" / "tiny" / "bidaf.toml"
CONTEXTS = (0, 1, 2)
COLUMNS = ("F1", "HEQ-Q", "HEQ-D", "F1 all")
MODEL, ANSWERS = "model", "answers.json"

Texts = Sequence[str]
Measured = Callable[[Example, str], float | None]


@dataclass(frozen=True)
class Answers:
    """The answer that the network decides for, and its best span even where it abstains."""

    decided: Texts
    best: Texts


def trained(folder: Path, contexts: int, options: argparse.Namespace) -> Run[Any]:
    """The network with so many contexts, trained to its end from wherever its run stood."""
    tables = read_tables(CONFIG, "bidaf")
    seed = int(folder.name.rpartition("-")[2])
    loop = replace(filled(LoopConfig, tables["loop"], CONFIG), seed=seed)
    if options.steps:
        loop = replace(loop, steps=options.steps, evaluate_steps=options.steps)
    config = filled(BidafConfig, tables["bidaf"], CONFIG)
    config = replace(config, contexts=contexts, start=options.start)
    run = Run(bidaf_task(config, cache=folder, seed=seed), loop, folder)
    if (folder / LAST).exists():
        run.resume(folder / LAST)
    run.train()
    if not run.over:
        raise SystemExit(f"stopped at step {run.step} of {loop.steps}; the same command goes on")
    return run


def answers_of(contexts: int, seed: int, options: argparse.Namespace) -> Answers:
    """What the network with so many contexts answers to the held-out questions."""
    folder = options.work / f"{contexts}-ctx-{seed}"
    if not (folder / ANSWERS).exists():
        run = trained(folder, contexts, options)
        run.export(folder / MODEL)
        said = _found(load(folder / MODEL), quac_parts()[1])
        told = {"seconds": round(run.seconds), "steps": run.step, **asdict(said)}
        write_atomic(folder / ANSWERS, json.dumps(told, ensure_ascii=False).encode())
    told = json.loads((folder / ANSWERS).read_text(encoding="utf-8"))
    return Answers(told["decided"], told["best"])


def _found(reader: BidafReader, examples: Sequence[Example]) -> Answers:
    groups = [list(turns) for _, turns in groupby(examples, key=lambda one: one.dialogue_id)]
    dialogs = [dialog_of(turns) for turns in groups]
    decided, best = [], []
    for dialog, answers in zip(dialogs, reader.find(dialogs), strict=True):
        for one in answers:
            start, end = one.characters(dialog.section)
            best.append(dialog.section.text[start:end])
            decided.append(best[-1] if one.margin > 0 else CANNOT_ANSWER)
    return Answers(decided, best)


def scored(examples: Sequence[Example], said: Sequence[str]) -> dict[str, list[float]]:
    """Mean and interval of each official measure."""
    predictions = [Prediction(one.id, text) for one, text in zip(examples, said, strict=True)]
    intervals = score(find_task("quac/val-part"), examples, predictions)
    return {
        name: [round(value, 2) for value in asdict(intervals[name]).values()]
        for name in COLUMNS
        if name in intervals
    }


def official_f1(example: Example, text: str) -> float | None:
    """F1 where people agree enough for the question to count."""
    return quac.measure(example, Prediction(example.id, text)).get("F1")


def span_f1(example: Example, text: str) -> float | None:
    """F1 where there is an answer, whoever abstained."""
    return official_f1(example, text) if example.gold.answerable else None


def averaged(examples: Sequence[Example], runs: Sequence[Texts], measure: Measured) -> list[float]:
    """The measure of each counted question in percent, averaged over runs."""
    columns = [[measure(*pair) for pair in zip(examples, said, strict=True)] for said in runs]
    counted = [row for row in zip(*columns, strict=True) if row[0] is not None]
    return [100 * sum(filter(None, row)) / len(row) for row in counted]


def compared(
    examples: Sequence[Example], sides: Sequence[Sequence[Texts]], measure: Measured
) -> dict[str, float | list[float]]:
    """How much the second has above the first, dialogs drawn and swapped whole."""
    dialogs = [one.dialogue_id for one in examples if measure(one, "") is not None]
    before, after = (averaged(examples, runs, measure) for runs in sides)
    gaps = [new - old for old, new in zip(before, after, strict=True)]
    interval = bootstrap_interval(gaps, dialogs)
    return {
        "difference": round(interval.mean, 2),
        "interval": [round(interval.low, 2), round(interval.high, 2)],
        "p": round(paired_randomisation(before, after, dialogs).p_value, 4),
        "questions": len(dialogs),
    }


def report(runs: dict[int, list[Answers]]) -> dict[str, object]:
    """Every score by contexts, and the differences."""
    training, examples = quac_parts()
    steps = TransitionMatrix.fit(training).predict(examples)
    rows: dict[str, object] = {
        "questions": len(examples),
        "no answer, always": scored(examples, [one.text for one in majority(examples)]),
        "transition matrix": scored(examples, [one.text for one in steps]),
    }
    for contexts, answers in runs.items():
        spans = averaged(examples, [said.best for said in answers], span_f1)
        rows[f"{contexts}-ctx"] = {
            "best span, answerable, F1": round(sum(spans) / len(spans), 2),
            "runs": [
                {**scored(examples, said.decided), "abstained": said.decided.count(CANNOT_ANSWER)}
                for said in answers
            ],
        }
    for first, second in combinations(runs, 2):
        decided = [[said.decided for said in runs[k]] for k in (first, second)]
        best = [[said.best for said in runs[k]] for k in (first, second)]
        rows[f"{second}-ctx above {first}-ctx"] = {
            "F1": compared(examples, decided, official_f1),
            "best span, answerable, F1": compared(examples, best, span_f1),
        }
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--work", type=Path, default=Path(".seminar/bench/bidaf"))
    parser.add_argument("--contexts", type=int, choices=range(4), action="append")
    parser.add_argument("--seeds", type=int, default=1, help="trainings of each")
    parser.add_argument("--steps", type=int, help="of training, to try it out")
    parser.add_argument("--start", default="", help="a trained network without contexts")
    options = parser.parse_args()
    runs: dict[int, list[Answers]] = {}
    for contexts in options.contexts or CONTEXTS:
        runs[contexts] = [answers_of(contexts, seed, options) for seed in range(options.seeds)]
    tried = options.steps or options.contexts
    write_result("bidaf-sample" if tried else "bidaf", report(runs))


if __name__ == "__main__":
    main()
