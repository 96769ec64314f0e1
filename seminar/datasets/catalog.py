"""Datasets by name: their examples, and the passages, documents or threads they ask about."""

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
from seminar.datasets.recognition import opening_keys
from seminar.errors import ConfigurationError, DatasetError, unknown
from seminar.examples import Example
from seminar.types import Document, Passage, Thread

ROOT_VARIABLE = "SEMINAR_DATA"


class DatasetModule(Protocol):
    """A loader: its title, the keys that identify its files, their reader, and its splits."""

    @property
    def TITLE(self) -> str: ...
    @property
    def SIGNATURE(self) -> tuple[str, ...]: ...
    @property
    def SPLITS(self) -> Mapping[str, Split]: ...
    @property
    def read(self) -> Callable[[Path], Iterator[Example]]: ...


# In the order in which an unknown file is compared with them: QuAC's files have SQuAD's keys too,
# and the keys of NQ-open are common.
DATASETS: dict[str, DatasetModule] = {
    "quac": quac,
    "coqa": coqa,
    "abg_coqa": abg_coqa,
    "written": written,
    "molweni": molweni,
    "friendsqa": friendsqa,
    "squad": squad,
    "canard": canard,
    "topiocqa": topiocqa,
    "qrecc": qrecc,
    "pragmaticqa": pragmaticqa,
    "ambigqa": ambigqa,
    "webqsp": webqsp,
    "trec_cast": trec_cast,
    "qaconv": qaconv,
    "nq_gold_passages": nq_gold_passages,
    "webquestions": webquestions,
    "boolq": boolq,
    "nq_open": nq_open,
    "bc3": bc3,
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


def load(name: str, root: str | Path | None = None) -> Iterator[Example]:
    """The examples of a split, as in load("quac/val"), from the official file under the root."""
    dataset, split = _split(name)
    path = locate(name, Path(root) if root is not None else None)
    return _recognising(dataset, path, split.read(path))


def locate(name: str, root: Path | None = None) -> Path:
    """The official file of a split under the root."""
    dataset, split = _split(name)
    return find(data_root(root) / dataset, split.names)


def load_file(name: str, path: Path) -> Iterator[Example]:
    """The examples of a file anywhere, in a dataset's official form ("quac") or a split's own."""
    if "/" in name:
        dataset, split = _split(name)
        return _recognising(dataset, path, split.read(path))
    if name not in DATASETS:
        raise unknown("dataset", name, DATASETS)
    return _recognising(name, path, DATASETS[name].read(path))


def recognise(path: Path) -> str:
    """The dataset whose keys the beginning of a file holds, or nothing."""
    keys = opening_keys(path)
    return next(
        (name for name, loader in DATASETS.items() if keys.issuperset(loader.SIGNATURE)), ""
    )


def passages(name: str, root: Path | None = None) -> Iterator[Passage]:
    """The passages of a dataset's corpus ("topiocqa"), or the contexts of a split ("squad/dev")."""
    if name in CORPORA:
        return CORPORA[name](data_root(root) / name)
    return _contexts(load(name, root))


def documents(name: str, root: Path | None = None) -> Iterator[Document]:
    """The whole documents of a corpus ("wikispeedia")."""
    if name not in DOCUMENTS:
        raise unknown("document collection", name, DOCUMENTS)
    return DOCUMENTS[name](data_root(root) / name)


def threads(name: str, root: Path | None = None) -> Iterator[Thread]:
    """The recorded conversations that a dataset asks about ("qaconv", "bc3")."""
    if name not in THREADS:
        raise unknown("thread collection", name, THREADS)
    return THREADS[name](data_root(root) / name)


def channels(name: str, root: Path | None = None) -> Iterator[disentanglement.Channel]:
    """The channels of a dataset that labels each message with its conversation."""
    if name not in CHANNELS:
        raise unknown("channel collection", name, CHANNELS)
    return CHANNELS[name](data_root(root) / name)


def data_root(root: Path | None) -> Path:
    """The folder of the datasets, from the environment unless it is given."""
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


def _recognising(dataset: str, path: Path, examples: Iterator[Example]) -> Iterator[Example]:
    """The examples; an error before the first says which other dataset the file looks like."""
    started = False
    try:
        for example in examples:
            started = True
            yield example
    except DatasetError as error:
        other = "" if started else recognise(path)
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
