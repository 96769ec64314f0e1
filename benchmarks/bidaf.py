"""BiDAF++ with 0, 1 and 2 contexts, trained small on the QuAC part: is context above none?

    scripts/bench bidaf --work DIR                     everything, about half an hour of one core
    scripts/bench bidaf --work DIR --contexts 1        with one context only
    scripts/bench bidaf --work DIR --seeds 3           three trainings of each, scores averaged

Needs SEMINAR_DATA. All begin from one network trained on SQuAD without contexts (bidaf-squad.toml);
each is then trained on 600 dialogs of the QuAC part and scored on the 100 held out, with its last
weights. Stopped runs go on from their checkpoints, finished ones are kept: the same command again.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from itertools import combinations
from pathlib import Path
from typing import Any

from benchmarks.results import write_result
from seminar.baselines.quac import majority
from seminar.baselines.transitions import TransitionMatrix
from seminar.evaluation.predictions import Prediction
from seminar.evaluation.scoring import score
from seminar.evaluation.tasks import find_task, measure_quac
from seminar.io import write_atomic
from seminar.metrics.quac import QuacPrediction
from seminar.metrics.statistics import bootstrap_interval, paired_randomisation
from seminar.networks.bidaf_reader import load
from seminar.training.bidaf import BidafConfig, bidaf_task
from seminar.training.loop import LAST, Run
from seminar.training.loop_config import LoopConfig
from seminar.training.runs import filled, read_tables
from seminar.training.samples import quac_parts
from seminar.types import Example

CONFIGS = Path(__file__).parent.parent / "configs" / "tiny"
CONTEXTS = (0, 1, 2)
COLUMNS = ("F1", "HEQ-Q", "HEQ-D", "F1 all")
MODEL, ANSWERS = "model", "answers.json"

Answers = list[str]


def trained(file: Path, folder: Path, *, contexts: int, start: str, steps: int | None) -> Run[Any]:
    """The run of a configuration in its folder, trained to its end from wherever it stood."""
    tables = read_tables(file, "bidaf")
    loop = filled(LoopConfig, tables["loop"], file)
    loop = replace(loop, seed=int(folder.name.rpartition("-")[2]))
    if steps:
        loop = replace(loop, steps=steps, evaluate_steps=steps)
    config = replace(filled(BidafConfig, tables["bidaf"], file), contexts=contexts, start=start)
    run = Run(bidaf_task(config, cache=folder, seed=loop.seed), loop, folder)
    if (folder / LAST).exists():
        run.resume(folder / LAST)
    run.train()
    if not run.over:
        raise SystemExit(f"stopped at step {run.step} of {loop.steps}; the same command goes on")
    return run


def answers_of(options: argparse.Namespace, contexts: int, seed: int) -> Answers:
    """What the network with so many contexts answers to the held-out questions."""
    folder = options.work / f"{contexts}-ctx-{seed}"
    if not (folder / ANSWERS).exists():
        run = trained(
            CONFIGS / "bidaf.toml",
            folder,
            contexts=contexts,
            start=str(beginning(options)),
            steps=options.steps,
        )
        run.export(folder / MODEL)
        said = [one.text for one in load(folder / MODEL).predict(quac_parts()[1])]
        told = {"seconds": round(run.seconds), "steps": run.step, "answers": said}
        write_atomic(folder / ANSWERS, json.dumps(told, ensure_ascii=False).encode())
    answers: Answers = json.loads((folder / ANSWERS).read_text(encoding="utf-8"))["answers"]
    return answers


def beginning(options: argparse.Namespace) -> Path:
    """The network that all begin from, trained on SQuAD if it isn't there yet."""
    folder: Path = options.work / "squad-0"
    if not (folder / MODEL).exists():
        file, steps = CONFIGS / "bidaf-squad.toml", options.first_steps
        trained(file, folder, contexts=0, start="", steps=steps).export(folder / MODEL)
    return folder / MODEL


def scored(examples: Sequence[Example], said: Sequence[str]) -> dict[str, list[float]]:
    """Mean and interval of each official measure."""
    predictions = [Prediction(one.id, text) for one, text in zip(examples, said, strict=True)]
    intervals = score(find_task("quac/val-part"), examples, predictions)
    return {
        name: [round(value, 2) for value in asdict(intervals[name]).values()]
        for name in COLUMNS
        if name in intervals
    }


def f1_of(examples: Sequence[Example], runs: Sequence[Answers]) -> list[float]:
    """The F1 of each counted question in percent, averaged over runs."""
    columns = [
        [
            measure_quac(one, Prediction(one.id, text))
            for one, text in zip(examples, said, strict=True)
        ]
        for said in runs
    ]
    return [
        100 * sum(one["F1"] for one in question) / len(question)
        for question in zip(*columns, strict=True)
        if "F1" in question[0]
    ]


def compared(
    examples: Sequence[Example], first: Sequence[Answers], second: Sequence[Answers]
) -> dict[str, float | list[float]]:
    """How much F1 the second has above the first, dialogs drawn and swapped whole."""
    counted = [one for one in examples if "F1" in measure_quac(one, Prediction(one.id, ""))]
    dialogs = [one.dialogue_id for one in counted]
    before, after = f1_of(examples, first), f1_of(examples, second)
    gaps = [new - old for old, new in zip(before, after, strict=True)]
    interval = bootstrap_interval(gaps, dialogs)
    chance = paired_randomisation(before, after, dialogs)
    return {
        "F1": round(interval.mean, 2),
        "interval": [round(interval.low, 2), round(interval.high, 2)],
        "p": round(chance.p_value, 4),
        "questions": len(counted),
    }


def report(runs: dict[int, list[Answers]], folder: Path) -> dict[str, object]:
    """Every score, by contexts and by turn, and the differences."""
    training, examples = quac_parts()
    later = [at for at, one in enumerate(examples) if one.turn > 1]
    rows: dict[str, object] = {
        "no answer, always": scored(examples, _texts(majority(examples))),
        "transition matrix": scored(
            examples, _texts(TransitionMatrix.fit(training).predict(examples))
        ),
    }
    for contexts, answers in runs.items():
        rows[f"{contexts}-ctx"] = [
            {**scored(examples, said), "no answer said": said.count("CANNOTANSWER")}
            for said in answers
        ]
        rows[f"{contexts}-ctx, after the first turn"] = [
            scored([examples[at] for at in later], [said[at] for at in later]) for said in answers
        ]
    differences = {
        f"{second}-ctx above {first}-ctx": compared(examples, runs[first], runs[second])
        for first, second in combinations(runs, 2)
    }
    first = _last_scores(folder / "squad-0" / "log.jsonl")
    return {"questions": len(examples), "SQuAD 2.0 sample": first, **rows, **differences}


def _texts(said: Sequence[QuacPrediction]) -> Answers:
    return [one.text for one in said]


def _last_scores(log: Path) -> object:
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    return next(line["scores"] for line in reversed(lines) if "scores" in line)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--work", type=Path, default=Path(".seminar/bench/bidaf"))
    parser.add_argument("--contexts", type=int, choices=range(4), action="append")
    parser.add_argument("--seeds", type=int, default=1, help="trainings of each")
    parser.add_argument("--steps", type=int, help="of training on QuAC, to try it out")
    parser.add_argument("--first-steps", type=int, help="of training on SQuAD, to try it out")
    options = parser.parse_args()
    runs: dict[int, list[Answers]] = {}
    for contexts in options.contexts or CONTEXTS:
        runs[contexts] = [answers_of(options, contexts, seed) for seed in range(options.seeds)]
    tried = options.steps or options.first_steps or options.contexts
    write_result("bidaf-sample" if tried else "bidaf", report(runs, options.work))


if __name__ == "__main__":
    main()
