"""The corpus of a grid's split as an index that a stopped run finds again."""

from __future__ import annotations

import shutil
from dataclasses import replace

from seminar.assembly import open_index
from seminar.errors import DatasetError
from seminar.evaluation.corpora import Corpus, index_passages
from seminar.evaluation.runs import digest, weights
from seminar.evaluation.setup import Setup
from seminar.evaluation.suites.catalog import find_suite
from seminar.models.encoders.registry import load_encoder
from seminar.retrieval.file_index import FileIndex

COMPLETE = "complete.txt"


def load_corpus(setup: Setup) -> Corpus:
    """The corpus of a split's dataset, or the error that says which file it lacks."""
    load = find_suite(setup.name).corpus
    if load is None:
        raise DatasetError(f"{setup.name} has no corpus to search")
    corpus = load(setup)
    return replace(corpus, material=digest(corpus.passages))


def open_corpus(setup: Setup, corpus: Corpus) -> FileIndex:
    """The index of a corpus in the scratch folder, built again if it was made of anything else."""
    folder, complete = setup.scratch / "index", setup.scratch / COMPLETE
    made_of = f"{corpus.note}\n{corpus.material}\n{weights(setup.settings)}"
    if not complete.exists() or complete.read_text(encoding="utf-8") != made_of:
        shutil.rmtree(folder, ignore_errors=True)
        index_passages(setup, corpus.passages)
        complete.write_text(made_of, encoding="utf-8")
    return open_index(folder, load_encoder(setup.settings.encoder))
