"""`seminar index`: build or update an index to keep or to share."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import click

from seminar.assembly import choose_encoder, index_files
from seminar.cli import consoles, options
from seminar.cli.consoles import print_json, printable
from seminar.cli.opening import confirms_forgetting, print_problems, progress_bar
from seminar.cluster import connected
from seminar.cluster_indexing import reading_on
from seminar.file_batches import Reading
from seminar.index_url import Place
from seminar.ingestion.selection import Selection
from seminar.models.encoders.registry import AUTO, load_encoder
from seminar.settings import load_settings


@click.command("index")
@options.paths
@click.option(
    "--to",
    "place",
    required=True,
    metavar="FOLDER|URL",
    type=options.PLACE,
    help="The folder of the index, or the URL of one on an engine, as s3://BUCKET/PATH.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object, for programs.")
@options.ray(
    "Read and encode the files on the Ray cluster at this address, or on the one that runs here; "
    "its machines must see the files under the same paths."
)
@options.encoder
@options.threads
@options.ocr
@options.selection
@options.forget
@options.debug
def command(
    paths: tuple[Path, ...],
    place: Place,
    as_json: bool,
    ray: str | None,
    encoder: str | None,
    threads: bool | None,
    ocr: str | None,
    selection: Selection,
    forget: bool,
) -> None:
    """Build an index of files and folders to keep or share, or update it."""
    console = consoles.errors()
    begun = time.perf_counter()
    with progress_bar(console) as watch, reading(ray) as read:
        settings = load_settings(None, {"encoder": AUTO}, encoder=encoder, threads=threads, ocr=ocr)
        name = choose_encoder(settings.encoder, paths, place, selection=selection)
        loaded = load_encoder(name)
        update = partial(
            index_files, paths, place, loaded, options=settings.reading, selection=selection
        )
        store, outcome = update(forget=forget, watch=watch, reading=read)
    if confirms_forgetting(console, outcome.withheld):
        store, outcome = update(forget=True)
    print_problems(console, outcome.problems)
    summary = {
        "index": str(place),
        "read": outcome.read,
        "kept": outcome.kept,
        "removed": outcome.removed,
        "unread": outcome.unread,
        "stale": list(outcome.stale),
        "passages": store.count(),
        "encoder": loaded.name,
        "problems": [str(problem) for problem in outcome.problems],
        "seconds": round(time.perf_counter() - begun, 2),
    }
    if as_json:
        print_json(summary)
    else:
        unread = ", {unread} not readable" if outcome.unread else ""
        line = (
            f"{{read}} files read, {{kept}} kept, {{removed}} removed{unread}: "
            "{passages:,} passages in {index} ({seconds} s, encoder {encoder})"
        )
        print(printable(line.format(**summary)))


@contextmanager
def reading(ray: str | None) -> Iterator[Reading | None]:
    """Reading on a Ray cluster where its address is given, else None."""
    if ray is None:
        yield None
    else:
        with connected(ray) as cluster:
            yield reading_on(cluster)
