"""Discovery of the files to read, in a fixed order, with what was left out and why."""

from __future__ import annotations

import os
import re
import stat
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol
from zlib import crc32

from seminar.errors import IngestionError, UnreadableError
from seminar.index_marker import NAMES, is_index
from seminar.ingestion import folders
from seminar.ingestion.conversations.mail.mailboxes import is_maildir, maildir_folders
from seminar.ingestion.sandbox.pool import SHARED
from seminar.ingestion.selection import EVERYTHING, Ignored, Selection
from seminar.ingestion.suffixes import CODE, NOT_DOCUMENTS
from seminar.ingestion.web.page_folder import page_addresses
from seminar.regular_files import kind_of

_CONTROLS = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]")
_NOT_FOLDERS = frozenset({"node_modules", "__pycache__", "site-packages", "lost+found", "__MACOSX"})
_MADE_BY_TOOLS = frozenset({"package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml"})
_OF_CODE = ("of code or settings",) * 2


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file to read and its name in citations; `parts` are the files of a folder read as one."""

    path: Path
    source: str
    parts: tuple[Path, ...] = ()

    @property
    def files(self) -> tuple[Path, ...]:
        """The files that hold its content."""
        return self.parts or (self.path,)


@dataclass(frozen=True, slots=True)
class Problem:
    """A line for the user: which source could not be read, or only in part, and why.

    With `hides`, what it names may still be there, with all below it: it could not be looked at.
    """

    source: str
    reason: str
    hides: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        return f"{self.source}: {self.reason}"


class FormatChooser(Protocol):
    """What looks into a file to tell its format; raises IngestionError where none reads it."""

    def format_of(self, path: Path) -> str: ...


def discover(
    paths: Sequence[Path],
    *,
    selection: Selection = EVERYTHING,
    sandbox: FormatChooser = SHARED,
) -> tuple[list[SourceFile], list[Problem]]:
    """The files under the given files and folders, sorted, and what was left out."""
    seen: set[Path] = set()
    walks = [_walk(path, name, seen, selection, sandbox) for path, name in _distinct(paths)]
    prefixes = _prefixes(walks)
    files: list[SourceFile] = []
    problems: list[Problem] = []
    for walk, prefix in zip(walks, prefixes, strict=True):
        files += [replace(file, source=prefix + file.source) for file in walk.files]
        problems += [replace(problem, source=prefix + problem.source) for problem in walk.problems]
        problems += walk.passed_over()
    return sorted(files, key=lambda file: file.source), problems


@dataclass(frozen=True, slots=True)
class _Walk:
    root: Path
    name: str
    seen: set[Path]  # shared by all walks, so that overlapping paths give each file once
    selection: Selection
    sandbox: FormatChooser
    files: list[SourceFile] = field(default_factory=list)
    code: list[SourceFile] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)

    def passed_over(self) -> list[Problem]:
        """A line for what is no document, and one for code beside documents."""
        coded = Counter(file.path.suffix.lower() for file in self.code)
        lines = [
            _passed_over(self.skipped, "that is not a document", "that are not documents"),
            _passed_over(coded, *_OF_CODE, "; --include '*' reads them too"),
        ]
        return [Problem(self.root.name or str(self.root), line) for line in lines if line]

    def settle_code(self) -> None:
        """Take code and settings if they are asked for, or if there are no documents."""
        if self.selection.takes_code() or not self.files:
            self.files.extend(self.code)
            self.code.clear()


def _passed_over(suffixes: Counter[str], one: str, several: str, advice: str = "") -> str:
    if not suffixes:
        return ""
    kinds = ", ".join(f"{count} {suffix}" for suffix, count in sorted(suffixes.items()))
    total = suffixes.total()
    noun = f"file {one}" if total == 1 else f"files {several}"
    return f"passed over {total} {noun} ({kinds}){advice}"


def _distinct(paths: Sequence[Path]) -> list[tuple[Path, str]]:
    """The given paths, made absolute and checked, each once, with the name that was given."""
    for path in paths:
        try:
            exists = path.exists()
        except OSError as problem:
            raise IngestionError(f"{path}: can't be read: {problem.strerror}") from None
        if not exists:
            reason = "is a broken link" if path.is_symlink() else "no such file or folder"
            raise IngestionError(f"{path}: {reason}")
    names = {path.resolve(): path.name or path.resolve().name for path in reversed(paths)}
    return [(path, _printable(name)) for path, name in sorted(names.items())]


def _walk(
    root: Path, name: str, seen: set[Path], selection: Selection, sandbox: FormatChooser
) -> _Walk:
    walk = _Walk(root, name, seen, selection, sandbox)
    if not root.is_dir():
        _take_file(walk, root, name)
        return walk
    addresses = page_addresses(root)
    for path in _descend(walk, root):
        _take_file(walk, path, addresses.get(path.name) or _cite(path, root))
    walk.settle_code()
    walk.files[:] = _told_apart(walk)
    return walk


def _told_apart(walk: _Walk) -> Iterator[SourceFile]:
    """The files of a walk; where characters that can't be shown are all that differs between two
    names, each gets a checksum of its own.
    """
    counts = Counter(file.source for file in walk.files)
    for file in walk.files:
        if counts[file.source] == 1:
            yield file
            continue
        suffix = file.path.suffix if file.source.endswith(file.path.suffix) else ""
        checksum = crc32(os.fsencode(file.path.relative_to(walk.root)))
        yield replace(file, source=f"{file.source.removesuffix(suffix)}~{checksum:08x}{suffix}")


def _cite(path: Path, root: Path) -> str:
    """A path relative to its root, on one line whatever its bytes are."""
    return _printable(path.relative_to(root).as_posix())


def _printable(name: str) -> str:
    """A name without control characters and without bytes that are no text."""
    text = name.encode(errors="surrogateescape").decode(errors="replace")
    return _CONTROLS.sub("\ufffd", text)


def _take_folder(walk: _Walk, folder: Path) -> None:
    """Take a folder that is read as one, if it is; its parts are not read by themselves."""
    parts = folders.parts(folder)
    if parts and folder not in walk.seen:
        source = _cite(folder, walk.root) if folder != walk.root else walk.name
        walk.files.append(SourceFile(folder, source, parts))
        walk.seen.update((folder, *parts))


def _take_file(walk: _Walk, path: Path, source: str) -> None:
    try:
        if path in walk.seen or folders.is_metadata(path):
            return
        mode = path.stat().st_mode
    except OSError as problem:
        walk.problems.append(Problem(source, f"can't be read: {problem.strerror}", hides=True))
        return
    walk.seen.add(path)
    if not stat.S_ISREG(mode):
        walk.problems.append(Problem(source, f"not a regular file ({kind_of(mode)})", hides=True))
    elif path == walk.root:
        walk.files.append(SourceFile(path, source))
    else:
        _take_by_suffix(walk, path, source)


def _take_by_suffix(walk: _Walk, path: Path, source: str) -> None:
    """Take a file of a folder as a document or as code; the sandbox looks into exports."""
    suffix = path.suffix.lower()
    is_document = suffix not in NOT_DOCUMENTS and suffix not in CODE
    if suffix == ".json":  # a document where it is an export of conversations
        try:
            is_document = walk.sandbox.format_of(path) != "json"
        except UnreadableError as error:
            walk.problems.append(Problem(source, str(error), hides=True))
            return
        except IngestionError:
            is_document = False
    if is_document:
        walk.files.append(SourceFile(path, source))
    elif suffix in CODE - NOT_DOCUMENTS and path.name not in _MADE_BY_TOOLS:
        walk.code.append(SourceFile(path, source))
    else:
        walk.skipped[suffix] += 1


def _descend(walk: _Walk, root: Path) -> Iterator[Path]:
    """The paths under the root that are not folders; links out of the root are not followed."""
    pending = [(root, Ignored())]
    while pending:
        folder, above = pending.pop()
        is_mailbox = is_maildir(folder)
        if is_mailbox:
            pending += [(inner, above) for inner in maildir_folders(folder)]
        try:
            _take_folder(walk, folder)
            entries = [] if is_mailbox else _entries(folder)
        except OSError as problem:
            source = _cite(folder, root)
            walk.problems.append(
                Problem(source, f"folder can't be listed: {problem.strerror}", hides=True)
            )
            continue
        names = {entry.name for entry in entries}
        if names & NAMES and is_index(folder):
            walk.problems.append(Problem(_cite(folder, root), "an index of Seminar; passed over"))
            continue
        ignored, faults = above.within(folder, names)
        for name in faults:
            source = _cite(folder / name, root)
            walk.problems.append(Problem(source, "patterns that can't be used are left out"))
        for entry in entries:
            path = Path(entry.path)
            if entry.name.startswith(".") or not _is_inside(walk, entry):
                continue
            is_folder = entry.is_dir()
            if _is_left_out(walk, ignored, path, folder=is_folder):
                continue
            if not is_folder:
                yield path
            elif entry.name not in _NOT_FOLDERS:
                pending.append((path, ignored))


def _is_left_out(walk: _Walk, ignored: Ignored, path: Path, *, folder: bool) -> bool:
    """Whether patterns of the user or of ignore files leave out a path."""
    relative = path.relative_to(walk.root).as_posix()
    return walk.selection.leaves_out(relative, folder=folder) or ignored.matches(
        path, folder=folder
    )


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    return sorted(os.scandir(folder), key=lambda entry: entry.name)


def _is_inside(walk: _Walk, entry: os.DirEntry[str]) -> bool:
    """Whether an entry is no link; a link gets a line that says why it is left out."""
    if not entry.is_symlink():
        return True
    path = Path(entry.path)
    source = _cite(path, walk.root)
    try:
        target = path.resolve(strict=True)
    except (OSError, RuntimeError):
        walk.problems.append(Problem(source, "link leads nowhere, or in a circle", hides=True))
        return False
    if not target.is_relative_to(walk.root):
        walk.problems.append(Problem(source, "link leads out of the given folder; not followed"))
        return False
    if target.is_dir():
        walk.problems.append(Problem(source, "link to a folder inside; read there, not twice"))
        return False
    # A link to a file inside is that file, which is read under its own name.
    return False


def _prefixes(walks: Sequence[_Walk]) -> list[str]:
    """The prefix of each walk's sources: empty, unless two walks share a source."""
    counts = Counter(file.source for walk in walks for file in walk.files)
    if all(count == 1 for count in counts.values()):
        return [""] * len(walks)
    roots = [walk.root if walk.root.is_dir() else walk.root.parent for walk in walks]
    return [name + "/" for name in _distinct_names(roots)]


def _distinct_names(roots: Sequence[Path]) -> list[str]:
    """The shortest path endings that differ: data/a and docs/a, not a and a."""
    different = len(set(roots))
    longest = max(len(root.parts) for root in roots)
    for depth in range(1, longest + 1):
        names = ["/".join(part.strip("/") for part in root.parts[-depth:]) for root in roots]
        if len(set(names)) == different:
            return names
    return [root.as_posix().strip("/") for root in roots]
