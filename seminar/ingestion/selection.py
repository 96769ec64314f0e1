"""Which files of a folder are read: patterns of the user, and of ignore files in the folder."""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import dataclass, field
from pathlib import Path

from pathspec import GitIgnoreSpec

from seminar.errors import IngestionError
from seminar.io import read_bounded

IGNORE_FILES = (".gitignore", ".seminarignore")
_SIZE_LIMIT = 100_000  # bytes of an ignore file
_PATTERN_LIMIT = 1_000  # patterns of an ignore file
_STARS_LIMIT = 3  # in one pattern; matching takes the name's length to their power
_STARS = re.compile(r"\*+")


@dataclass(frozen=True, slots=True)
class Selection:
    """Patterns as in `.gitignore`: take only files that `include` matches, none of `exclude`.

    Code and settings are read where a pattern includes them, or with `code`; else only in folders
    without any document.
    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    code: bool = False
    _included: GitIgnoreSpec = field(init=False, repr=False, compare=False)
    _excluded: GitIgnoreSpec = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_included", _spec(self.include, "--include"))
        object.__setattr__(self, "_excluded", _spec(self.exclude, "--exclude"))

    def takes_code(self) -> bool:
        """Whether code and settings are read beside documents."""
        return self.code or bool(self.include)

    def leaves_out(self, path: str, *, folder: bool = False) -> bool:
        """Whether a path relative to the given folder is left out by the user's patterns."""
        if self._excluded.match_file(f"{path}/" if folder else path):
            return True
        return not folder and bool(self.include) and not self._included.match_file(path)


@dataclass(frozen=True, slots=True)
class Ignored:
    """The patterns of the ignore files from the given folder down to one in it."""

    specs: tuple[tuple[Path, GitIgnoreSpec], ...] = ()

    def within(self, folder: Path, names: Set[str]) -> tuple[Ignored, list[str]]:
        """With the ignore files among the names in a folder, and those that have faults."""
        specs = list(self.specs)
        faults: list[str] = []
        for name in (name for name in IGNORE_FILES if name in names):
            lines, whole = _lines(folder / name)
            if lines:
                specs.append((folder, GitIgnoreSpec.from_lines(lines)))
            if not whole:
                faults.append(name)
        return Ignored(tuple(specs)), faults

    def matches(self, path: Path, *, folder: bool) -> bool:
        """Whether a path is ignored: the innermost file that says something about it decides."""
        for base, spec in reversed(self.specs):
            relative = path.relative_to(base).as_posix() + ("/" if folder else "")
            if (found := spec.check_file(relative).include) is not None:
                return found
        return False


def _lines(path: Path) -> tuple[list[str], bool]:
    """The patterns of an ignore file, and whether these are all that it holds."""
    try:
        content = read_bounded(path, _SIZE_LIMIT, follow=True) if path.is_file() else b""
    except OSError:
        return [], False
    if content is None:
        return [], False
    lines = [line for line in content.decode(errors="replace").splitlines() if line.strip()]
    patterns = [line for line in lines if not line.startswith("#")]
    usable = [line for line in patterns[:_PATTERN_LIMIT] if _is_usable(line)]
    return usable, len(usable) == len(patterns)


def _is_usable(pattern: str) -> bool:
    if len(_STARS.findall(pattern)) > _STARS_LIMIT:
        return False
    try:
        GitIgnoreSpec.from_lines([pattern])
    except ValueError:
        return False
    return True


def _spec(patterns: tuple[str, ...], option: str) -> GitIgnoreSpec:
    try:
        return GitIgnoreSpec.from_lines(patterns)
    except ValueError as error:
        raise IngestionError(f"{option}: {error}") from None


EVERYTHING = Selection()
