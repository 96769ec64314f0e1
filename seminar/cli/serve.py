"""`seminar serve`: the web chat and the HTTP API, and backups of what they keep."""

from __future__ import annotations

import functools
from pathlib import Path

import click

from seminar.cli import consoles, options
from seminar.errors import MissingExtraError, SeminarError
from seminar.index_url import parse_index_url
from seminar.models.encoders.registry import AUTO
from seminar.settings import Settings


@click.command("serve")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option("--host", default="127.0.0.1", help="The address to listen on (default 127.0.0.1).")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8642, help="The port (default 8642; 0: any)."
)
@click.option(
    "--workers", type=click.IntRange(1, 64), default=1, help="Processes that share the work."
)
@click.option(
    "--multi-user/--single-user", default=None, help="Let people log in to accounts of their own."
)
@click.option(
    "--without-accounts",
    is_flag=True,
    help="Listen beyond this machine without accounts: whoever reaches it may do everything.",
)
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    help="Where state is kept (default: service below SEMINAR_HOME).",
)
@click.option(
    "--database",
    metavar="URL",
    envvar="SEMINAR_DATABASE",
    help="Keep accounts and dialogues in PostgreSQL: postgresql://USER:PASSWORD@HOST/NAME; better "
    "named in SEMINAR_DATABASE, which other users of the machine can't see.",
)
@click.option(
    "--address", metavar="URL", help="Where browsers reach it through a proxy, for links."
)
@click.option(
    "--settings",
    "file",
    type=click.Path(path_type=Path),
    help="Read further settings of the service from a TOML file: limits, OIDC, proxies, traces.",
)
@click.option(
    "--index",
    "indexes",
    metavar="URL",
    multiple=True,
    help="Ask an index that 'seminar index --to URL' keeps, as a collection; may be repeated.",
)
@click.option(
    "--backup", type=click.Path(path_type=Path), help="Write a backup to a file, and end."
)
@click.option(
    "--restore", type=click.Path(path_type=Path), help="Restore a backup into an empty state, end."
)
@functools.partial(options.settings, encoder=AUTO, followups=True)
@options.debug
def command(
    paths: tuple[Path, ...],
    *,
    host: str,
    port: int,
    workers: int,
    without_accounts: bool,
    file: Path | None,
    indexes: tuple[str, ...],
    backup: Path | None,
    restore: Path | None,
    settings: Settings,
    **service: object,
) -> None:
    """Serve a web chat and an HTTP API.

    Each PATH is a collection that is asked in place; others are made by upload.
    """
    try:
        from seminar.serving import running, upkeep
        from seminar.serving import settings as service_settings
    except ModuleNotFoundError as error:
        raise MissingExtraError("the service", "serve") from error
    chosen = service_settings.load_service_settings(
        file,
        paths=paths,
        indexes=tuple(map(parse_index_url, indexes)),
        assistant=settings,
        **service,
    )
    if backup and restore:
        raise SeminarError("name either --backup or --restore")
    if backup:
        size = upkeep.back_up(chosen, backup)
        print(f"{backup}: {size:,} bytes")
    elif restore:
        upkeep.restore(chosen, restore)
        print(f"{restore} is restored; the next start indexes its collections")
    else:
        running.check_host(host, chosen, without_accounts=without_accounts)
        running.serve(chosen, host=host, port=port, workers=workers, announce=_print)


def _print(line: str) -> None:
    print(consoles.printable(line), flush=True)
