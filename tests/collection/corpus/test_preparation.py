from pathlib import Path

import pytest

from seminar.collection.corpus.articles import SectionBounds
from seminar.collection.corpus.communities import Community
from seminar.collection.corpus.preparation import (
    Site,
    chunks_corpus,
    linked_corpus,
    sections_corpus,
    topics_corpus,
)
from seminar.collection.corpus.reading import read_files
from seminar.errors import ConfigurationError

LINKS = {"Home": ["Neo", "Zion"], "Neo": ["Zion"], "Zion": ["Home", "Far"], "Far": [], "Alone": []}


@pytest.fixture
def site(tmp_path: Path) -> Site:
    folder = tmp_path / "site"
    folder.mkdir()
    for name, targets in LINKS.items():
        links = " ".join(f"<a href='{target}.html'>{target}</a>" for target in targets)
        text = (
            f"<h1>{name}</h1><p>{name} is a page. {links}</p><p><a href='https://x.org'>x</a></p>"
        )
        section = f"<h2>Story</h2><p>The story of {name} is told in seven words.</p>"
        (folder / f"{name}.html").write_text(text + section)
    return Site(read_files([folder], tmp_path / "read", "pages"))


def test_a_topic_has_the_pages_that_its_central_page_leads_to(site: Site):
    corpus = topics_corpus(site, [Community("The Matrix!", "Movies", "home", 200, 20, 500)])
    [topic] = corpus.topics
    assert (topic.id, topic.title, topic.genre) == ("the-matrix", "The Matrix!", "Movies")
    assert topic.central == "Home.html"
    assert topic.pages == ("Home.html", "Neo.html", "Zion.html", "Far.html")
    assert (topic.edits_per_page, topic.active_users) == (2.5, 20)
    levels = {page.title: (page.level, page.incoming, page.topic) for page in corpus.pages}
    assert levels == {
        "Home": (0, 1, "the-matrix"),
        "Neo": (1, 1, "the-matrix"),
        "Zion": (1, 2, "the-matrix"),
        "Far": (2, 1, "the-matrix"),
    }


def test_links_lead_to_pages_of_the_corpus_or_outside(site: Site):
    corpus = topics_corpus(site, [Community("", "", "Zion", 0, 0, 0)], levels=1, limit=2)
    zion = next(page for page in corpus.pages if page.title == "Zion")
    assert [link.target for link in zion.links] == ["Home.html", "https://x.org"]
    assert corpus.topics[0].title == "Zion"


def test_topics_of_one_name_have_different_ids(site: Site):
    corpus = topics_corpus(site, [Community("M", "", "Neo", 0, 0, 0)] * 2)
    assert [topic.id for topic in corpus.topics] == ["m", "m-2"]


def test_an_unknown_central_page_names_the_nearest(site: Site):
    with pytest.raises(ConfigurationError, match=r"unknown page 'Zionn'\. Did you mean 'Zion'"):
        topics_corpus(site, [Community("", "", "Zionn", 0, 0, 0)])


def test_pages_to_switch_between_and_first_questions(site: Site):
    notes: list[str] = []
    questions = [("Neo", "who is neo?"), ("Alone", "who?"), ("Nobody", "what?")]
    corpus = linked_corpus(site, ["Neo"], questions, levels=1, notify=notes.append)
    assert {page.title: page.level for page in corpus.pages} == {"Neo": 0, "Zion": 1}
    assert [(one.page, one.question) for one in corpus.first_questions] == [
        ("Neo.html", "who is neo?")
    ]
    assert len(notes) == 2


def test_all_pages_without_a_central_one(site: Site):
    assert len(linked_corpus(site, []).pages) == 5


def test_sections_of_pages_that_others_link_to(site: Site):
    bounds = SectionBounds(words=(5, 20), words_per_sentence=(5, 20))
    kinds = {"zion": "place", "neo": "person"}
    corpus = sections_corpus(site, kinds, kinds=["place"], least_links=1, bounds=bounds)
    [zion] = corpus.pages
    [section] = zion.sections
    assert (zion.kind, zion.incoming, section.title) == ("place", 2, "Story")
    assert zion.text[section.start : section.end] == "The story of Zion is told in seven words."
    with pytest.raises(ConfigurationError, match="of 5 pages 0 have 9 links"):
        sections_corpus(site, {}, least_links=9)


def test_chunks_of_the_conversations(panel: Path, tmp_path: Path):
    corpus = chunks_corpus(read_files([panel], tmp_path / "read", "chunks"))
    assert [len(chunk.lines) for chunk in corpus.chunks] == [3]
    with pytest.raises(ConfigurationError, match="no recorded conversation"):
        chunks_corpus(read_files([], tmp_path / "read", "chunks"))
