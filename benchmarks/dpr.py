"""DPR's bi-encoder from MiniLM on the QuAC part: which form of the question is found best?

    scripts/bench dpr --work DIR                    both forms, about 20 minutes of one core
    scripts/bench dpr --work DIR --form original    one of them: original, all-history, rewrites
    scripts/bench dpr --work DIR --steps 4          to try it out

Needs SEMINAR_DATA. Trained on the answered questions of 600 dialogs, scored on those of the 100
held out, whose passages stand among those of all 700 dialogs; beside it BM25. TopiOCQA's Table 6
has all history far above the question alone. Stopped runs go on from their checkpoints, finished
ones are kept: the same command again.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from benchmarks.results import write_result
from seminar.io import write_atomic
from seminar.networks.checkpoints import encoder_folder
from seminar.networks.papers.dpr.bi_encoder import load
from seminar.protocols import Retriever
from seminar.training.loop.config import LoopConfig
from seminar.training.loop.run import LAST, Run
from seminar.training.papers.dpr.bi_encoder import BiEncoderConfig, bi_encoder_task
from seminar.training.papers.dpr.negatives import PoolVectors, PoolWords
from seminar.training.papers.dpr.pairs import PairSet, pairs_of
from seminar.types import Query

FORMS = ("original", "all-history")
CUTOFFS = (1, 5, 20)
DEPTH = 100
RANKS = "ranks.json"


def trained(form: str, folder: Path, steps: int) -> None:
    """Train a form to its end from wherever it stood, and keep the model."""
    config = BiEncoderConfig(
        checkpoint=str(encoder_folder()),
        source="quac",
        form=form,
        batch_size=16,
        question_length=64,
        passage_length=128,
        dropout=0.0,
        sample=100,
        rank_negatives=10,
    )
    loop = LoopConfig(
        steps=steps,
        learning_rate=5e-5,
        warmup_steps=20,
        schedule="linear",
        threads=1,
        log_steps=10,
        evaluate_steps=steps,
        seed=20,
    )
    run = Run(bi_encoder_task(config, cache=folder, seed=loop.seed), loop, folder)
    if (folder / LAST).exists():
        run.resume(folder / LAST)
    run.train()
    if not run.over:
        raise SystemExit(f"stopped at step {run.step} of {steps}; the same command goes on")
    run.export(folder / "model")


def places(known: PairSet, retriever: Retriever) -> list[int]:
    """The rank of each held-out question's own passage, from 1; 0 where it was not found."""
    queries = [Query(pair.query) for pair in known.held_out]
    ranks = []
    for pair, hits in zip(known.held_out, retriever.search(queries, DEPTH), strict=True):
        found = [hit.passage.id for hit in hits]
        own = known.pool[pair.positive].id
        ranks.append(found.index(own) + 1 if own in found else 0)
    return ranks


def ranks_of(form: str, options: argparse.Namespace) -> dict[str, list[int]]:
    """Where BM25 and the trained bi-encoder rank the held-out questions' passages."""
    folder: Path = options.work / f"{form}-{options.steps}"
    if not (folder / RANKS).exists():
        if not (folder / "model" / "model.safetensors").exists():
            trained(form, folder, options.steps)
        known = pairs_of("quac", form)
        told = {
            "BM25": places(known, PoolWords(known.pool)),
            "DPR": places(known, PoolVectors(known.pool, load(folder / "model"))),
        }
        write_atomic(folder / RANKS, json.dumps({"pool": len(known.pool), **told}).encode())
    ranks: dict[str, list[int]] = json.loads((folder / RANKS).read_text(encoding="utf-8"))
    return ranks


def row(ranks: Sequence[int]) -> dict[str, float]:
    """Recall in percent at each cutoff."""
    return {
        f"R@{k}": round(100 * sum(0 < rank <= k for rank in ranks) / len(ranks), 1) for k in CUTOFFS
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--work", type=Path, default=Path(".seminar/bench/dpr"))
    parser.add_argument("--form", action="append", help="a form of the question; both by default")
    parser.add_argument("--steps", type=int, default=150)
    options = parser.parse_args()
    forms = options.form or FORMS
    found = {form: ranks_of(form, options) for form in forms}
    report: dict[str, object] = {
        "steps": options.steps,
        "passages": next(iter(found.values()))["pool"],
        "questions": len(next(iter(found.values()))["BM25"]),
        **{
            f"{name}, {form}": row(ranks[name])
            for name in ("BM25", "DPR")
            for form, ranks in found.items()
        },
    }
    write_result("dpr" if options.steps >= 150 and not options.form else "dpr-sample", report)


if __name__ == "__main__":
    main()
