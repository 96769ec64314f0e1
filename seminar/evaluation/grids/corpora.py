"""What a grid's questions are asked of: the paper's corpus, or the nearest thing that is there."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from seminar.assembly import open_index
from seminar.datasets.catalog import documents, load, passages
from seminar.datasets.conversations.qaconv_chunks import chunks_of
from seminar.datasets.dialogues.pragmaticqa import community_passages, page_failed
from seminar.errors import DatasetError
from seminar.evaluation.corpora import indexed
from seminar.evaluation.runs import digest, weights
from seminar.evaluation.setup import Bench
from seminar.examples import Example
from seminar.ingestion.passages import split
from seminar.models.encoders.registry import load_encoder
from seminar.retrieval.file_index import FileIndex
from seminar.types import Passage

COMPLETE = "complete.txt"


@dataclass(frozen=True, slots=True)
class Corpus:
    """Passages, what must be said of them, the questions that they can answer at all.

    `material` is a fingerprint of the passages.
    """

    passages: tuple[Passage, ...]
    note: str
    covers: Callable[[Example], bool] = lambda example: True
    material: str = ""


def corpus_of(bench: Bench) -> Corpus:
    """The corpus of the bench's dataset, or the error that says which file it lacks."""
    if bench.dataset not in CORPORA:
        raise DatasetError(f"{bench.name} has no corpus to search")
    found = CORPORA[bench.dataset](bench)
    return replace(found, material=digest(found.passages))


def _qaconv(bench: Bench) -> Corpus:
    chunks, official = chunks_of(bench.root)
    kind = "official chunks" if official else "segments, the official chunks not being there"
    return Corpus(tuple(chunks), f"{len(chunks):,} {kind}")


def _topiocqa(bench: Bench) -> Corpus:
    """TopiOCQA's Wikipedia; without it, an encyclopedia and the questions about its articles."""
    try:
        found = tuple(passages("topiocqa", bench.root))
    except DatasetError as lacking:
        return _wikispeedia(bench, lacking)
    return Corpus(found, f"{len(found):,} passages of full_wiki_segments.tsv")


def _wikispeedia(bench: Bench, lacking: DatasetError) -> Corpus:
    try:
        articles = list(documents("wikispeedia", bench.root))
    except DatasetError:
        raise lacking from None
    found = tuple(passage for article in articles for passage in split(article))
    titles = {article.title.lower() for article in articles}

    def covers(example: Example) -> bool:
        return example.gold.topic.lower() in titles

    note = (
        f"{len(found):,} passages of Wikispeedia's {len(articles):,} articles, "
        "full_wiki_segments.tsv not being there: only the questions whose topic is one of them"
    )
    return Corpus(found, note, covers)


def _pragmaticqa(bench: Bench) -> Corpus:
    """The spans of all the split's conversations, the pages not being released."""
    communities = community_passages(bench.examples)
    found = tuple(passage for own in communities.values() for passage in own)
    note = (
        f"{len(found):,} blocks of annotated spans, the pages not being released; turns on a page "
        "that failed to load are left out"
    )
    return Corpus(found, note, lambda example: not page_failed(example))


def _natural_questions(bench: Bench) -> Corpus:
    """Passages of Wikipedia that answer questions of NQ: not those that AmbigQA asks."""
    found: dict[tuple[str, str], Passage] = {}
    for part in ("oracle", "openbook"):
        for example in _asked(f"nq_gold_passages/{part}", bench):
            text, title = example.context, example.title
            found.setdefault((title, text), Passage(example.id, 0, len(text), text, title=title))
    if not found:
        raise DatasetError(f"{bench.name} has no passages, and nq_gold_passages is not there")
    note = (
        f"{len(found):,} passages that answer other questions of NQ, the paper's Wikipedia not "
        "being there: F1 says little, time and memory do"
    )
    return Corpus(tuple(found.values()), note)


def _asked(name: str, bench: Bench) -> Iterable[Example]:
    """The questions of a split, none where its file isn't there."""
    try:
        return list(load(name, bench.root))
    except DatasetError:
        return []


CORPORA: dict[str, Callable[[Bench], Corpus]] = {
    "ambigqa": _natural_questions,
    "pragmaticqa": _pragmaticqa,
    "qaconv": _qaconv,
    "topiocqa": _topiocqa,
    "webqsp": _natural_questions,
}


def stored(bench: Bench, corpus: Corpus) -> FileIndex:
    """The corpus as an index in the bench's scratch folder, where a stopped run finds it again."""
    folder, complete = bench.scratch / "index", bench.scratch / COMPLETE
    made_of = f"{corpus.note}\n{corpus.material}\n{weights(bench.settings)}"
    if not complete.exists() or complete.read_text(encoding="utf-8") != made_of:
        shutil.rmtree(folder, ignore_errors=True)
        indexed(bench, corpus.passages)
        complete.write_text(made_of, encoding="utf-8")
    return open_index(folder, load_encoder(bench.settings.encoder))
