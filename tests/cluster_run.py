"""Bulk work on a cluster of three nodes on this machine, in a process of its own.

`python -m tests.cluster_run FOLDER` writes FOLDER/outcome.json. The folder holds `files` to index;
one node is killed while they are.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import astuple, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ray.cluster_utils import Cluster as LocalCluster

from seminar.assembly import index_files
from seminar.cluster import Cluster, connected
from seminar.cluster_indexing import reading_on
from seminar.evaluation.evaluate import Plan, evaluate
from seminar.file_batches import Progress
from seminar.models.encoders.registry import load_encoder
from seminar.types import Passage, Query
from tests.paths import DATASET_FILES

# A dead node is noticed within seconds instead of half a minute, and a slow one is not dead.
QUICK = {
    "health_check_initial_delay_ms": 1_000,
    "health_check_period_ms": 500,
    "health_check_timeout_ms": 10_000,
    "health_check_failure_threshold": 4,
    "worker_niceness": 0,
}
STORE = 100_000_000  # bytes of shared memory of a node


def three_nodes() -> LocalCluster:
    first = {"num_cpus": 1, "object_store_memory": STORE, "include_dashboard": False}
    nodes = LocalCluster(initialize_head=True, head_node_args=first | {"_system_config": QUICK})
    for _ in range(2):
        nodes.add_node(num_cpus=1, object_store_memory=STORE)
    return nodes


@dataclass
class Killer:
    """Kills a node as soon as some passages are there."""

    nodes: LocalCluster
    passages: int
    killed_at: int = 0

    def watch(self, step: Progress) -> None:
        if step.passages >= self.passages and not self.killed_at:
            self.killed_at = step.passages
            self.nodes.remove_node(next(iter(self.nodes.worker_nodes)), allow_graceful=False)


def run(folder: Path, nodes: LocalCluster, cluster: Cluster) -> dict[str, Any]:
    evaluated = evaluate(
        Plan("quac/val", ("similarity",), folder / "runs", DATASET_FILES), cluster=cluster
    )
    [row] = evaluated.tables[0].rows
    corpus = encode_corpus(folder, cluster)
    before = len(nodes.list_all_nodes())
    killer = Killer(nodes, passages=2_500)
    files, encoder, reading = [folder / "files"], load_encoder("static"), reading_on(cluster)
    index, first = index_files(
        files, folder / "index", encoder, reading=reading, watch=killer.watch
    )
    _, second = index_files(files, folder / "index", encoder, reading=reading)
    return {
        "scores": {name: astuple(score) for name, score in row.scores.items()},
        "corpus": corpus,
        "nodes": [before, len(nodes.list_all_nodes())],
        "read": first.read,
        "problems": [str(problem) for problem in first.problems],
        "killed_at": killer.killed_at,
        "passages": index.count(),
        "read_again": second.read,
        "kept": second.kept,
    }


def encode_corpus(folder: Path, cluster: Cluster) -> dict[str, Any] | None:
    """A corpus encoded with a tiny bi-encoder on the cluster and here, where PyTorch is there."""
    if not (find_spec("torch") and find_spec("transformers")):
        return None
    from seminar.networks.checkpoints import tokenizer_of
    from seminar.networks.papers.dpr.bi_encoder import export, load, pretrained
    from seminar.networks.papers.dpr.inputs import DprInputs
    from seminar.training.papers.dpr.corpus import encoding_on, index_corpus

    model, inputs = folder / "model", DprInputs(tokenizer_of("tiny"))
    export(
        pretrained("tiny", dropout=0.0, questions_only=False),
        model,
        inputs=inputs,
        lengths=(32, 32),
    )
    texts = [f"The {number}th lamp was lit in {1800 + number}." for number in range(23)]
    corpus = [Passage(f"wiki:{n}", 0, len(text), text) for n, text in enumerate(texts)]
    side = load(model).passages
    there = index_corpus(
        corpus, side, folder / "corpus", part=5, encoding=encoding_on(cluster, model)
    )
    here = index_corpus(corpus, side, folder / "corpus-here", part=5)
    query = Query("lamp", vector=side.encode(["The 7th lamp"])[0])
    [[found], [expected]] = (index.search_vector([query], k=23) for index in (there, here))
    same = [hit.passage for hit in found] == [hit.passage for hit in expected]
    return {"passages": there.count(), "same_hits": same}


def main() -> None:
    folder = Path(sys.argv[1])
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    nodes = three_nodes()
    try:
        with connected(nodes.address) as cluster:
            outcome = run(folder, nodes, cluster)
    finally:
        nodes.shutdown()
    (folder / "outcome.json").write_text(json.dumps(outcome))


if __name__ == "__main__":
    main()
