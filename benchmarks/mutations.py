"""Mutated files of the formats: none may crash us, hang, or cost the good file beside it.

    scripts/bench mutations [--files 10000] [--seed 1] [--seconds 20]

Good files of `benchmarks.format_files` are damaged in one of six ways (flipped bits, truncation,
a piece taken out, doubled, moved, or overwritten), packages also inside, and some are bombs. They
are read in folders of 50 beside a good one, through the sandbox; every tenth folder is indexed.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.format_files import make_all
from benchmarks.results import progress, write_result
from seminar.assembly import create_index
from seminar.errors import IngestionError
from seminar.indexing import update
from seminar.ingestion.discover import SourceFile
from seminar.ingestion.loader import read_passages
from seminar.ingestion.sandbox.pool import Limits, Sandbox
from seminar.models.encoders.registry import load_encoder

FOLDER = 50  # mutated files in a folder
INDEXED = 10  # every so many folders is indexed
GOOD = "# The good file\n\nIt leaves the pier at nine."
LONGEST = 400  # characters of a line for the user

Mutate = Callable[[bytes, random.Random], bytes]


def flip_bits(content: bytes, chance: random.Random) -> bytes:
    changed = bytearray(content)
    for _ in range(chance.choice([1, 3, 30])):
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def truncate(content: bytes, chance: random.Random) -> bytes:
    return content[: chance.randrange(len(content))]


def take_out(content: bytes, chance: random.Random) -> bytes:
    start, end = sorted(chance.randrange(len(content)) for _ in range(2))
    return content[:start] + content[end:]


def double(content: bytes, chance: random.Random) -> bytes:
    start, end = sorted(chance.randrange(len(content)) for _ in range(2))
    return content[:end] + content[start:end] * chance.choice([1, 2, 50]) + content[end:]


def move(content: bytes, chance: random.Random) -> bytes:
    start, end = sorted(chance.randrange(len(content)) for _ in range(2))
    rest = content[:start] + content[end:]
    at = chance.randrange(len(rest) + 1)
    return rest[:at] + content[start:end] + rest[at:]


def overwrite(content: bytes, chance: random.Random) -> bytes:
    start = chance.randrange(len(content))
    piece = chance.choice([bytes(200), b"\xff" * 50, b"<a>" * 900, b"[" * 500, b"&x;" * 99, b"-1"])
    return content[:start] + piece + content[start + len(piece) :]


MUTATIONS: tuple[Mutate, ...] = (flip_bits, truncate, take_out, double, move, overwrite)


def mutate(content: bytes, chance: random.Random) -> bytes:
    """A damaged file; of a package half of the time an entry is damaged instead of its bytes."""
    if content.startswith(b"PK") and chance.random() < 0.5:
        return _mutate_entry(content, chance)
    return chance.choice(MUTATIONS)(content, chance)


def _mutate_entry(content: bytes, chance: random.Random) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(made, "w") as new:
        entries = old.infolist()
        damaged = chance.choice(entries)
        for entry in entries:
            inside = old.read(entry)
            if entry is damaged and inside:
                inside = chance.choice((*MUTATIONS, bomb))(inside, chance)
            new.writestr(entry.filename, inside, zipfile.ZIP_DEFLATED)
    return made.getvalue()


def bomb(content: bytes, chance: random.Random) -> bytes:
    """Content that unpacks to a hundred times its size, or whose entities would."""
    size = chance.choice([1, 20, 60]) * 1_000_000
    entities = (
        b'<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;">]><a>&c;</a>'
    )
    return chance.choice([bytes(size), content + b" " * size, entities, b"<a>" * 300_000])


def folders(
    files: dict[str, Path], count: int, chance: random.Random, place: Path
) -> Iterator[list[tuple[str, Path]]]:
    """Folders of mutated files and a good one, each removed when the next is asked for."""
    kinds = sorted(files)
    contents = {kind: path.read_bytes() for kind, path in files.items()}
    for number in range(0, count, FOLDER):
        with TemporaryDirectory(dir=place) as folder:
            (Path(folder) / "good.md").write_text(GOOD)
            batch = []
            for at in range(number, min(number + FOLDER, count)):
                kind = kinds[at % len(kinds)]
                path = Path(folder) / f"{at}.{kind}"
                path.write_bytes(mutate(contents[kind], chance) or b"\0")
                batch.append((kind, path))
            yield batch


def outcome(path: Path, sandbox: Sandbox) -> tuple[str, str]:
    """How reading a file ended, and the line for the user."""
    notes: list[str] = []
    try:
        list(
            read_passages(
                SourceFile(path, path.name), lambda one: notes.append(str(one)), sandbox=sandbox
            )
        )
    except IngestionError as error:
        line = str(error)
        kinds = {"took longer": "too slow", "its reader crashed": "crashed or out of memory"}
        return next((kind for part, kind in kinds.items() if part in line), "refused"), line
    except Exception as error:  # noqa: BLE001 - what must not happen is counted
        return "traceback", repr(error)
    unfit = [note for note in notes if "\n" in note or len(note) > LONGEST]
    return ("notice unfit" if unfit else "read"), unfit[0] if unfit else ""


def index(folder: Path, place: Path) -> bool:
    """Whether the good file of a folder is indexed beside the others."""
    encoder = load_encoder("static")
    with TemporaryDirectory(dir=place) as home:
        made = create_index(Path(home) / "index", encoder)
        update(made, [folder], encoder)
        return bool(made.files()["good.md"].passages)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=20.0, help="the sandbox's limit")
    options = parser.parse_args()
    chance = random.Random(options.seed)
    ended: dict[str, Counter[str]] = {}
    slowest, longest, examples = 0.0, 0, dict[str, list[str]]()
    indexed = 0
    with TemporaryDirectory() as temporary:
        place = Path(temporary)
        os.environ["SEMINAR_HOME"] = str(place / "home")
        files = make_all(place / "whole")
        sandbox = Sandbox(Limits(seconds=options.seconds))
        batches = folders(files, options.files, chance, place)
        for number in progress(range(-(-options.files // FOLDER)), "Reading"):
            batch = next(batches)
            for kind, path in batch:
                begun = time.perf_counter()
                how, line = outcome(path, sandbox)
                slowest = max(slowest, time.perf_counter() - begun)
                longest = max(longest, len(line))
                ended.setdefault(kind, Counter())[how] += 1
                if how not in ("read", "refused"):
                    examples.setdefault(how, []).append(line[:LONGEST])
                elif "\n" in line:
                    examples.setdefault("more than a line", []).append(line[:LONGEST])
            if number % INDEXED == 0:
                if not index(batch[0][1].parent, place):
                    examples.setdefault("good file lost", []).append(str(number))
                indexed += 1
        sandbox.close()
        batches.close()  # type: ignore[attr-defined]
    total = sum(ended.values(), Counter[str]())
    write_result(
        "mutations",
        {
            "files": options.files,
            "ended": dict(total),
            "by format": {kind: dict(counts) for kind, counts in sorted(ended.items())},
            "slowest s": round(slowest, 1),
            "limit s": options.seconds,
            "longest line": longest,
            "folders indexed with their good file": indexed
            - len(examples.get("good file lost", [])),
            "folders indexed": indexed,
            "examples": {kind: lines[:10] for kind, lines in examples.items()},
        },
    )


if __name__ == "__main__":
    main()
