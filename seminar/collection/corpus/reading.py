"""Reading files into pages or chunks, file by file, so that an interrupted run goes on.

Each file's records stand in a file of their own, named by the hash of its content: what is there
already isn't read again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar
from uuid import NAMESPACE_URL, uuid5

import msgspec

from seminar.collection.corpus.records import Chunk, Line, Page
from seminar.errors import IngestionError
from seminar.ingestion.discover import Problem, SourceFile, discover
from seminar.ingestion.loader import VERSION, Notified, read, read_passages
from seminar.ingestion.read_options import DEFAULT_READING, ReadOptions
from seminar.ingestion.selection import EVERYTHING, Selection
from seminar.io import content_hash
from seminar.types import Document, Element, Passage

Kind = Literal["pages", "chunks"]
Watch = Callable[[int, int], None]  # files done, files in all
Record = TypeVar("Record")


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read: the files of records in the order of their sources, and what was left out."""

    files: tuple[Path, ...]
    read: int = 0
    kept: int = 0  # read by an earlier run
    problems: tuple[Problem, ...] = ()

    def records(self, kind: type[Record]) -> Iterator[Record]:
        """The records of all files, one at a time; fields that `kind` doesn't have are skipped."""
        decoder = msgspec.json.Decoder(kind)
        for file in self.files:
            with file.open("rb") as lines:
                for line in lines:
                    yield decoder.decode(line)


def read_files(
    paths: Sequence[Path],
    folder: Path,
    kind: Kind,
    *,
    selection: Selection = EVERYTHING,
    options: ReadOptions = DEFAULT_READING,
    watch: Watch = lambda done, total: None,
) -> Reading:
    """Read the pages or chunks of files into `folder`, but for those that are there already."""
    sources, problems = discover(paths, selection=selection)
    folder.mkdir(parents=True, exist_ok=True)
    files: list[Path] = []
    kept = 0
    for done, source in enumerate(sources):
        watch(done, len(sources))
        try:
            file = folder / f"{_key(source, kind, options)}.jsonl"
            if file.exists():
                kept += 1
            else:
                _write(file, _READERS[kind](source, problems.append, options), problems.append)
            files.append(file)
        except OSError as error:
            problems.append(Problem(source.source, f"can't be read: {error.strerror}"))
    watch(len(sources), len(sources))
    return Reading(tuple(files), len(files) - kept, kept, tuple(problems))


def _write(file: Path, records: Iterable[Page] | Iterable[Chunk], notify: Notified) -> None:
    """Write the records of a file as they come; those before an error stay."""
    unfinished = file.with_suffix(".unfinished")
    with unfinished.open("wb") as lines:
        try:
            for record in records:
                lines.write(msgspec.json.encode(record) + b"\n")
        except IngestionError as error:
            source, _, reason = str(error).partition(": ")
            notify(Problem(source, reason))
    unfinished.replace(file)


def page_of(document: Document) -> Page:
    """A document as a page; the keys of its elements are unlike those of any other page."""
    return Page(
        id=document.source,
        title=document.title,
        text=document.text,
        sections=document.sections,
        links=document.links,
        elements=tuple(
            Element(_element_key(document.source, one.key), one.start, one.end)
            for one in document.elements
        ),
    )


def chunk_of(passage: Passage) -> Chunk:
    """A segment of a recorded conversation as a chunk."""
    spans = [(one.speaker, passage.spoken_words(one)) for one in passage.utterances]
    lines = tuple(Line(speaker, span.text, span.start, span.end) for speaker, span in spans)
    return Chunk(passage.id, passage.source, passage.text, lines, passage.title)


def _pages(source: SourceFile, notify: Notified, options: ReadOptions) -> Iterator[Page]:
    items = read(source, notify, options=options)
    return (page_of(item) for item in items if isinstance(item, Document))


def _chunks(source: SourceFile, notify: Notified, options: ReadOptions) -> Iterator[Chunk]:
    passages = read_passages(source, notify, options=options)
    return (chunk_of(passage) for passage in passages if passage.utterances)


_READERS: dict[
    Kind, Callable[[SourceFile, Notified, ReadOptions], Iterable[Page] | Iterable[Chunk]]
] = {"pages": _pages, "chunks": _chunks}


def _key(source: SourceFile, kind: Kind, options: ReadOptions) -> str:
    parts = (source.source, content_hash(*source.files), kind, options.key, str(VERSION))
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=16).hexdigest()


def _element_key(page: str, key: str) -> str:
    """A UUID, as PragmatiCQA's elements have: the same for the same words on the same page."""
    return str(uuid5(NAMESPACE_URL, f"{page}#{key}"))
