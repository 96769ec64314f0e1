"""`seminar collect`: dialogs and questions from people, about files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from seminar.answering.records import span_record
from seminar.cli import collect_corpus, collect_serve, consoles, options
from seminar.cli.consoles import print_json, printable
from seminar.cli.opening import print_problems
from seminar.collection.questions.chunks import sample_chunks
from seminar.collection.questions.generation import open_generator
from seminar.collection.questions.question_candidates import Judged
from seminar.errors import SeminarError
from seminar.ingestion.discover import Problem
from seminar.ingestion.selection import Selection
from seminar.settings import Settings


@click.group("collect")
def command() -> None:
    """Collect dialogs about files from people, and prepare their corpus."""


command.add_command(collect_corpus.command)
command.add_command(collect_serve.command)


@command.command("questions")
@options.paths
@click.option(
    "--count", type=click.IntRange(1), default=20, help="How many questions to keep (default 20)."
)
@click.option(
    "--seed",
    type=int,
    default=0,
    help="Seed of the choice of chunks and question forms (default 0).",
)
@click.option(
    "--all", "everything", is_flag=True, help="Show rejected questions too, with the reason."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line, for programs.")
@options.selection
@options.settings
@options.debug
def questions(
    paths: tuple[Path, ...],
    count: int,
    seed: int,
    *,
    everything: bool,
    as_json: bool,
    selection: Selection,
    settings: Settings,
) -> None:
    """Make questions about files, and keep those that the reader doesn't answer easily."""
    console, errors = consoles.output(), consoles.errors()
    problems: list[Problem] = []
    chunks = sample_chunks(
        paths, seed, problems.append, options=settings.reading, selection=selection
    )
    print_problems(errors, tuple(problems))
    if not chunks:
        raise SeminarError("nothing to ask about: no file there holds readable text")
    tally: Counter[str] = Counter()
    candidates = open_generator(settings, seed=seed).generate(chunks)
    for judged in _until_kept(candidates, count):
        tally.update(judged.failed or ["easy" if judged.easy else "kept"])
        tally["made"] += 1
        if judged.kept or everything:
            _show(judged, console, as_json=as_json)
    summary = "; ".join(f"{number} {name}" for name, number in tally.most_common())
    errors.print(Text(summary or "no question could be made", style="dim"))


def _until_kept(candidates: Iterator[Judged], count: int) -> Iterator[Judged]:
    """Yield candidates until that many of them were kept."""
    kept = 0
    for judged in candidates:
        yield judged
        kept += judged.kept
        if kept == count:
            return


def _show(judged: Judged, console: Console, *, as_json: bool) -> None:
    if as_json:
        print_json(_record(judged))
        return
    candidate = judged.candidate
    why = "" if judged.kept else f"  ({', '.join(judged.failed) or 'easy'})"
    console.print(Text(f"{printable(candidate.question)}{why}", style="" if judged.kept else "dim"))
    source = candidate.span.source if candidate.span else candidate.passage.source
    console.print(Text(f"  {printable(candidate.answer)}  [{printable(source)}]", style="dim"))


def _record(judged: Judged) -> dict[str, object]:
    candidate = judged.candidate
    return {
        "question": candidate.question,
        "answer": candidate.answer,
        "span": span_record(candidate.span) if candidate.span else None,
        "chunk": {
            "source": candidate.passage.source,
            "start": candidate.passage.start,
            "end": candidate.passage.end,
            "title": candidate.passage.title,
            "scope": candidate.passage.scope,
        },
        "origin": candidate.origin,
        "kind": candidate.kind,
        "failed": list(judged.failed),
        "easy": judged.easy,
    }
