"""Checks of an installation: its versions, the weights against their cards, and the indexes.

`CHECKS` names every check; each takes the paths that were named and yields its results.
"""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from seminar.assembly import (
    choose_encoder,
    index_folder,
    is_index,
    open_index,
    repair_index,
    verify_index,
)
from seminar.errors import SeminarError
from seminar.index_url import IndexUrl, Place
from seminar.models.encoders.registry import AUTO
from seminar.models.llm.discovery import find_endpoints
from seminar.settings import home
from seminar.version import UNKNOWN, package_version
from seminar.weights import shipped_models, weights_folder, wrong_files

State = Literal["good", "note", "bad"]

LOW_SPACE = 500_000_000  # bytes; an update of a large index needs about as much
SHOWN_FILES = 5
PACKAGES = ("onnxruntime", "lancedb", "numpy", "tokenizers", "pypdfium2")
EXTRAS = {  # a package that only that extra installs
    "office": "python-docx",
    "llm": "httpx2",
    "local": "xllamacpp",
    "serve": "fastapi",
    "analyze": "matplotlib",
    "train": "torch",
    "langchain": "langchain-core",
    "llamaindex": "llama-index-core",
    "mcp": "mcp",
    "milvus": "pymilvus",
    "ray": "ray",
}


@dataclass(frozen=True, slots=True)
class Check:
    """The result of a check: its subject, how it is, what was seen, and what to do."""

    subject: str
    state: State
    detail: str
    advice: str = ""


def check(paths: Sequence[Place] = ()) -> Iterator[Check]:
    """Yield the results of every check; without paths, every index below `home()` is checked."""
    for one in CHECKS:
        yield from one(paths)


def versions(_: Sequence[Place]) -> Iterator[Check]:
    """The versions of Seminar, Python and the packages that read and search, and the extras."""
    yield Check("seminar", "good", f"{package_version()}, Python {platform.python_version()}")
    for package in PACKAGES:
        version = package_version(package)
        missing = version == UNKNOWN
        advice = "pip install --force-reinstall seminar" if missing else ""
        yield Check(package, "bad" if missing else "good", version, advice)
    installed = [extra for extra, package in EXTRAS.items() if package_version(package) != UNKNOWN]
    yield Check("extras", "good", ", ".join(installed) or "none")


def weights(_: Sequence[Place]) -> Iterator[Check]:
    """The files of each model against the checksums of its card."""
    for name in shipped_models():
        subject = f"weights of {name}"
        try:
            folder = weights_folder(name)
            wrong = wrong_files(folder)
        except (SeminarError, OSError) as error:
            yield Check(subject, "bad", str(error))
            continue
        if wrong:
            advice = "restore them from the checkout, or install the package again"
            yield Check(subject, "bad", f"not as their card says: {', '.join(wrong)}", advice)
        else:
            yield Check(subject, "good", "as their card says")


def storage(_: Sequence[Place]) -> Iterator[Check]:
    """The folder of the indexes: whether it may be written, and the space that is left."""
    folder = home()
    existing = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    if not (existing.is_dir() and os.access(existing, os.W_OK)):
        advice = "name another folder in SEMINAR_HOME"
        yield Check("storage", "bad", f"{folder} can't be written", advice)
        return
    free = shutil.disk_usage(existing).free
    low = free < LOW_SPACE
    advice = "free some space, or name another folder in SEMINAR_HOME" if low else ""
    detail = f"{free / 1e9:.1f} GB free for {folder}"
    yield Check("storage", "note" if low else "good", detail, advice)


def indexes(paths: Sequence[Place]) -> Iterator[Check]:
    """The index of the named paths, or every index below `home()`."""
    if paths:
        folder = _index_named(paths)
        if not is_index(folder):
            yield Check("index", "note", "not indexed yet", "seminar chat or ask indexes the files")
        else:
            yield check_index(folder)
        return
    every = _every_index()
    yield from map(check_index, every)
    if not every:
        yield Check("index", "good", "no files were indexed so far")


def _index_named(paths: Sequence[Place]) -> Place:
    """The index that is named, or that of the files that are named."""
    if isinstance(paths[0], IndexUrl) or is_index(paths[0]):
        return paths[0]
    files = [path for path in paths if isinstance(path, Path)]
    return index_folder(files, choose_encoder(AUTO, files))


def check_index(folder: Place) -> Check:
    """Whether an index opens, is searched, and holds the passages that its files have."""
    subject = f"index {folder.name}"
    wrong = verify_index(folder)
    if wrong:
        more = f", and {len(wrong) - 1} more" if len(wrong) > 1 else ""
        advice = f"seminar doctor --repair {folder}"
        return Check(subject, "bad", wrong[0] + more, advice)
    index = open_index(folder)
    files, count = index.files().values(), index.count()
    detail = f"{count:,} passages of {len(files):,} files, encoder {index.encoder_name}"
    unread = sum(bool(file.problem) for file in files)
    return Check(subject, "good", f"{detail}, {unread:,} with a problem" if unread else detail)


def repair_named(paths: Sequence[Place]) -> Iterator[Check]:
    """Repair the index of the named paths, or every index below `home()`."""
    named = [_index_named(paths)] if paths else _every_index()
    for folder in filter(is_index, named):
        subject = f"repair of {folder.name}"
        try:
            done = repair_index(folder)
        except SeminarError as error:
            yield Check(subject, "bad", str(error))
            continue
        if not done.rebuilt:
            yield Check(subject, "good", "not needed")
        elif done.lost:
            shown = ", ".join(done.lost[:SHOWN_FILES])
            more = f" and {len(done.lost) - SHOWN_FILES} more" if done.lost[SHOWN_FILES:] else ""
            detail = f"rebuilt; {done.kept:,} files are as they were, lost: {shown}{more}"
            yield Check(subject, "note", detail, "index or ask the files again to read these")
        else:
            yield Check(subject, "good", f"rebuilt; all {done.kept:,} files are as they were")


def _every_index() -> Sequence[Place]:
    return sorted(folder for folder in (home() / "indexes").glob("*") if is_index(folder))


def models(_: Sequence[Place]) -> Iterator[Check]:
    """The language models that servers on this machine offer, and how to name them."""
    if package_version("httpx2") == UNKNOWN:
        return
    for found in find_endpoints():
        shown = ", ".join(found.models[:SHOWN_FILES]) or "no model"
        more = f" and {len(found.models) - SHOWN_FILES} more" if found.models[SHOWN_FILES:] else ""
        name = found.models[0] if found.models else "NAME"
        advice = f"seminar chat FOLDER --llm {found.url} --model {name}"
        yield Check(f"language model at {found.url}", "good", f"{shown}{more}", advice)


CHECKS: tuple[Callable[[Sequence[Place]], Iterator[Check]], ...] = (
    versions,
    weights,
    storage,
    indexes,
    models,
)
