"""`seminar collect corpus`: the pages or conversations that a study's workers read."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from seminar.cli import consoles, options
from seminar.cli.consoles import print_json
from seminar.cli.opening import print_problems
from seminar.collection.corpus.articles import SectionBounds, read_kinds
from seminar.collection.corpus.communities import Community, ranked, read_communities
from seminar.collection.corpus.offered_questions import offer_questions
from seminar.collection.corpus.preparation import (
    Site,
    chunks_corpus,
    linked_corpus,
    sections_corpus,
    topics_corpus,
)
from seminar.collection.corpus.reading import Kind, Reading, Watch, read_files
from seminar.collection.corpus.records import Corpus
from seminar.collection.corpus.storing import write_corpus
from seminar.collection.questions.generation import open_generator
from seminar.errors import ConfigurationError
from seminar.ingestion.discover import Problem
from seminar.ingestion.selection import Selection
from seminar.settings import Settings

READ = ".reading"  # what was read so far, in the corpus' folder, until it is done


@dataclass(frozen=True, slots=True)
class _Choice:
    """What is chosen from the files, as the options say."""

    central: tuple[str, ...]
    communities: Path | None
    first_questions: Path | None
    kinds: Path | None
    kind: tuple[str, ...]
    levels: int
    limit: int
    least_links: int
    words: tuple[int, int]
    questions: bool


Notify = Callable[[Problem], None]


@click.command("corpus")
@options.paths
@click.option(
    "--to", "folder", required=True, type=click.Path(path_type=Path), help="The corpus' folder."
)
@click.option(
    "--protocol",
    required=True,
    type=click.Choice(["quac", "topiocqa", "pragmaticqa", "qaconv"]),
    help="The protocol of the study, which decides what is chosen.",
)
@click.option(
    "--central",
    multiple=True,
    metavar="PAGE",
    help="A page to begin from, by title or file, for each topic (topiocqa, pragmaticqa).",
)
@click.option(
    "--communities",
    type=click.Path(path_type=Path),
    help="A CSV file of communities with their central pages (pragmaticqa).",
)
@click.option(
    "--first-questions",
    type=click.Path(path_type=Path),
    help="A file of lines 'page, tab, question' to begin dialogs with (topiocqa).",
)
@click.option(
    "--levels", type=click.IntRange(0, 10), default=3, help="Links from --central (default 3)."
)
@click.option(
    "--limit", type=click.IntRange(1), default=1000, help="Pages of each topic (default 1000)."
)
@click.option(
    "--kinds",
    type=click.Path(path_type=Path),
    help="A file of lines 'title, tab, kind' that says what pages are about (quac).",
)
@click.option("--kind", multiple=True, help="Take only pages of this kind, as 'person' (quac).")
@click.option(
    "--least-links",
    type=click.IntRange(0),
    default=100,
    help="Links that a page needs from others (quac; default 100).",
)
@click.option(
    "--words",
    type=(int, int),
    default=(150, 700),
    metavar="LEAST MOST",
    help="Words of a section (quac; default 150 700).",
)
@click.option("--questions", is_flag=True, help="Generate questions to offer to writers (qaconv).")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object, for programs.")
@options.selection
@options.debug
def command(
    paths: tuple[Path, ...],
    folder: Path,
    protocol: str,
    *,
    as_json: bool,
    selection: Selection,
    **chosen: object,
) -> None:
    """Prepare what the workers of a study read, from a folder, a wiki dump or a saved site.

    An interrupted run goes on where it stopped when it is started again.
    """
    console = consoles.errors()
    choice = _Choice(**chosen)  # type: ignore[arg-type]
    kind: Kind = "chunks" if protocol == "qaconv" else "pages"
    with _progress(console, "Reading") as watch:
        reading = read_files(paths, folder / READ, kind, selection=selection, watch=watch)
    problems = list(reading.problems)
    corpus = _PREPARED[protocol](reading, choice, problems.append)
    if choice.questions:
        corpus = _with_questions(corpus, folder / READ / "questions", console)
    write_corpus(folder, corpus)
    shutil.rmtree(folder / READ)
    print_problems(console, problems)
    summary: dict[str, Any] = {
        "corpus": str(folder),
        "read": reading.read,
        "kept": reading.kept,
        "pages": len(corpus.pages),
        "topics": len(corpus.topics),
        "sections": sum(len(page.sections) for page in corpus.pages),
        "chunks": len(corpus.chunks),
        "first_questions": len(corpus.first_questions),
        "problems": [str(problem) for problem in problems],
    }
    if as_json:
        print_json(summary)
    else:
        print(_told(summary))


def _told(summary: dict[str, Any]) -> str:
    """What the corpus has, and how much of it an interrupted run had read."""
    names = ("pages", "topics", "sections", "chunks", "first_questions")
    parts = [f"{summary[name]:,} {name.replace('_', ' ')}" for name in names if summary[name]]
    files = f"{summary['read'] + summary['kept']:,} files"
    earlier = f", {summary['kept']:,} of them by an earlier run" if summary["kept"] else ""
    return f"{', '.join(parts) or 'nothing'} in {summary['corpus']} ({files} read{earlier})"


def _topics(reading: Reading, choice: _Choice, notify: Notify) -> Corpus:
    communities = ranked(read_communities(choice.communities)) if choice.communities else []
    communities += [Community("", "", page, 0, 0, 0) for page in choice.central]
    if not communities:
        raise ConfigurationError(
            "no topic: name a page with --central, or give --communities a file that has one of "
            "at least 100 pages and 10 active users"
        )
    return topics_corpus(Site(reading), communities, levels=choice.levels, limit=choice.limit)


def _linked(reading: Reading, choice: _Choice, notify: Notify) -> Corpus:
    questions = list(_pairs(choice.first_questions)) if choice.first_questions else []
    return linked_corpus(
        Site(reading),
        choice.central,
        questions,
        levels=choice.levels,
        limit=choice.limit,
        notify=lambda reason: notify(Problem(str(choice.first_questions), reason)),
    )


def _sections(reading: Reading, choice: _Choice, notify: Notify) -> Corpus:
    if choice.kind and not choice.kinds:
        raise ConfigurationError("--kind needs --kinds, a file that says what pages are about")
    return sections_corpus(
        Site(reading),
        read_kinds(choice.kinds) if choice.kinds else {},
        kinds=choice.kind,
        least_links=choice.least_links,
        bounds=SectionBounds(words=choice.words),
    )


def _chunks(reading: Reading, choice: _Choice, notify: Notify) -> Corpus:
    return chunks_corpus(reading)


def _with_questions(corpus: Corpus, record: Path, console: Console) -> Corpus:
    generator = open_generator(Settings())
    with _progress(console, "Writing questions") as watch:
        total = len(corpus.chunks)
        chunks = offer_questions(
            corpus.chunks, generator, record, watch=lambda done: watch(done, total)
        )
        return replace(corpus, chunks=tuple(chunks))


_PREPARED: dict[str, Callable[[Reading, _Choice, Notify], Corpus]] = {
    "quac": _sections,
    "topiocqa": _linked,
    "pragmaticqa": _topics,
    "qaconv": _chunks,
}


def _pairs(file: Path) -> Iterator[tuple[str, str]]:
    """The rows of a file of two columns."""
    try:
        with file.open(encoding="utf-8-sig", newline="") as lines:
            for number, row in enumerate(csv.reader(lines, "excel-tab"), start=1):
                if len(row) != 2:
                    raise ConfigurationError(
                        f"{file}:{number}: {len(row)} columns; expected a page, a tab, a question"
                    )
                yield row[0], row[1]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ConfigurationError(f"{file}: can't be read: {error}") from error


@contextmanager
def _progress(console: Console, description: str) -> Iterator[Watch]:
    """Show a bar over the files or chunks."""
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    task = bar.add_task(description)
    with bar:
        yield lambda done, total: bar.update(task, completed=done, total=total)
