"""What a dataset's questions are asked of: its own chunks or passages, indexed for a run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from seminar.assembly import create_index
from seminar.datasets.catalog import passages
from seminar.datasets.conversations.qaconv_chunks import chunks_of
from seminar.evaluation.setup import Bench
from seminar.models.encoders.registry import load_encoder
from seminar.retrieval.file_index import FileIndex
from seminar.types import Passage

BATCH = 2_000


def corpus(bench: Bench) -> Iterator[Passage]:
    """The passages of the dataset's corpus, or the error that says which file it lacks."""
    if bench.dataset == "qaconv":
        return iter(chunks_of(bench.root)[0])
    return passages(bench.dataset, bench.root)


def indexed(bench: Bench, found: Iterable[Passage]) -> FileIndex:
    """An index of passages in the run's scratch folder, made with the settings' encoder."""
    encoder = load_encoder(bench.settings.encoder)
    index = create_index(bench.scratch / "index", encoder)
    for batch in _batches(found):
        index.add(batch, encoder.encode([passage.searched for passage in batch]))
    return index


def _batches(found: Iterable[Passage]) -> Iterator[list[Passage]]:
    batch: list[Passage] = []
    for passage in found:
        batch.append(passage)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch
