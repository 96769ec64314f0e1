"""Speed of indexing and searching the Wikispeedia articles, beside bm25s on the same passages.

    scripts/bench indexing            needs SEMINAR_DATA

The articles are written out as HTML files first, so that reading, splitting, encoding and writing
are all part of the time. bm25s tokenises and indexes the same passages in the same run.
"""

from __future__ import annotations

import argparse
import html
import json
import random
import shutil
import statistics
import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice, product
from pathlib import Path

import bm25s

from benchmarks.results import peak_memory_mib, write_result
from seminar.assembly import create_index
from seminar.datasets.catalog import documents
from seminar.indexing import update
from seminar.ingestion.passages import split
from seminar.models.encoders.registry import load_encoder
from seminar.protocols import Retriever
from seminar.retrieval.dense import Dense
from seminar.retrieval.file_index import FileIndex, IndexedFile
from seminar.retrieval.hybrid import hybrid
from seminar.retrieval.lexical import Lexical
from seminar.settings import Settings
from seminar.types import Document, Passage, Query

BATCH = 5_000


def write_files(articles: Sequence[Document], folder: Path) -> int:
    """The articles as HTML pages with sections and links; how many bytes they are."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, article in enumerate(articles):
        (folder / f"{number:05}.html").write_text(_page(article), encoding="utf-8")
    return sum(path.stat().st_size for path in folder.iterdir())


def _page(article: Document) -> str:
    parts = [f"<title>{html.escape(article.title)}</title><h1>{html.escape(article.title)}</h1>"]
    for section in article.sections:
        if section.title:
            parts.append(f"<h2>{html.escape(section.title)}</h2>")
        links = [one for one in article.links if section.start <= one.start < section.end]
        at = section.start
        body = ""
        for link in links:
            body += html.escape(article.text[at : link.start])
            anchor = html.escape(article.text[link.start : link.end])
            body += f'<a href="{html.escape(link.target)}.html">{anchor}</a>'
            at = link.end
        body += html.escape(article.text[at : section.end])
        parts += [f"<p>{line}</p>" for line in body.split("\n") if line.strip()]
    return "<!doctype html><html><body>" + "\n".join(parts) + "</body></html>"


def time_peer(passages: Sequence[Passage]) -> float:
    begun = time.perf_counter()
    tokens = bm25s.tokenize(
        [passage.searched for passage in passages], stopwords="en", show_progress=False
    )
    bm25s.BM25(k1=0.9, b=0.4).index(tokens, show_progress=False)
    return time.perf_counter() - begun


def latencies(retriever: Retriever, questions: Sequence[str]) -> dict[str, float]:
    """Milliseconds of one search at a time, after some to warm up."""
    retriever.search([Query(question) for question in questions[:20]], 10)
    taken = []
    for question in questions:
        begun = time.perf_counter()
        retriever.search([Query(question)], 10)
        taken.append(1000 * (time.perf_counter() - begun))
    cuts = statistics.quantiles(taken, n=20)
    return {"p50": round(cuts[9], 2), "p95": round(cuts[18], 2)}


def measure_search(index: FileIndex, questions: Sequence[str], *, folder: Path) -> object:
    encoder = load_encoder(index.encoder_name)
    return {
        "passages": index.count(),
        "lexical ms": latencies(Lexical(index), questions),
        "dense ms": latencies(Dense(index, encoder), questions),
        "fused ms": latencies(hybrid(index, encoder), questions),
        "index MiB": round(size_of(folder) / 2**20, 1),
    }


def multiply(index: FileIndex, passages: Sequence[Passage], times: int) -> None:
    """More passages of the same kind: each again under other sources, its words shuffled."""
    chance = random.Random(1)
    encoder = load_encoder(index.encoder_name)
    with index.writer() as writer:
        for copy, start in product(range(times), range(0, len(passages), BATCH)):
            batch = tuple(_shuffled(one, copy, chance) for one in passages[start : start + BATCH])
            vectors = encoder.encode([one.searched for one in batch])
            writer.add([IndexedFile(f"{copy}/{start}", "1", batch)], vectors)


def _shuffled(passage: Passage, copy: int, chance: random.Random) -> Passage:
    words = passage.text.split()
    chance.shuffle(words)
    text = " ".join(words)
    source = f"{copy}/{passage.source}"
    return replace(
        passage, source=source, scope=source, text=text, end=passage.start + len(text), links=()
    )


def size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def questions_about(passages: Sequence[Passage], count: int) -> list[str]:
    """Questions made of a title and three words of a passage, so that something is found."""
    chance = random.Random(2)
    chosen = chance.sample([one for one in passages if len(one.text.split()) >= 10], count)
    return [
        f"What of {one.title}: {' '.join(chance.sample(one.text.split(), 3))}?" for one in chosen
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, default=Path(".seminar/bench/indexing"))
    parser.add_argument("--encoder", default=Settings().encoder)
    parser.add_argument("--articles", type=int, help="only the first so many; nothing is recorded")
    parser.add_argument("--copies", type=int, default=9, help="of the passages, for the growth")
    options = parser.parse_args()
    shutil.rmtree(options.work, ignore_errors=True)
    articles = list(islice(documents("wikispeedia"), options.articles))
    size = write_files(articles, options.work / "files")
    encoder = load_encoder(options.encoder)
    encoder.encode(["warm"])

    begun = time.perf_counter()
    folder = options.work / "index"
    index = create_index(folder, encoder)
    update(index, [options.work / "files"], encoder)
    seconds = time.perf_counter() - begun
    memory = peak_memory_mib()

    passages = [one for article in articles for one in split(article)]
    peer = time_peer(passages)
    begun = time.perf_counter()
    update(index, [options.work / "files"], encoder)
    unchanged = time.perf_counter() - begun
    questions = questions_about(passages, 200)
    result = {
        "encoder": encoder.name,
        "articles": len(articles),
        "HTML MiB": round(size / 2**20, 1),
        "passages": index.count(),
        "seconds": round(seconds, 1),
        "passages/s": round(index.count() / seconds),
        "peak RSS MiB": memory,
        "bm25s seconds": round(peer, 1),
        "ratio to bm25s": round(seconds / peer, 2),
        "update without change, seconds": round(unchanged, 2),
        "search": [measure_search(index, questions, folder=folder)],
    }
    result["index MiB to HTML MiB"] = round(size_of(folder) / size, 2)
    if options.articles:
        print(json.dumps(result, indent=1))
        return
    write_result("indexing", result)
    multiply(index, passages, options.copies)
    result["search"].append(measure_search(index, questions, folder=folder))  # type: ignore[attr-defined]
    write_result("indexing", result)


if __name__ == "__main__":
    main()
