"""`seminar score`: an official scorer over official files."""

from __future__ import annotations

import json
import math
from pathlib import Path

import click

from seminar.cli import options
from seminar.evaluation.score_files import score_files
from seminar.evaluation.suites.catalog import SCORERS, find_scorer


@click.command("score", epilog=f"Scorers: {', '.join(SCORERS)}.")
@click.argument("scorer")
@click.option(
    "--references",
    required=True,
    type=click.Path(path_type=Path),
    help="The dataset's official file.",
)
@click.option(
    "--predictions",
    required=True,
    type=click.Path(path_type=Path),
    help="Predictions in the official format.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object, for programs.")
@click.option(
    "--strict",
    is_flag=True,
    help="Treat ids that don't match as the official program does, even where it stops.",
)
@options.debug
def command(
    scorer: str, references: Path, predictions: Path, *, as_json: bool, strict: bool
) -> None:
    """Score predictions as a dataset's official program does."""
    find_scorer(scorer)
    table = score_files(scorer, references, predictions, strict=strict)
    if as_json:
        # JSON has no NaN: an average over nothing is null.
        print(json.dumps({name: None if math.isnan(x) else x for name, x in table.items()}))
        return
    width = max(map(len, table))
    for name, value in table.items():
        print(f"{name:{width}}  {_shown(value)}")


def _shown(value: float) -> str:
    if math.isnan(value):
        return "-"
    return str(value) if isinstance(value, int) else f"{value:.4f}"
