"""Every dataset by name: its examples, and what they are asked about."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Protocol

from seminar.datasets import wikispeedia
from seminar.datasets.conversations import bc3, disentanglement, friendsqa, molweni, qaconv
from seminar.datasets.dialogues import (
    abg_coqa,
    canard,
    coqa,
    pragmaticqa,
    qrecc,
    quac,
    topiocqa,
    trec_cast,
    written,
)
from seminar.datasets.files import Split, find
from seminar.datasets.questions import (
    ambigqa,
    boolq,
    nq_gold_passages,
    nq_open,
    squad,
    webqsp,
    webquestions,
)
from seminar.datasets.recognition import recognise
from seminar.errors import ConfigurationError, DatasetError, unknown
from seminar.examples import Example
from seminar.types import Document, Passage, Thread

ROOT_VARIABLE = "SEMINAR_DATA"


class DatasetModule(Protocol):
    """What a module of this folder offers: the reader of its official files, and its splits."""

    @property
    def SPLITS(self) -> Mapping[str, Split]: ...
    @property
    def read(self) -> Callable[[Path], Iterator[Example]]: ...


DATASETS: dict[str, DatasetModule] = {
    "abg_coqa": abg_coqa,
    "ambigqa": ambigqa,
    "bc3": bc3,
    "boolq": boolq,
    "canard": canard,
    "coqa": coqa,
    "friendsqa": friendsqa,
    "molweni": molweni,
    "nq_gold_passages": nq_gold_passages,
    "nq_open": nq_open,
    "pragmaticqa": pragmaticqa,
    "qaconv": qaconv,
    "qrecc": qrecc,
    "quac": quac,
    "squad": squad,
    "topiocqa": topiocqa,
    "trec_cast": trec_cast,
    "webqsp": webqsp,
    "webquestions": webquestions,
    "written": written,
}
CORPORA: dict[str, Callable[[Path], Iterator[Passage]]] = {
    "qaconv": qaconv.passages,
    "topiocqa": topiocqa.passages,
}
DOCUMENTS: dict[str, Callable[[Path], Iterator[Document]]] = {"wikispeedia": wikispeedia.documents}
THREADS: dict[str, Callable[[Path], Iterator[Thread]]] = {
    "bc3": bc3.threads,
    "qaconv": qaconv.threads,
}
CHANNELS: dict[str, Callable[[Path], Iterator[disentanglement.Channel]]] = {
    "irc_disentanglement": disentanglement.irc,
    "slack_disentangled": disentanglement.slack,
}


def load(name: str, root: Path | None = None) -> Iterator[Example]:
    """The examples of a split, as in load("quac/val"), from the official file under the root."""
    dataset, split = _split(name)
    path = locate(name, root)
    return _helpfully(dataset, path, split.read(path))


def locate(name: str, root: Path | None = None) -> Path:
    """The official file of a split under the root."""
    dataset, split = _split(name)
    return find(_root(root) / dataset, split.names)


def load_file(name: str, path: Path) -> Iterator[Example]:
    """The examples of a file anywhere, in a dataset's official form ("quac") or a split's own."""
    if "/" in name:
        dataset, split = _split(name)
        return _helpfully(dataset, path, split.read(path))
    if name not in DATASETS:
        raise unknown("dataset", name, DATASETS)
    return _helpfully(name, path, DATASETS[name].read(path))


def passages(name: str, root: Path | None = None) -> Iterator[Passage]:
    """The passages of a dataset's corpus ("topiocqa"), or the contexts of a split ("squad/dev")."""
    if name in CORPORA:
        return CORPORA[name](_root(root) / name)
    return _contexts(load(name, root))


def documents(name: str, root: Path | None = None) -> Iterator[Document]:
    """The documents of a corpus that has whole ones ("wikispeedia")."""
    if name not in DOCUMENTS:
        raise unknown("document collection", name, DOCUMENTS)
    return DOCUMENTS[name](_root(root) / name)


def threads(name: str, root: Path | None = None) -> Iterator[Thread]:
    """The recorded conversations of a dataset about such ("qaconv", "bc3")."""
    if name not in THREADS:
        raise unknown("thread collection", name, THREADS)
    return THREADS[name](_root(root) / name)


def channels(name: str, root: Path | None = None) -> Iterator[disentanglement.Channel]:
    """The channels of a dataset in which each message's conversation is known."""
    if name not in CHANNELS:
        raise unknown("channel collection", name, CHANNELS)
    return CHANNELS[name](_root(root) / name)


def _root(root: Path | None) -> Path:
    if root is not None:
        return root
    if not os.environ.get(ROOT_VARIABLE):
        raise ConfigurationError(
            f"no folder of datasets: pass root, or set {ROOT_VARIABLE} to the folder that holds"
            " one folder for each dataset"
        )
    return Path(os.environ[ROOT_VARIABLE])


def _split(name: str) -> tuple[str, Split]:
    dataset, _, part = name.partition("/")
    if dataset not in DATASETS:
        raise unknown("dataset", dataset, DATASETS)
    splits = DATASETS[dataset].SPLITS
    if part not in splits:
        raise unknown(f"split of {dataset}", part, splits)
    return dataset, splits[part]


def _helpfully(dataset: str, path: Path, examples: Iterator[Example]) -> Iterator[Example]:
    """The examples; a file that fails at once is named if it looks like another dataset's."""
    begun = False
    try:
        for example in examples:
            begun = True
            yield example
    except DatasetError as error:
        other = "" if begun else recognise(path)
        if other in ("", dataset):
            raise
        raise DatasetError(f"{error}; this looks like {other}, not {dataset}") from error


def _contexts(examples: Iterator[Example]) -> Iterator[Passage]:
    seen: set[str] = set()
    for example in examples:
        source = example.sources[0] if example.sources else example.id
        if example.context and source not in seen:
            seen.add(source)
            yield Passage(
                source,
                0,
                len(example.context),
                example.context,
                title=example.title,
                section=example.section,
            )
