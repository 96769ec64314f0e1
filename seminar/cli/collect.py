"""`seminar collect`: what to ask people about files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from seminar.answering.records import span_record
from seminar.cli import consoles, options
from seminar.cli.consoles import print_json, printable
from seminar.cli.opening import print_problems
from seminar.collection.questions.chunks import sample_chunks
from seminar.collection.questions.generation import open_generator
from seminar.collection.questions.question_candidates import Judged
from seminar.errors import SeminarError
from seminar.ingestion.discover import Problem
from seminar.settings import Settings


@click.group("collect")
def command() -> None:
    """Prepare what people are asked about files."""


@command.command("questions")
@options.paths
@click.option("--count", type=click.IntRange(1), default=20, help="How many to keep (default 20).")
@click.option("--seed", type=int, default=0, help="Of the chunks and forms chosen (default 0).")
@click.option("--all", "everything", is_flag=True, help="Show those left out too, and why.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line on stdout.")
@options.settings
@options.debug
def questions(
    paths: tuple[Path, ...],
    count: int,
    seed: int,
    *,
    everything: bool,
    as_json: bool,
    settings: Settings,
) -> None:
    """Make questions about files, and keep those that the reader doesn't answer easily."""
    console, errors = consoles.output(), consoles.errors()
    problems: list[Problem] = []
    chunks = sample_chunks(paths, seed, problems.append, threads=settings.threads)
    print_problems(errors, tuple(problems))
    if not chunks:
        raise SeminarError("nothing to ask about: no file there holds readable text")
    tally: Counter[str] = Counter()
    for judged in _enough(open_generator(settings, seed=seed).generate(chunks), count):
        tally.update(judged.failed or ["easy" if judged.easy else "kept"])
        tally["made"] += 1
        if judged.kept or everything:
            _show(judged, console, as_json=as_json)
    told = "; ".join(f"{number} {name}" for name, number in tally.most_common())
    errors.print(Text(told or "no question could be made", style="dim"))


def _enough(made: Iterator[Judged], count: int) -> Iterator[Judged]:
    kept = 0
    for judged in made:
        yield judged
        kept += judged.kept
        if kept == count:
            return


def _show(judged: Judged, console: Console, *, as_json: bool) -> None:
    if as_json:
        print_json(_record(judged))
        return
    one = judged.candidate
    why = "" if judged.kept else f"  ({', '.join(judged.failed) or 'easy'})"
    console.print(Text(f"{printable(one.question)}{why}", style="" if judged.kept else "dim"))
    source = one.span.source if one.span else one.passage.source
    console.print(Text(f"  {printable(one.answer)}  [{printable(source)}]", style="dim"))


def _record(judged: Judged) -> dict[str, object]:
    one = judged.candidate
    return {
        "question": one.question,
        "answer": one.answer,
        "span": span_record(one.span) if one.span else None,
        "chunk": {
            "source": one.passage.source,
            "start": one.passage.start,
            "end": one.passage.end,
            "title": one.passage.title,
            "scope": one.passage.scope,
        },
        "origin": one.origin,
        "kind": one.kind,
        "failed": list(judged.failed),
        "easy": judged.easy,
    }
