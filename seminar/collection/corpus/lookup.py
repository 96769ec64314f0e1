"""A corpus by the ids of its records, and the words that spans of it have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from seminar.collection.corpus.records import Chunk, Corpus, Page, Topic
from seminar.types import Section

MOST_OPENING = 3_000  # characters
SHORTEST_PARAGRAPH = 5  # words
_SENTENCE_ENDS = tuple(".!?…)]\"'”’»。！？؟।")


@dataclass(frozen=True)
class CorpusIndex:
    """The records of a corpus by their ids."""

    corpus: Corpus

    @cached_property
    def pages(self) -> Mapping[str, Page]:
        return {page.id: page for page in self.corpus.pages}

    @cached_property
    def topics(self) -> Mapping[str, Topic]:
        return {topic.id: topic for topic in self.corpus.topics}

    @cached_property
    def chunks(self) -> Mapping[str, Chunk]:
        return {chunk.id: chunk for chunk in self.corpus.chunks}

    @cached_property
    def targets(self) -> Mapping[str, frozenset[str]]:
        """Of each page the pages of the corpus that it links to."""
        return {
            page.id: frozenset(link.target for link in page.links if link.target in self.pages)
            for page in self.corpus.pages
        }

    def links_between(self, page: str, start: int, end: int) -> tuple[str, ...]:
        """The pages of the corpus to which a stretch of a page links, in the order of the text."""
        links = (
            link.target
            for link in self.pages[page].links
            if link.start < end and link.end > start and link.target in self.pages
        )
        return tuple(dict.fromkeys(links))


def opening(page: Page, hidden: Section) -> str:
    """The first paragraph of a page, without its title and what else stands before it.

    Nothing of the hidden section, nor of what follows it. Where no line reads as a paragraph, it is
    the first one.
    """
    lines = [line.strip() for line in page.text[: hidden.start].split("\n")]
    lines = [line for line in lines if line and line != page.title]
    first = next((line for line in lines if _is_paragraph(line)), lines[0] if lines else "")
    return first[:MOST_OPENING]


def _is_paragraph(line: str) -> bool:
    """Whether a line is a sentence, not a hint, a heading or a row of a table."""
    return len(line.split()) >= SHORTEST_PARAGRAPH and line.endswith(_SENTENCE_ENDS)


def heading(section: Section) -> str:
    """The last of a section's headings.

    >>> heading(Section("Life > Early years", 0, 10))
    'Early years'
    """
    return section.title.rpartition(" > ")[2]


def section_subject(page: Page, number: int) -> str:
    """The name of a section among the subjects of a study: its page's id and its number, from 0."""
    return f"{page.id}#{number}"


def section_of(index: CorpusIndex, subject: str) -> tuple[Page, Section]:
    """The page and section of a subject."""
    page, _, number = subject.rpartition("#")
    found = index.pages[page]
    return found, found.sections[int(number)]
