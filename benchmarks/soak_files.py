"""Files that are replaced, cut, appended to, deleted or made a pipe while they are indexed."""

from __future__ import annotations

import os
import random
import threading
from pathlib import Path

from seminar.assembly import create_index
from seminar.indexing import update
from seminar.models.encoders.registry import load_encoder
from seminar.retrieval.file_index import FileIndex

FILES = 12
UPDATES = 3
WORDS = "amber basalt cedar delta ember fjord granite harbour iris juniper".split()


def changing_files(folder: Path, tries: int, seed: int) -> dict[str, object]:
    """An update beside changes ends without an error; after the last change nothing is stale."""
    wrong, changes = list[str](), 0
    encoder = load_encoder("static")
    for number in range(tries):
        files, index = folder / f"files{number}", folder / f"index{number}"
        files.mkdir()
        store = create_index(index, encoder)
        chance = random.Random(seed * 1_000 + number)
        for one in range(FILES):
            _replace(files / f"{one}.md", chance)
        changing = _Changing(files, chance)
        changing.start()
        try:
            for _ in range(UPDATES):
                update(store, [files], encoder)
        except Exception as error:  # noqa: BLE001 - what must not happen is told
            wrong.append(f"folder {number}: {error!r}")
        finally:
            changing.done.set()
            changing.join()
        changes += changing.count
        for path in files.iterdir():
            if not path.is_file():
                path.unlink()
        update(store, [files], encoder, forget=True)
        wrong += [f"folder {number}: {fault}" for fault in _differences(store, files)]
    return {"faults": wrong, "counts": {"changes": changes}}


class _Changing(threading.Thread):
    """Changes the files of a folder, one after another, until it is told to end."""

    def __init__(self, folder: Path, chance: random.Random) -> None:
        super().__init__(daemon=True)
        self.folder, self.chance, self.count = folder, chance, 0
        self.done = threading.Event()

    def run(self) -> None:
        while not self.done.wait(0.002):
            path = self.folder / f"{self.chance.randrange(FILES)}.md"
            self.chance.choice([_replace, _overwrite, _append, _delete, _make_pipe])(
                path, self.chance
            )
            self.count += 1


def _replace(path: Path, chance: random.Random) -> None:
    beside = path.with_suffix(".new")
    beside.write_text(_text(chance))
    beside.replace(path)


def _overwrite(path: Path, chance: random.Random) -> None:
    if path.is_file():
        path.write_text(_text(chance))


def _append(path: Path, chance: random.Random) -> None:
    if path.is_file():
        with path.open("a") as file:
            file.write(_text(chance))


def _delete(path: Path, _: random.Random) -> None:
    path.unlink(missing_ok=True)


def _make_pipe(path: Path, _: random.Random) -> None:
    path.unlink(missing_ok=True)
    os.mkfifo(path)


def _text(chance: random.Random) -> str:
    return f"{' '.join(chance.choices(WORDS, k=chance.choice([5, 40, 400])))}.\n\n"


def _differences(store: FileIndex, files: Path) -> list[str]:
    """Where the words of an index are not those of the files."""
    there = {path.name: path.read_text().split() for path in files.glob("*.md")}
    wrong = [f"{path} is not there" for path in store.files().keys() - there.keys()]
    for name, words in there.items():
        passages = store.file_passages(name, limit=1_000)
        if [word for passage in passages for word in passage.text.split()] != words:
            wrong.append(f"{name}: other words than the file's")
    return wrong
