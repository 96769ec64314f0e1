"""Charts of training runs side by side."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from seminar.analysis.exhibits import Chart, missing_chart
from seminar.analysis.figures.style import Tips, colour, drawing, marker, new_figure, short

SMOOTH = 200  # points of a loss curve; more are averaged


def loss_chart(runs: Mapping[str, pd.DataFrame]) -> Chart:
    """The loss of each run over the examples that it has seen."""
    name, title = "training-loss", "Loss of the training runs"
    known = {run: log.dropna(subset="loss") for run, log in runs.items() if "loss" in log}
    known = {run: log for run, log in known.items() if len(log)}
    if not known:
        return missing_chart(name, title, "No log has an entry with a loss.")
    tips = Tips(name)
    rows = []
    with drawing():
        figure = new_figure(7.5, 4.0)
        axes = figure.add_subplot()
        for number, (run, log) in enumerate(known.items()):
            smooth = _averaged(log)
            (line,) = axes.plot(
                smooth["examples"],
                smooth["loss"],
                color=colour(number),
                linewidth=1.6,
                label=short(run),
            )
            tips.add(
                line,
                f"{run}: last loss {log['loss'].iloc[-1]:.4g} after "
                f"{int(log['examples'].iloc[-1]):,} examples",
            )
            rows.append(smooth.assign(run=run))
        axes.set(xlabel="examples seen", ylabel="loss")
        axes.grid(axis="y")
        axes.legend(loc="upper right")
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    table = pd.concat(rows)[["run", "examples", "loss"]].reset_index(drop=True)
    note = f"A curve has at most {SMOOTH} points, each the mean of its entries."
    return Chart(name, title, table, figure, note, tips=tips.words)


def _averaged(log: pd.DataFrame) -> pd.DataFrame:
    size = -(-len(log) // SMOOTH)
    part = log[["examples", "loss"]].reset_index(drop=True)
    return part.groupby(part.index // size).mean()


def scores_chart(runs: Mapping[str, pd.DataFrame]) -> Chart:
    """The scores of each run on the development set, a plot for each score."""
    name, title = "training-scores", "Scores of the training runs"
    scores = sorted(
        {c for log in runs.values() for c in log.columns if str(c).startswith("score ")}
    )
    if not scores:
        return missing_chart(name, title, "No log has an entry with scores.")
    tips = Tips(name)
    rows = []
    columns = min(3, len(scores))
    high = -(-len(scores) // columns)
    with drawing():
        figure = new_figure(3.7 * columns + (1.2 if columns == 1 else 0.4), 0.6 + 2.9 * high)
        grid = figure.subplots(high, columns, squeeze=False)
        for at, score in enumerate(scores):
            axes = grid[at // columns][at % columns]
            for number, (run, log) in enumerate(runs.items()):
                if score not in log:
                    continue
                part = log.dropna(subset=score)
                axes.plot(
                    part["examples"],
                    part[score],
                    color=colour(number),
                    marker=marker(number),
                    markersize=4,
                    linewidth=1.4,
                    label=short(run),
                )
                rows += [
                    (run, score.removeprefix("score "), int(x), y)
                    for x, y in zip(part["examples"], part[score], strict=True)
                ]
            axes.set(title=score.removeprefix("score "), xlabel="examples seen")
            axes.grid(axis="y")
            axes.xaxis.get_major_locator().set_params(nbins=4)
            axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
        for empty in range(len(scores), high * columns):
            grid[empty // columns][empty % columns].axis("off")
        handles = {
            label: handle
            for row in grid
            for axes in row
            for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)
        }
        figure.legend(
            handles.values(), handles.keys(), loc="outside lower center", ncols=min(4, len(handles))
        )
    table = pd.DataFrame(rows, columns=["run", "score", "examples", "value"])
    return Chart(name, title, table, figure, tips=tips.words)
