"""`seminar watch`: keep an index fresh while files change."""

from __future__ import annotations

import threading
from datetime import datetime
from pathlib import Path

import click
from rich.text import Text

from seminar.assembly import choose_encoder, index_files, index_folder
from seminar.cli import consoles, options
from seminar.cli.consoles import counted, print_json, printable
from seminar.cli.main import explained
from seminar.cli.opening import print_problems
from seminar.indexing import Outcome
from seminar.ingestion.discover import Problem
from seminar.ingestion.selection import Selection
from seminar.models.encoders.registry import AUTO, load_encoder
from seminar.settings import home, load_settings
from seminar.watching import changes, keep_fresh


@click.command("watch")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option(
    "--to",
    "folder",
    type=click.Path(path_type=Path),
    help="The folder of the index; without it the one that chat and ask use for these paths.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object for each update.")
@options.encoder
@options.threads
@options.ocr
@options.selection
@options.forget
@options.debug
def command(
    paths: tuple[Path, ...],
    folder: Path | None,
    as_json: bool,
    encoder: str | None,
    threads: bool | None,
    ocr: str | None,
    selection: Selection,
    forget: bool,
) -> None:
    """Keep an index of files and folders fresh, until Ctrl-C."""
    settings = load_settings(None, {"encoder": AUTO}, encoder=encoder, threads=threads, ocr=ocr)
    loaded = load_encoder(choose_encoder(settings.encoder, paths, folder, selection=selection))
    index = folder or index_folder(paths, loaded.name, selection)
    stop = threading.Event()
    report = _Report(index, as_json=as_json)

    def update() -> Outcome:
        _, outcome = index_files(
            paths, index, loaded, options=settings.reading, selection=selection, forget=forget
        )
        return outcome

    try:
        keep_fresh(
            update,
            changes(paths, ignored=(index, home()), stop=stop),
            updated=report.updated,
            failed=report.failed,
            stop=stop,
        )
    except KeyboardInterrupt:
        consoles.errors().print(Text("Stopped.", style="dim"))


class _Report:
    """Prints what an update did, and problems when they are new."""

    def __init__(self, index: Path, *, as_json: bool) -> None:
        self._index = index
        self._as_json = as_json
        self._problems: tuple[Problem, ...] = ()
        self._is_first = True

    def updated(self, outcome: Outcome, seconds: float) -> None:
        changed = outcome.read or outcome.removed
        fresh = tuple(problem for problem in outcome.problems if problem not in self._problems)
        self._problems = outcome.problems
        print_problems(consoles.errors(), fresh)
        if not (changed or fresh or self._is_first):
            return
        if self._as_json:
            print_json(
                {
                    "index": str(self._index),
                    "read": outcome.read,
                    "kept": outcome.kept,
                    "removed": outcome.removed,
                    "unread": outcome.unread,
                    "problems": [str(problem) for problem in fresh],
                    "seconds": round(seconds, 2),
                }
            )
        else:
            line = (
                f"{datetime.now():%H:%M:%S} {counted(outcome.read, 'file')} read, "
                f"{outcome.kept:,} kept, {outcome.removed:,} removed ({seconds:.1f} s)"
            )
            where = f" in {self._index}; Ctrl-C ends" if self._is_first else ""
            print(printable(line + where), flush=True)
        self._is_first = False

    def failed(self, error: Exception) -> None:
        line = f"{explained(error)[0]}; trying again"
        consoles.errors().print(Text(printable(line), style="red"), soft_wrap=True)
