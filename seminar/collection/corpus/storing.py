"""A corpus in a folder: one file of JSON lines for each kind of record."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

import msgspec

from seminar.collection.corpus.records import Chunk, Corpus, FirstQuestion, Page, Topic
from seminar.errors import SeminarError
from seminar.io import write_atomic

FILES: dict[str, type] = {
    "pages": Page,
    "topics": Topic,
    "chunks": Chunk,
    "first_questions": FirstQuestion,
}

Record = TypeVar("Record")


class CorpusError(SeminarError):
    """A corpus that can't be read; names the file and the line."""


def write_corpus(folder: Path, corpus: Corpus) -> None:
    """Write every kind of record that the corpus has; files of other kinds are removed."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        records: Iterable[object] = getattr(corpus, name)
        lines = b"".join(msgspec.json.encode(record) + b"\n" for record in records)
        if lines:
            write_atomic(folder / f"{name}.jsonl", lines)
        else:
            (folder / f"{name}.jsonl").unlink(missing_ok=True)


def read_corpus(folder: Path) -> Corpus:
    """Read what `write_corpus` wrote; a folder without any of its files is an error."""
    if not any((folder / f"{name}.jsonl").is_file() for name in FILES):
        names = ", ".join(f"{name}.jsonl" for name in FILES)
        raise CorpusError(
            f"{folder}: no corpus there (none of {names}); write one with 'seminar collect corpus'"
        )
    corpus = Corpus(
        pages=_read(folder / "pages.jsonl", Page),
        topics=_read(folder / "topics.jsonl", Topic),
        chunks=_read(folder / "chunks.jsonl", Chunk),
        first_questions=_read(folder / "first_questions.jsonl", FirstQuestion),
    )
    _check_unique(folder, corpus)
    return corpus


def _read(file: Path, kind: type[Record]) -> tuple[Record, ...]:
    if not file.is_file():
        return ()
    decoder = msgspec.json.Decoder(kind)
    records = []
    with file.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                records.append(decoder.decode(line))
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                raise CorpusError(f"{file}:{number}: {error}") from error
    return tuple(records)


def _check_unique(folder: Path, corpus: Corpus) -> None:
    for name in ("pages", "topics", "chunks"):
        seen: set[str] = set()
        for record in getattr(corpus, name):
            if record.id in seen:
                raise CorpusError(f"{folder / name}.jsonl: id '{record.id}' is there twice")
            seen.add(record.id)
