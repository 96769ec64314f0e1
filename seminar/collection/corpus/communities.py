"""Which communities of a wiki farm are worth talking about (PragmatiCQA, section 3.3)."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from seminar.errors import ConfigurationError

LEAST_PAGES = 100
LEAST_ACTIVE_USERS = 10  # in the last 30 days
PER_GENRE = 30
EXCLUDED = ("gaming", "fan fiction")  # tournament figures, and few readers

COLUMNS = ("title", "genre", "central", "pages", "active_users", "edits")


@dataclass(frozen=True, slots=True)
class Community:
    """A wiki about one subject; `central` is the id or title of the page where reading begins."""

    title: str
    genre: str
    central: str
    pages: int  # with content
    active_users: int
    edits: int

    @property
    def edits_per_page(self) -> float:
        return self.edits / self.pages if self.pages else 0.0


def ranked(
    communities: Iterable[Community],
    *,
    per_genre: int = PER_GENRE,
    excluded: Iterable[str] = EXCLUDED,
) -> list[Community]:
    """The most edited communities of each genre, without small, quiet and excluded ones.

    At least 100 pages and 10 active users; ranked by edits per page.
    """
    out = {genre.casefold() for genre in excluded}
    by_genre: defaultdict[str, list[Community]] = defaultdict(list)
    for community in communities:
        large = community.pages >= LEAST_PAGES and community.active_users >= LEAST_ACTIVE_USERS
        if large and community.genre.casefold() not in out:
            by_genre[community.genre].append(community)
    return [
        community
        for genre in sorted(by_genre)
        for community in sorted(by_genre[genre], key=lambda one: (-one.edits_per_page, one.title))[
            :per_genre
        ]
    ]


def read_communities(file: Path) -> list[Community]:
    """The communities of a CSV file whose first line names the columns."""
    try:
        with file.open(encoding="utf-8-sig", newline="") as lines:
            rows = csv.DictReader(lines)
            missing = set(COLUMNS) - set(rows.fieldnames or ())
            if missing:
                raise ConfigurationError(
                    f"{file}: no column {', '.join(sorted(missing))}; expected {', '.join(COLUMNS)}"
                )
            return [_community(row, f"{file}:{rows.line_num}") for row in rows]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ConfigurationError(f"{file}: can't be read as CSV: {error}") from error


def _community(row: dict[str, str], where: str) -> Community:
    numbers = {name: (row[name] or "").replace(",", "") for name in COLUMNS[3:]}
    for name, value in numbers.items():
        if not value.isdecimal() or len(value) > 15:
            raise ConfigurationError(f"{where}: {name} is '{row[name]}', expected a whole number")
    return Community(
        row["title"],
        row["genre"],
        row["central"],
        int(numbers["pages"]),
        int(numbers["active_users"]),
        int(numbers["edits"]),
    )
