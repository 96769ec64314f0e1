"""Training curves: the loss and scores of a run over the examples seen."""

from __future__ import annotations

import json
from pathlib import Path

from seminar.errors import MissingExtraError


def plot(log: Path) -> Path:
    """Plot the log of a training run into `curve.png` beside it."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError("plotting a run", "train") from error
    lines = log.read_text(encoding="utf-8").splitlines()
    entries = [json.loads(line) for line in lines]
    figure = Figure(figsize=(9, 4), layout="constrained")
    losses, scores = figure.subplots(1, 2)
    steps = [entry for entry in entries if "loss" in entry]
    losses.plot([entry["examples"] for entry in steps], [entry["loss"] for entry in steps])
    losses.set(xlabel="examples", ylabel="loss")
    scored = [entry for entry in entries if "scores" in entry]
    for name in scored[-1]["scores"] if scored else ():
        scores.plot(
            [entry["examples"] for entry in scored],
            [entry["scores"].get(name) for entry in scored],
            marker="o",
            label=name,
        )
    scores.set(xlabel="examples", ylabel="score")
    if scored:
        scores.legend(fontsize="small")
    path = log.with_name("curve.png")
    figure.savefig(path)
    return path
