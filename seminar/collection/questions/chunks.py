"""Chunks of files to make questions from, in random order."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from seminar.errors import IngestionError
from seminar.ingestion.discover import Problem, discover
from seminar.ingestion.loader import Notified, read_passages
from seminar.ingestion.read_options import DEFAULT_READING, ReadOptions
from seminar.ingestion.selection import EVERYTHING, Selection
from seminar.types import Passage

SAMPLED = 2_000  # the size of the sample


def sample_chunks(
    paths: Sequence[Path],
    seed: int,
    notify: Notified,
    *,
    options: ReadOptions = DEFAULT_READING,
    selection: Selection = EVERYTHING,
) -> list[Passage]:
    """Chunks of the files in random order; of very many a fair sample (Vitter's algorithm R)."""
    chance = random.Random(seed)
    held: list[Passage] = []
    for number, passage in enumerate(_chunks(paths, notify, options=options, selection=selection)):
        if number < SAMPLED:
            held.append(passage)
        elif (place := chance.randrange(number + 1)) < SAMPLED:
            held[place] = passage
    chance.shuffle(held)
    return held


def _chunks(
    paths: Sequence[Path], notify: Notified, *, options: ReadOptions, selection: Selection
) -> Iterator[Passage]:
    files, problems = discover(paths, selection=selection)
    for problem in problems:
        notify(problem)
    for file in files:
        try:
            yield from read_passages(file, notify, options=options)
        except IngestionError as error:
            notify(Problem(file.source, str(error).removeprefix(f"{file.source}: ")))
