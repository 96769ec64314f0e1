"""Charts of what confidence is worth: risk-coverage and calibration curves."""

from __future__ import annotations

import pandas as pd

from seminar.analysis import confidence
from seminar.analysis.exhibits import Chart, missing_chart
from seminar.analysis.figures.style import QUIET, Tips, colour, drawing, marker, new_figure, short

NO_CONFIDENCE = "No file of predictions says how sure the system was (`score` in a line)."


def risk_coverage_chart(outcomes: pd.DataFrame) -> Chart:
    """The risk of each system if only its surest answers are given."""
    name, title = "risk-coverage", "Risk and coverage"
    table = confidence.risk_coverage(outcomes)
    if table.empty:
        return missing_chart(name, title, NO_CONFIDENCE)
    tips = Tips(name)
    with drawing():
        figure = new_figure(7.0, 4.2)
        axes = figure.add_subplot()
        for number, (system, part) in enumerate(table.groupby("system", sort=False)):
            (line,) = axes.plot(
                part["coverage %"],
                part["risk %"],
                color=colour(number),
                linewidth=2,
                label=short(str(system)),
            )
            last = part.iloc[-1]
            tips.add(line, f"{system}: risk {last['risk %']:.1f} % with every answer given")
        axes.set(xlabel="questions answered (%)", ylabel="risk (100 − score, %)", xlim=(0, 100))
        axes.set_ylim(bottom=0)
        axes.grid(axis="y")
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    note = (
        "The surest answers first: a curve that rises from left to right has a useful confidence."
    )
    return Chart(name, title, table, figure, note, tips=tips.words)


def calibration_chart(outcomes: pd.DataFrame) -> Chart:
    """How confidence agrees with scores."""
    name, title = "calibration", "Calibration"
    table = confidence.calibration(outcomes)
    if table.empty:
        return missing_chart(name, title, NO_CONFIDENCE)
    tips = Tips(name)
    with drawing():
        figure = new_figure(6.4, 4.6)
        axes = figure.add_subplot()
        axes.plot(
            [0, 100], [0, 100], color=QUIET, linestyle="--", linewidth=1, label="as sure as right"
        )
        for number, (system, part) in enumerate(table.groupby("system", sort=False)):
            axes.plot(part["confidence %"], part["score %"], color=colour(number), linewidth=1.4)
            for at, row in enumerate(part.to_dict("records")):
                (dot,) = axes.plot(
                    [row["confidence %"]],
                    [row["score %"]],
                    marker(number),
                    color=colour(number),
                    markersize=6,
                    label=short(str(system)) if at == 0 else None,
                )
                tips.add(
                    dot,
                    f"{system}: {row['questions']:,} questions, "
                    f"confidence {row['confidence %']:.0f} %, score {row['score %']:.0f} %",
                )
        axes.set(
            xlabel="mean confidence (%)", ylabel="mean score (%)", xlim=(0, 100), ylim=(0, 100)
        )
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return Chart(name, title, table, figure, "Ten bins of confidence.", tips=tips.words)
