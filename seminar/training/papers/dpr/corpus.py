"""A whole corpus into the index by a trained bi-encoder; started again, it goes on where it was.

python -m seminar.training.papers.dpr.corpus --model RUN/model --corpus topiocqa --to INDEX [--ray]
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from functools import cache, partial
from itertools import islice
from pathlib import Path

from seminar.assembly import create_index
from seminar.cluster import RUNNING, Cluster, connected
from seminar.datasets.catalog import passages
from seminar.datasets.conversations.qaconv_chunks import load_chunks
from seminar.index_url import Place, parse_place
from seminar.networks.papers.dpr.bi_encoder import Sides, load
from seminar.protocols import Encoder
from seminar.retrieval.dense import Dense
from seminar.retrieval.file_index import FileIndex, IndexedFile
from seminar.types import Matrix, Passage

PART = 5_000  # passages that are encoded, written and published together


# Encodes parts of a corpus, in order: here, or on many machines.
Encoding = Callable[[Iterable[IndexedFile]], Iterator[tuple[IndexedFile, Matrix]]]


def index_corpus(
    corpus: Iterable[Passage],
    encoder: Encoder,
    place: Place,
    *,
    part: int = PART,
    encoding: Encoding | None = None,
) -> FileIndex:
    """The index of a corpus, each part of it published as soon as it is encoded.

    The index remembers a part by what it holds, so those that are there already are not encoded
    again: after a kill, or where a corpus was changed or grew. Parts beyond its end are removed.
    """
    index = create_index(place, encoder)
    known = {path: record.hash for path, record in index.files().items()}
    encoding = encoding or partial(map, partial(_encoded, encoder))
    seen: set[str] = set()
    with index.writer() as writer:
        for file, vectors in encoding(_unknown(_parts(corpus, part), known, seen)):
            writer.add([file], vectors)
            writer.publish()
        writer.remove(known.keys() - seen)
    return index


def encoding_on(cluster: Cluster, model: Path) -> Encoding:
    """Encodes parts on the machines of a cluster, which see the model under the same path."""
    return lambda files: cluster.map(encode_part, ((model, file) for file in files))


def encode_part(order: tuple[Path, IndexedFile]) -> tuple[IndexedFile, Matrix]:
    """Encode a part of a corpus with a trained bi-encoder, on one of the machines."""
    model, file = order
    return _encoded(_passage_side(model), file)


@cache
def _passage_side(model: Path) -> Encoder:
    return load(model).passages


def _encoded(encoder: Encoder, file: IndexedFile) -> tuple[IndexedFile, Matrix]:
    return file, encoder.encode([one.searched for one in file.passages])


def _unknown(
    parts: Iterable[tuple[Passage, ...]], known: Mapping[str, str], seen: set[str]
) -> Iterator[IndexedFile]:
    """The parts that the index lacks; `seen` gets the names of all."""
    for number, few in enumerate(parts):
        file = IndexedFile(f"part-{number:07}", _digest(few), few)
        seen.add(file.path)
        if known.get(file.path) != file.hash:
            yield file


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
    parser.add_argument("--to", type=parse_place, required=True, help="the index: folder or URL")
    parser.add_argument("--part", type=int, default=PART, help="passages published together")
    parser.add_argument("--ray", nargs="?", const=RUNNING, help="encode on this Ray cluster")
    chosen = parser.parse_args(arguments)
    encoder = load(chosen.model).passages
    with connected(chosen.ray) if chosen.ray else nullcontext() as cluster:
        encoding = encoding_on(cluster, chosen.model.resolve()) if cluster else None
        corpus = corpus_of(chosen.corpus)
        index_corpus(corpus, encoder, chosen.to, part=chosen.part, encoding=encoding)


if __name__ == "__main__":
    main()
