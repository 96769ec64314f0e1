"""`seminar train`: train one of Seminar's networks from its configuration."""

from __future__ import annotations

from pathlib import Path

import click

from seminar.cli import options
from seminar.errors import MissingExtraError
from seminar.training.runs import NETWORKS, train


@click.command("train")
@click.argument("network", type=click.Choice(sorted(NETWORKS)))
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    required=True,
    help="The configuration of the run, a TOML file.",
)
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, help="The folder of the run."
)
@click.option("--resume", type=click.Path(path_type=Path), help="A checkpoint to continue from.")
@click.option("--decay", type=int, help="Let the learning rate fall to zero over N more steps.")
@click.option(
    "--cache",
    type=click.Path(path_type=Path),
    help="The folder of prepared data (default: cache in the run's folder).",
)
@options.debug
def command(
    network: str,
    config: Path,
    out: Path,
    *,
    resume: Path | None,
    decay: int | None,
    cache: Path | None,
) -> None:
    """Train a network from its configuration.

    SIGTERM or Ctrl-C writes a checkpoint and stops.
    """
    try:
        written = train(
            network, config, out, resume=resume, decay=decay, cache=cache or out / "cache"
        )
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("seminar"):
            raise
        raise MissingExtraError("training", "train") from error
    for path in written:
        click.echo(path, err=True)


if __name__ == "__main__":
    command()
