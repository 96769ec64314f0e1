"""The corpus that a dataset's questions are asked of, and its index for a run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from seminar.assembly import create_index
from seminar.evaluation.setup import Setup
from seminar.examples import Example
from seminar.models.encoders.registry import load_encoder
from seminar.retrieval.file_index import FileIndex
from seminar.types import Passage

BATCH = 2_000


@dataclass(frozen=True, slots=True)
class Corpus:
    """Passages, a note that describes them, and which questions they can answer at all.

    `material` is a fingerprint of the passages.
    """

    passages: tuple[Passage, ...]
    note: str
    covers: Callable[[Example], bool] = lambda example: True
    material: str = ""


def index_passages(setup: Setup, passages: Iterable[Passage]) -> FileIndex:
    """An index of passages in the run's scratch folder, made with the settings' encoder."""
    encoder = load_encoder(setup.settings.encoder)
    index = create_index(setup.scratch / "index", encoder)
    for batch in _batches(iter(passages)):
        index.add(batch, encoder.encode([passage.searched for passage in batch]))
    return index


def _batches(passages: Iterator[Passage]) -> Iterator[list[Passage]]:
    while batch := list(islice(passages, BATCH)):
        yield batch
