"""Links between pages: how many lead to a page, and which pages are popular in a topic."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import networkx as nx

from seminar.collection.corpus.records import Corpus, Page, Topic

Targets = Mapping[str, Iterable[str]]  # of each page the pages that it links to


def link_targets(pages: Iterable[Page]) -> dict[str, tuple[str, ...]]:
    """Of each page the other ones among them that it links to, each once."""
    known = {page.id: page for page in pages}
    return {
        page.id: tuple(
            dict.fromkeys(
                link.target
                for link in page.links
                if link.target in known and link.target != page.id
            )
        )
        for page in known.values()
    }


def incoming_links(targets: Targets) -> Counter[str]:
    """How many other pages link to each page.

    >>> incoming_links({"a": ["b", "b"], "b": ["b"], "c": ["b", "a"]})
    Counter({'b': 2, 'a': 1})
    """
    counts: Counter[str] = Counter()
    for page, linked in targets.items():
        counts.update(set(linked) - {page})
    return counts


def link_graph(targets: Targets) -> nx.DiGraph:
    """Pages and their links as a directed graph, without links of a page to itself."""
    graph = nx.DiGraph()
    graph.add_nodes_from(targets)
    graph.add_edges_from(
        (page, target)
        for page, linked in targets.items()
        for target in linked
        if target != page and target in targets
    )
    return graph


def popular_pages(targets: Targets, central: str, *, count: int) -> list[str]:
    """The pages with the largest personalised PageRank from the central one, which is left out.

    Whoever follows links at random and returns to the central page now and then is there most
    often. Of equal pages it is the first by name.
    """
    ranks = nx.pagerank(link_graph(targets), personalization={central: 1.0})
    others = sorted(set(ranks) - {central}, key=lambda page: (-round(ranks[page], 9), page))
    return others[:count]


def popular_titles(corpus: Corpus, topic: Topic, *, count: int = 20) -> list[str]:
    """The titles of a topic's popular pages, which its background test asks about."""
    own = set(topic.pages)
    pages = {page.id: page for page in corpus.pages if page.id in own}
    if topic.central not in pages:
        return []
    return [
        pages[page].title
        for page in popular_pages(link_targets(pages.values()), topic.central, count=count)
    ]
