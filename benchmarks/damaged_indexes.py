"""Damaged indexes: each must answer rightly or be refused with a line, and be repaired.

    scripts/bench damaged_indexes [--indexes 200] [--seed 1]

A copy of a real index is damaged in one to three ways: bits, lengths, missing and foreign files,
links, pipes, values and tables of the catalog, journals, markers. It is opened and asked for each
of its files; then it is repaired and its files are indexed again, after which it must be right. A
child does this, and is killed where it says nothing for a minute.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import select
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from benchmarks.results import write_result
from seminar.assembly import create_index, open_index, repair_index
from seminar.errors import SeminarError
from seminar.indexing import update
from seminar.models.encoders.registry import load_encoder
from seminar.types import Passage, Query

FILES = 24
SILENCE = 120.0  # seconds without a word from the child: it hangs
NAMES = "amber basalt cedar delta ember fjord granite harbour iris juniper kestrel larch".split()
ODD_VALUES = ["x'00ff'", "NULL", "-1", "99999999999999999", "'text'", "1e308", "''"]

Damage = Callable[[Path, random.Random], str]


def write_files(folder: Path) -> None:
    """Files, each with a word of its own."""
    folder.mkdir()
    for number in range(FILES):
        name = f"{NAMES[number % len(NAMES)]}{number}"
        words = [f"The {name} leaves the pier at {hour} and comes back." for hour in range(20)]
        (folder / f"{name}.md").write_text(f"# {name}\n\n" + " ".join(words) + "\n")


def make_index(index: Path, files: Path) -> None:
    """An index in two publications, of which the second replaces files of the first."""
    encoder = load_encoder("static")
    store = create_index(index, encoder)
    last = sorted(files.iterdir())[-1]
    content = last.read_text()
    last.write_text("# Old\n\nWhat was there before.\n")
    update(store, [files], encoder)
    last.write_text(content)
    update(store, [files], encoder)


def any_file(folder: Path, chance: random.Random) -> Path:
    """A file of an index; half of the time one of its catalog, marker and lock."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    top = [path for path in paths if path.parent == folder]
    return chance.choice(top if top and chance.random() < 0.5 else paths)


def flip_bits(folder: Path, chance: random.Random) -> str:
    path = any_file(folder, chance)
    content = bytearray(path.read_bytes() or b"\0")
    for _ in range(chance.choice([1, 1, 5, 100])):
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    path.write_bytes(content)
    return f"bits of {path.suffix or path.name}"


def change_length(folder: Path, chance: random.Random) -> str:
    path = any_file(folder, chance)
    content = path.read_bytes()
    cut = content[: chance.randrange(len(content) + 1)]
    path.write_bytes(
        chance.choice([b"", cut, content + bytes(500), content * 2, bytes(len(content))])
    )
    return f"length of {path.suffix or path.name}"


def delete(folder: Path, chance: random.Random) -> str:
    path = any_file(folder, chance)
    path = chance.choice([path, path, path.parent])
    if path == folder:
        path = folder / "passages.lance"
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    return "missing file or folder"


def swap(folder: Path, chance: random.Random) -> str:
    one, other = any_file(folder, chance), any_file(folder, chance)
    first, second = one.read_bytes(), other.read_bytes()
    one.write_bytes(second)
    other.write_bytes(first)
    return "two files swapped"


def put_in_place(folder: Path, chance: random.Random) -> str:
    """Something that is no file in the place of one."""
    path = any_file(folder, chance)
    path.unlink()
    kind = chance.choice(["pipe", "link", "link to itself", "folder", "device"])
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to({"link": "/etc/passwd", "device": "/dev/zero"}.get(kind, path))
    return f"a {kind} in the place of a file"


def change_rows(folder: Path, chance: random.Random) -> str:
    table, columns = chance.choice(
        [
            ("description", ["format", "encoder", "dimensions", "sum"]),
            ("publications", ["version", "begun", "published", "sum"]),
            ("files", ["path", "hash", "passages", "problem", "stale_since", "sum"]),
            ("table_files", ["name", "size", "crc", "sum"]),
        ]
    )
    one = f"rowid = (SELECT rowid FROM {table} ORDER BY random() LIMIT 1)"
    column, value = chance.choice(columns), chance.choice(ODD_VALUES)
    return run_sql(
        folder,
        chance.choice(
            [
                f"UPDATE {table} SET {column} = {value} WHERE {one}",
                f"DELETE FROM {table} WHERE {one}",
                f"DELETE FROM {table}",
                f"INSERT INTO {table} SELECT * FROM {table} WHERE {one}",
                f"INSERT INTO {table} ({column}) VALUES ({value})",
            ]
        ),
    )


def change_schema(folder: Path, chance: random.Random) -> str:
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n"
    return run_sql(
        folder,
        chance.choice(
            [
                "DROP TABLE files",
                "ALTER TABLE files ADD COLUMN more TEXT",
                "ALTER TABLE description RENAME TO d",
                f"CREATE VIEW everything AS {endless}",
                f"DROP TABLE files; CREATE VIEW files AS {endless}",
                "CREATE TRIGGER t AFTER INSERT ON files BEGIN DELETE FROM files; END",
                "CREATE INDEX more ON files (hash)",
                "PRAGMA journal_mode = WAL; CREATE TABLE more (a)",
                "PRAGMA user_version = 7; PRAGMA page_size = 512; VACUUM",
            ]
        ),
    )


def run_sql(folder: Path, statements: str) -> str:
    """Change the catalog as somebody would who knows SQLite; half of a change is one too."""
    path = folder / "catalog.sqlite"
    if path.is_file() and not path.is_symlink():
        try:
            with closing(sqlite3.connect(path, timeout=1.0)) as database, database:
                database.executescript(statements)
        except sqlite3.Error:
            return "catalog left alone"
    return "catalog: " + " ".join(statements.split()[:2]).lower()


def add_journal(folder: Path, chance: random.Random) -> str:
    magic = bytes.fromhex("d9d505f920a163d7")
    name = chance.choice(["-journal", "-wal", "-shm"])
    content = chance.choice([b"", magic + os.urandom(600), os.urandom(4_096), magic * 99])
    (folder / f"catalog.sqlite{name}").write_bytes(content)
    return "a journal beside the catalog"


def change_marker(folder: Path, chance: random.Random) -> str:
    path = folder / "seminar-index.json"
    odd = [b"", b"{}", b"[" * 9_000, b'{"format": 99, "encoder": "static", "dimensions": 256}']
    odd.append(b'{"format": 5, "encoder": "/etc", "dimensions": -1}')
    path.unlink(missing_ok=True)
    path.write_bytes(chance.choice(odd))
    return "marker"


DAMAGES: tuple[Damage, ...] = (
    flip_bits,
    flip_bits,
    change_length,
    change_length,
    delete,
    swap,
    put_in_place,
    change_rows,
    change_rows,
    change_schema,
    add_journal,
    change_marker,
)


def expected(pristine: Path) -> dict[str, tuple[str, list[Passage]]]:
    """The hash and the passages of each file."""
    store = open_index(pristine)
    return {
        path: (record.hash, store.file_passages(path, limit=1_000))
        for path, record in store.files().items()
    }


def ask(folder: Path, right: dict[str, tuple[str, list[Passage]]]) -> str:
    """'right', or the first thing that an opened index has wrong."""
    encoder = load_encoder("static")
    store = open_index(folder, encoder)
    if {path: record.hash for path, record in store.files().items()} != {
        path: digest for path, (digest, _) in right.items()
    }:
        return "other files"
    if store.count() != sum(len(passages) for _, passages in right.values()):
        return "another count"
    for path, (_, passages) in right.items():
        if store.file_passages(path, limit=1_000) != passages:
            return f"other passages of {path}"
        [hits] = store.search_text([Query(path.removesuffix(".md"))], k=50)
        if not hits or any(hit.passage not in passages for hit in hits):
            return f"other words found of {path}"
    passage = next(iter(right.values()))[1][0]
    vector = encoder.encode([passage.searched])[0]
    [nearest] = store.search_vector([Query("", vector=vector)], k=1)
    return "right" if nearest[0].passage == passage else "another nearest passage"


def attempt(act: Callable[[], str]) -> str:
    """What an act says, 'refused' for an error of a line, or the fault."""
    try:
        return act()
    except SeminarError as error:
        return "refused" if "\n" not in str(error) else f"more than a line: {error}"
    except Exception as error:  # noqa: BLE001 - what must not happen is told
        return f"traceback: {error!r}"


def try_one(number: int, seed: int, pristine: Path, files: Path) -> dict[str, object]:
    """Damage a copy of the index, and say what came of it."""
    chance = random.Random(f"{seed}/{number}")
    right = expected(pristine)
    with tempfile.TemporaryDirectory() as place:
        folder = shutil.copytree(pristine, Path(place) / "index")
        damage = [
            one(folder, chance) for one in chance.choices(DAMAGES, k=chance.choice([1, 1, 2, 3]))
        ]
        opened = attempt(lambda: ask(folder, right))
        repaired = attempt(lambda: repair(folder))
        later = attempt(lambda: index_again(folder, files, right)) if repaired != "refused" else ""
    return {
        "number": number,
        "damage": damage,
        "opened": opened,
        "repaired": repaired,
        "later": later,
    }


def repair(folder: Path) -> str:
    done = repair_index(folder)
    if not done.rebuilt:
        return "not needed"
    return "some files lost and named" if done.lost else "rebuilt whole"


def index_again(folder: Path, files: Path, right: dict[str, tuple[str, list[Passage]]]) -> str:
    encoder = load_encoder("static")
    update(open_index(folder, encoder), [files], encoder, forget=True)
    return ask(folder, right)


def tried(total: int, seed: int, pristine: Path, files: Path) -> Iterator[dict[str, object]]:
    """The results of all tries; one at which the child hangs or dies is told as such."""
    number = 0
    while number < total:
        arguments = [str(number), str(total), str(seed), str(pristine), str(files)]
        command = [sys.executable, "-m", "benchmarks.damaged_indexes", "--work", *arguments]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as child:
            if child.stdout is None:
                raise RuntimeError("the child has no output")
            while number < total:
                heard, _, _ = select.select([child.stdout], [], [], SILENCE)
                line = child.stdout.readline() if heard else b""
                if not line:
                    child.kill()
                    how = "hung" if not heard else f"died ({child.wait()})"
                    yield {"number": number, "damage": [], "opened": how}
                    number += 1
                    break
                yield json.loads(line)
                number += 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--indexes", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", nargs=5, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        first, last, seed, pristine, files = options.work
        for number in range(int(first), int(last)):
            done = try_one(number, int(seed), Path(pristine), Path(files))
            print(json.dumps(done), flush=True)
        return 0
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as place:
        files, pristine = Path(place) / "files", Path(place) / "index"
        write_files(files)
        make_index(pristine, files)
        results = list(tried(options.indexes, options.seed, pristine, files))
    opened = Counter(str(one["opened"]) for one in results)
    faults = [
        one
        for one in results
        if one["opened"] not in ("right", "refused")
        or one["repaired"]
        not in ("refused", "not needed", "rebuilt whole", "some files lost and named")
        or (one["repaired"] != "refused" and one["later"] != "right")
    ]
    result = {
        "indexes": options.indexes,
        "seed": options.seed,
        "opened": opened,
        "repaired": Counter(str(one.get("repaired")) for one in results),
        "after indexing again": Counter(str(one.get("later") or "-") for one in results),
        "damages": Counter(kind for one in results for kind in one["damage"]),  # type: ignore[attr-defined]
        "faults": faults,
        "seconds": round(time.monotonic() - begun),
    }
    write_result("damaged_indexes", result)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
