"""`seminar collect serve`: run a study."""

from __future__ import annotations

from pathlib import Path

import click

from seminar.cli import consoles, options
from seminar.errors import MissingExtraError


@click.command("serve")
@click.argument("file", metavar="STUDY.toml", type=click.Path(path_type=Path))
@click.option("--host", default="127.0.0.1", help="The address to listen on (default 127.0.0.1).")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8643, help="The port (default 8643; 0: any)."
)
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    help="Where state is kept (default: the study's name beside STUDY.toml).",
)
@click.option(
    "--database",
    metavar="URL",
    envvar="SEMINAR_DATABASE",
    help="Keep the study in PostgreSQL: postgresql://USER:PASSWORD@HOST/NAME; better named in "
    "SEMINAR_DATABASE, which other users of the machine can't see.",
)
@click.option(
    "--address", metavar="URL", help="Where browsers reach it through a proxy, for links."
)
@click.option(
    "--trusted-proxy",
    "proxies",
    multiple=True,
    metavar="ADDRESS",
    help="A proxy whose X-Forwarded-For and X-Forwarded-Proto count; may be repeated.",
)
@click.option("--check", is_flag=True, help="Check STUDY.toml and its corpus, and end.")
@options.debug
def command(
    file: Path,
    *,
    host: str,
    port: int,
    folder: Path | None,
    database: str | None,
    address: str | None,
    proxies: tuple[str, ...],
    check: bool,
) -> None:
    """Run the study that STUDY.toml describes.

    Workers come by the first link that is printed, the admin by the second.
    """
    try:
        from seminar.collection import running
        from seminar.collection.app import StudyServer
    except ModuleNotFoundError as error:
        raise MissingExtraError("collection", "collect") from error
    from seminar.collection.study.loading import load_study

    study = load_study(file)
    if check:
        _print(f"{file}: {study.protocol.name}, {len(study.subjects):,} subjects; nothing is wrong")
        return
    state = folder or file.parent / study.table.name
    server = StudyServer(
        folder=state,
        admin_token=running.admin_token(state),
        database=database or "",
        address=(address or "").rstrip("/"),
        trusted_proxies=proxies,
    )
    running.serve_study(study, server, host=host, port=port, announce=_print)


def _print(line: str) -> None:
    print(consoles.printable(line), flush=True)
