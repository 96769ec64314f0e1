"""Which articles and sections are talked about (QuAC, section 2, article selection).

The paper's bounds for sections are in a note that gives no numbers here; those below keep sections
near its mean of 400 words.
"""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from seminar.collection.corpus.records import Page
from seminar.errors import ConfigurationError
from seminar.text import count_words, sentences
from seminar.types import Section

LEAST_LINKS = 100


@dataclass(frozen=True, slots=True)
class SectionBounds:
    """The least and the most of what a section may have, both included."""

    paragraphs: tuple[int, int] = (1, 12)
    words: tuple[int, int] = (150, 700)
    words_per_sentence: tuple[float, float] = (8.0, 40.0)


def choose_sections(
    pages: Iterable[Page],
    *,
    kinds: Collection[str] = (),
    least_links: int = LEAST_LINKS,
    bounds: SectionBounds | None = None,
) -> Iterator[Page]:
    """The pages that enough others link to, of those kinds, with their fitting sections alone.

    No kinds means any. A section begins after its heading; pages without a fitting one are out.
    """
    bounds = bounds or SectionBounds()
    for page in pages:
        if page.incoming < least_links or (kinds and page.kind not in kinds):
            continue
        bodies = (_body(page, section) for section in page.sections if section.title)
        sections = tuple(body for body in bodies if fits(page.text[body.start : body.end], bounds))
        if sections:
            yield replace(page, sections=sections)


def fits(text: str, bounds: SectionBounds) -> bool:
    """Whether a section's paragraphs, words and words per sentence are within bounds."""
    paragraphs = sum(1 for part in text.split("\n\n") if part.strip())
    length = count_words(text)
    per_sentence = length / max(1, len(sentences(text)))
    measured = (
        (paragraphs, bounds.paragraphs),
        (length, bounds.words),
        (per_sentence, bounds.words_per_sentence),
    )
    return all(least <= value <= most for value, (least, most) in measured)


def read_kinds(file: Path) -> dict[str, str]:
    """What each article is about, as 'title<TAB>person' lines: the paper took it from YAGO."""
    kinds: dict[str, str] = {}
    try:
        with file.open(encoding="utf-8-sig", newline="") as lines:
            for number, row in enumerate(csv.reader(lines, "excel-tab"), start=1):
                if len(row) != 2:
                    raise ConfigurationError(
                        f"{file}:{number}: {len(row)} columns; expected a title, a tab and a kind"
                    )
                kinds[row[0].casefold()] = row[1].strip()
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ConfigurationError(f"{file}: can't be read: {error}") from error
    return kinds


def _body(page: Page, section: Section) -> Section:
    """A section without the lines of its headings and the blank ones around."""
    names = {name.strip() for name in section.title.split(" > ")} | {page.title}
    start = section.start
    while start < section.end:
        end = page.text.find("\n", start, section.end)
        end = section.end if end < 0 else end
        line = page.text[start:end].strip()
        if line and line not in names:
            break
        start = min(end + 1, section.end)
    kept = page.text[start : section.end]
    return Section(section.title, start, start + len(kept.rstrip()))
