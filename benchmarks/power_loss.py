"""What a power cut may leave of a folder: writes that were not flushed are kept, lost or torn.

`unsynced.c`, preloaded into the process that writes, keeps what each file and folder held when it
was last flushed. Of what changed since, every file and every entry of a folder is decided apart:
what is there now, what was flushed, or pages of both; what was never flushed may be empty, cut, or
zeros; an entry that is new may be gone, one that was removed may be back.
"""

from __future__ import annotations

import ctypes
import os
import random
import shutil
import struct
import subprocess
from pathlib import Path

SOURCE = Path(__file__).with_name("unsynced.c")
PAGE = 4_096
_NOW, _NO_FOLLOW, _WANTED = -100, 0x100, 0x901  # statx: this folder, links, type, inode and birth
_INODE, _BIRTH = 32, 80


def build_shim(folder: Path) -> Path | None:
    """Compile the library to preload; None without a C compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    library = folder / "unsynced.so"
    options = ["-shared", "-fPIC", "-O1", "-o", str(library), str(SOURCE), "-ldl"]
    subprocess.run([compiler, *options], check=True)
    return library


def cut_power(folder: Path, kept: Path, chance: random.Random) -> int:
    """Leave of a folder what may be left of it; returns how many files and entries changed."""
    listed = _listing(kept, folder)
    changed = 0
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            changed += cut_power(path, kept, chance)
        own = identity(path)
        if path.is_file():
            changed += _tear(path, kept / own, chance)
        if listed.get(path.name) != own and chance.random() < 0.5:
            changed += 1
            shutil.rmtree(path) if path.is_dir() else path.unlink()
            _bring_back(path, kept / listed.get(path.name, "none"))
    for name, earlier in listed.items():
        gone = not (folder / name).exists()
        if gone and chance.random() < 0.5:
            changed += _bring_back(folder / name, kept / earlier)
    return changed


def remember(folder: Path, kept: Path) -> None:
    """Keep all of a folder as flushed, as it is after a start of the machine."""
    shutil.rmtree(kept, ignore_errors=True)
    kept.mkdir()
    for path in [folder, *folder.rglob("*")]:
        if path.is_dir():
            lines = (f"{identity(inner)} {inner.name}\n" for inner in path.iterdir())
            (kept / f"{identity(path)}.folder").write_text("".join(lines))
        else:
            shutil.copyfile(path, kept / identity(path))


def identity(path: Path) -> str:
    """The number of a file and the time of its birth, as `unsynced.c` writes them."""
    result = ctypes.create_string_buffer(256)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.statx(_NOW, os.fsencode(path), _NO_FOLLOW, _WANTED, result):
        raise OSError(ctypes.get_errno(), "statx", str(path))
    [inode] = struct.unpack_from("Q", result, _INODE)
    seconds, nanoseconds = struct.unpack_from("qI", result, _BIRTH)
    return f"{inode}.{seconds}.{nanoseconds}"


def _listing(kept: Path, folder: Path) -> dict[str, str]:
    """The entries of a folder, by name, when it was last flushed."""
    file = kept / f"{identity(folder)}.folder"
    if not file.exists():
        return {}
    entries = (line.partition(" ") for line in file.read_text().splitlines())
    return {name: number for number, _, name in entries}


def _bring_back(path: Path, kept: Path) -> int:
    if not kept.is_file():
        return 0
    shutil.copyfile(kept, path)
    return 1


def _tear(path: Path, kept: Path, chance: random.Random) -> int:
    now = path.read_bytes()
    if kept.exists():
        flushed = kept.read_bytes()
        if flushed == now:
            return 0
        size = chance.choice([len(now), len(flushed)])
        pages = [
            chance.choice([now, flushed])[start : start + PAGE] for start in range(0, size, PAGE)
        ]
        left = chance.choice([now, flushed, b"".join(pages)[:size]])
    else:
        left = chance.choice([now, now[: chance.randint(0, len(now))], bytes(len(now)), b""])
    path.write_bytes(left)
    return int(left != now)
