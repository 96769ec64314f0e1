import pytest

from seminar.collection.corpus.link_graph import (
    incoming_links,
    link_graph,
    link_targets,
    popular_pages,
    popular_titles,
)
from seminar.collection.corpus.records import Corpus, Page, Topic
from seminar.types import Link


def page(name: str, *targets: str) -> Page:
    return Page(name, name.upper(), name, links=tuple(Link(0, 1, target) for target in targets))


PAGES = [page("a", "b", "b", "c", "a", "https://example.org"), page("b", "a"), page("c", "b")]
TARGETS = {"a": ("b", "c"), "b": ("a",), "c": ("b",)}


def test_links_lead_to_other_pages_once():
    assert link_targets(PAGES) == TARGETS


def test_incoming_links_are_counted_by_page():
    assert incoming_links(TARGETS) == {"b": 2, "c": 1, "a": 1}


def test_the_graph_has_every_page_and_link():
    graph = link_graph({"a": ["a", "b"], "b": [], "c": ["gone"]})
    assert sorted(graph.nodes) == ["a", "b", "c"]
    assert sorted(graph.edges) == [("a", "b")]


def test_popular_pages_are_those_a_reader_comes_to():
    # From a, half go to b and half to c; c leads to b and b back to a. With damping d = 0.85:
    # a = 0.15 + 0.85 b, c = 0.425 a, b = 0.425 a + 0.85 c, so b = 0.786 a and b > c.
    assert popular_pages(TARGETS, "a", count=5) == ["b", "c"]
    assert popular_pages(TARGETS, "a", count=1) == ["b"]


def test_popularity_depends_on_the_central_page():
    targets = {"a": ["x"], "x": ["a"], "b": ["y"], "y": ["b"]}
    assert popular_pages(targets, "a", count=1) == ["x"]
    assert popular_pages(targets, "b", count=1) == ["y"]


@pytest.mark.parametrize(("central", "titles"), [("a", ["B", "C"]), ("gone", [])])
def test_titles_of_a_topic(central: str, titles: list[str]):
    corpus = Corpus(pages=(*PAGES, page("other", "a")))
    topic = Topic("t", "T", central=central, pages=("a", "b", "c"))
    assert popular_titles(corpus, topic) == titles
