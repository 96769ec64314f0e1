"""Reading and encoding files on a cluster: the machines do it, and one process writes the index.

Small files are read some at a time, a large file by itself; what they give is encoded in parts
that any machine may take. Every machine must see the files under the same paths, and have the same
version of Seminar.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from seminar.cluster import Cluster
from seminar.file_batches import (
    EncodedBatch,
    Progress,
    Reading,
    Watch,
    encoded,
    in_batches,
    read_file,
    size_of,
)
from seminar.ingestion.discover import Problem, SourceFile
from seminar.ingestion.read_options import ReadOptions
from seminar.models.encoders.registry import load_encoder
from seminar.protocols import Encoder
from seminar.retrieval.file_index import IndexedFile

UNIT_BYTES = 8_000_000
UNIT_FILES = 500


@dataclass(frozen=True, slots=True)
class Unit:
    """Files that a machine reads together, each with the hash of its content."""

    files: tuple[tuple[SourceFile, str], ...]
    size: int
    options: ReadOptions
    encoder: str


@dataclass(frozen=True, slots=True)
class ReadBatch:
    """Passages that any machine may encode."""

    files: tuple[IndexedFile, ...]
    unreadable: tuple[Problem, ...]
    encoder: str


def reading_on(cluster: Cluster) -> Reading:
    """Reads and encodes files on a cluster."""
    return partial(_read_on, cluster)


def _read_on(
    cluster: Cluster,
    files: Sequence[SourceFile],
    hashes: Mapping[str, str],
    options: ReadOptions,
    encoder: Encoder,
    watch: Watch,
) -> Generator[EncodedBatch, None, None]:
    units = list(_units(files, hashes, options, encoder.name))
    total = sum(unit.size for unit in units)
    done = passages = 0
    watch(Progress(done, total, passages, ""))
    for unit, batch in cluster.flow(read_unit, encode_batch, units):
        if batch is None:
            done += unit.size
        else:
            passages += len(batch.vectors)
            yield batch
        watch(Progress(done, total, passages, unit.files[0][0].source))


def _units(
    files: Sequence[SourceFile], hashes: Mapping[str, str], options: ReadOptions, encoder: str
) -> Iterator[Unit]:
    """Group files in their order; those that exceed a unit come last, each by itself.

    While a large file is incomplete nothing is published: a stopped run keeps all small ones.
    """
    held: list[tuple[SourceFile, str]] = []
    size = 0
    large: list[Unit] = []
    for file in files:
        entry, bytes_ = (file, hashes[file.source]), size_of(file)
        if bytes_ > UNIT_BYTES:
            large.append(Unit((entry,), bytes_, options, encoder))
            continue
        if held and (size + bytes_ > UNIT_BYTES or len(held) >= UNIT_FILES):
            yield Unit(tuple(held), size, options, encoder)
            held, size = [], 0
        held.append(entry)
        size += bytes_
    if held:
        yield Unit(tuple(held), size, options, encoder)
    yield from large


def read_unit(unit: Unit) -> Iterator[ReadBatch]:
    """Read the files of a unit, on one of the machines.

    If that machine dies, another reads the unit from its beginning and gives the same batches,
    since a file that changed meanwhile is recorded without its hash, and read by the next update.
    """
    unreadable: list[Problem] = []
    parts = (
        part
        for file, digest in unit.files
        for part in read_file(file, digest, unit.options, unreadable)
    )
    for batch in in_batches(parts):
        yield ReadBatch(tuple(batch), (), unit.encoder)
    if unreadable:
        yield ReadBatch((), tuple(unreadable), unit.encoder)


def encode_batch(batch: ReadBatch) -> EncodedBatch:
    """Encode passages, on one of the machines."""
    return encoded(batch.files, load_encoder(batch.encoder), batch.unreadable)
