"""A whole corpus into the index by a trained bi-encoder; started again, it goes on where it was.

python -m seminar.training.papers.dpr.corpus --model RUN/model --corpus topiocqa --to INDEX
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from seminar.assembly import create_index
from seminar.datasets.catalog import passages
from seminar.datasets.conversations.qaconv_chunks import load_chunks
from seminar.networks.papers.dpr.bi_encoder import Sides, load
from seminar.protocols import Encoder
from seminar.retrieval.dense import Dense
from seminar.retrieval.file_index import FileIndex, IndexedFile
from seminar.types import Passage

PART = 5_000  # passages that are encoded, written and published together


def index_corpus(
    corpus: Iterable[Passage], encoder: Encoder, folder: Path, *, part: int = PART
) -> FileIndex:
    """The index of a corpus, each part of it published as soon as it is encoded.

    The index remembers a part by what it holds, so those that are there already are not encoded
    again: after a kill, or where a corpus was changed or grew. Parts beyond its end are removed.
    """
    index = create_index(folder, encoder)
    known = {path: record.hash for path, record in index.files().items()}
    seen: set[str] = set()
    with index.writer() as writer:
        for number, few in enumerate(_parts(corpus, part)):
            file = IndexedFile(f"part-{number:07}", _digest(few), few)
            seen.add(file.path)
            if known.get(file.path) != file.hash:
                writer.add([file], encoder.encode([one.searched for one in few]))
                writer.publish()
        writer.remove(known.keys() - seen)
    return index


def retriever(index: FileIndex, sides: Sides) -> Dense:
    """DPR's retriever over an index that its passage side has made."""
    return Dense(index, sides.questions)


def corpus_of(name: str) -> Iterator[Passage]:
    """The passages of a dataset's corpus, or the contexts of a split, under SEMINAR_DATA."""
    return iter(load_chunks(None)[0]) if name == "qaconv" else passages(name)


def _parts(corpus: Iterable[Passage], size: int) -> Iterator[tuple[Passage, ...]]:
    rest = iter(corpus)
    while few := tuple(islice(rest, size)):
        yield few


def _digest(few: Sequence[Passage]) -> str:
    digest = hashlib.sha256()
    for one in few:
        digest.update(f"{one.id}\0{one.scope}\0{one.searched}\0".encode("utf-8", "replace"))
    return digest.hexdigest()


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True, help="a trained bi-encoder's folder")
    parser.add_argument("--corpus", required=True, help="topiocqa, qaconv, or a split: squad/dev")
    parser.add_argument("--to", type=Path, required=True, help="the index's folder")
    parser.add_argument("--part", type=int, default=PART, help="passages published together")
    chosen = parser.parse_args(arguments)
    index_corpus(corpus_of(chosen.corpus), load(chosen.model).passages, chosen.to, part=chosen.part)


if __name__ == "__main__":
    main()
