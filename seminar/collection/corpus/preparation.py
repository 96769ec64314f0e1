"""Corpora for each protocol from what was read: which pages, topics and chunks workers get."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import msgspec

from seminar.collection.corpus.articles import LEAST_LINKS, SectionBounds, choose_sections
from seminar.collection.corpus.communities import Community
from seminar.collection.corpus.crawling import LEVELS, LIMIT, reachable
from seminar.collection.corpus.link_graph import incoming_links
from seminar.collection.corpus.page_names import PageNames
from seminar.collection.corpus.reading import Reading
from seminar.collection.corpus.records import Chunk, Corpus, FirstQuestion, Page, Topic
from seminar.errors import ConfigurationError, unknown
from seminar.types import Link

Notify = Callable[[str], None]
_OUTSIDE = ("http://", "https://")


class _Outline(msgspec.Struct, frozen=True):
    """What is needed of every page to choose some: not its text."""

    id: str
    title: str
    links: tuple[Link, ...] = ()


@dataclass(frozen=True)
class Site:
    """All pages that were read, by their links; the texts stay in the files."""

    reading: Reading

    @cached_property
    def outlines(self) -> dict[str, _Outline]:
        return {outline.id: outline for outline in self.reading.records(_Outline)}

    @cached_property
    def names(self) -> PageNames:
        return PageNames((one.id, one.title) for one in self.outlines.values())

    @cached_property
    def targets(self) -> dict[str, tuple[str, ...]]:
        """Of each page the pages that it links to."""
        return {
            page: tuple(
                dict.fromkeys(
                    target
                    for link in outline.links
                    if (target := self.names.find(link.target)) and target != page
                )
            )
            for page, outline in self.outlines.items()
        }

    @cached_property
    def incoming(self) -> Mapping[str, int]:
        return incoming_links(self.targets)

    def choose(self, text: str) -> str:
        """The id of a page that a person names; an error where there is none."""
        page = self.names.choose(text)
        if not page:
            raise unknown("page", text, [one.title for one in self.outlines.values()])
        return page

    def pages(self, chosen: Collection[str]) -> Iterable[Page]:
        """The chosen pages whole, with links that lead to each other or outside."""
        seen: set[str] = set()
        for page in self.reading.records(Page):
            if page.id in chosen and page.id not in seen:
                seen.add(page.id)
                links = tuple(self._links(page, chosen))
                yield replace(page, links=links, incoming=self.incoming[page.id])

    def _links(self, page: Page, chosen: Collection[str]) -> Iterable[Link]:
        for link in page.links:
            target = self.names.find(link.target)
            if target in chosen and target != page.id:
                yield Link(link.start, link.end, target)
            elif not target and link.target.lower().startswith(_OUTSIDE):
                yield link


def topics_corpus(
    site: Site, communities: Sequence[Community], *, levels: int = LEVELS, limit: int = LIMIT
) -> Corpus:
    """Topics of the pages that each community's central page leads to (PragmatiCQA)."""
    level_of: dict[str, tuple[str, int]] = {}  # the first topic of a page, and its level there
    topics: list[Topic] = []
    for community in communities:
        central = site.choose(community.central)
        found = reachable(site.targets, central, levels=levels, limit=limit)
        title = community.title or site.outlines[central].title
        topic = Topic(
            id=_slug(title, {one.id for one in topics}),
            title=title,
            genre=community.genre,
            central=central,
            pages=tuple(found),
            edits_per_page=round(community.edits_per_page, 3),
            active_users=community.active_users,
        )
        topics.append(topic)
        for page, level in found.items():
            level_of.setdefault(page, (topic.id, level))
    pages = tuple(
        replace(page, topic=level_of[page.id][0], level=level_of[page.id][1])
        for page in site.pages(level_of)
    )
    return Corpus(pages=pages, topics=tuple(topics))


def linked_corpus(
    site: Site,
    central: Sequence[str],
    first_questions: Iterable[tuple[str, str]] = (),
    *,
    levels: int = LEVELS,
    limit: int = LIMIT,
    notify: Notify = lambda reason: None,
) -> Corpus:
    """Pages around the central ones, or all, with questions to begin on them (TopiOCQA)."""
    chosen: dict[str, int] = {}
    for name in central:
        found = reachable(site.targets, site.choose(name), levels=levels, limit=limit)
        for page, level in found.items():
            chosen[page] = min(level, chosen.get(page, level))
    if not central:
        chosen = dict.fromkeys(site.outlines, 0)
    pages = tuple(replace(page, level=chosen[page.id]) for page in site.pages(chosen))
    questions = []
    for name, question in first_questions:
        page = site.names.choose(name)
        if page in chosen:
            questions.append(FirstQuestion(page, question))
        else:
            notify(f"first question '{question}' is about '{name}', which is no page there")
    return Corpus(pages=pages, first_questions=tuple(questions))


def sections_corpus(
    site: Site,
    kinds_of: Mapping[str, str],
    *,
    kinds: Collection[str] = (),
    least_links: int = LEAST_LINKS,
    bounds: SectionBounds | None = None,
) -> Corpus:
    """Articles that many link to, with their fitting sections (QuAC).

    `kinds_of` has the kind of each article by its title in small letters.
    """
    linked = {page for page in site.outlines if site.incoming[page] >= least_links}
    pages = (
        replace(page, links=(), kind=kinds_of.get(page.title.casefold(), ""))
        for page in site.pages(linked)
    )
    chosen = tuple(choose_sections(pages, kinds=kinds, least_links=least_links, bounds=bounds))
    if not chosen:
        raise ConfigurationError(
            f"of {len(site.outlines)} pages {len(linked)} have {least_links} links from others, and"
            " none of them a fitting section of the chosen kinds: lower --least-links or --words"
        )
    return Corpus(pages=chosen)


def chunks_corpus(reading: Reading) -> Corpus:
    """The chunks of recorded conversations, each once (QAConv)."""
    chunks = {chunk.id: chunk for chunk in reading.records(Chunk)}
    if not chunks:
        raise ConfigurationError("no recorded conversation there: mails, chats or transcripts")
    return Corpus(chunks=tuple(chunks.values()))


def _slug(title: str, taken: Collection[str]) -> str:
    """An id for addresses, as 'the-matrix', or 'the-matrix-2' where that is taken."""
    plain = re.sub(r"[^a-z0-9]+", "-", title.casefold()).strip("-") or "topic"
    number = 2
    slug = plain
    while slug in taken:
        slug, number = f"{plain}-{number}", number + 1
    return slug
