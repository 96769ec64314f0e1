"""`seminar mcp`: a server of the Model Context Protocol on standard input and output."""

from __future__ import annotations

import functools
from dataclasses import replace

import click

from seminar.cli import consoles, options
from seminar.cli.opening import open_for_asking
from seminar.errors import SeminarError
from seminar.index_url import IndexUrl, Place
from seminar.ingestion.selection import Selection
from seminar.models.encoders.registry import AUTO
from seminar.session import Session
from seminar.settings import Settings


@click.command("mcp")
@options.places
@options.scope
@options.selection
@options.forget
@functools.partial(options.settings, encoder=AUTO)
@options.debug
def command(
    paths: tuple[Place, ...],
    *,
    scope: str | None,
    selection: Selection,
    forget: bool,
    settings: Settings,
) -> None:
    """Let an assistant ask files, with citations (MCP).

    The assistant's program starts this command and talks with it over standard input and output.
    """
    from seminar.integrations.mcp_server import make_server

    for path in paths:
        if not isinstance(path, IndexUrl) and not path.exists():
            raise SeminarError(f"{path}: no such file or folder")
    if scope is not None:
        settings = replace(settings, scope=scope)
    opening = functools.partial(
        open_for_asking, paths, settings, consoles.errors(), selection=selection, forget=forget
    )
    make_server(lambda: Session(opening())).run("stdio")
