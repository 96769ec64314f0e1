"""Crawling a real site on loopback into a folder, and reading that folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from seminar.errors import IngestionError
from seminar.ingestion.discover import discover
from seminar.ingestion.loader import read
from seminar.ingestion.web.crawling import Crawl, crawl
from seminar.ingestion.web.fetching import Fetcher
from seminar.types import Document
from tests.ingestion.web.site import HOST, Answer, Site, page, serving

PAGES = {
    "/docs/": page("Start", "one.html", "two.html#x", "/other/", "/docs/list.pdf", "mailto:a@b.c"),
    "/docs/one.html": page("One", "deep.html", "./"),
    "/docs/two.html": page("Two", "one.html"),
    "/docs/deep.html": page("Deep", "deeper.html"),
    "/docs/deeper.html": page("Deeper"),
    "/other/": page("Other"),
}


@pytest.fixture
def site() -> Iterator[Site]:
    with serving(dict(PAGES)) as started:
        yield started


def fetch(site: Site, parent: Path, path: str = "/docs/", **bounds: float) -> list[str]:
    """Crawl, and return the paths of the pages that are there then."""
    folder, _ = crawl(
        Crawl(site.url(path), **bounds),  # type: ignore[arg-type]
        parent,
        fetcher=Fetcher([HOST], delay=0),
    )
    files, _ = discover([folder])
    return [file.source.removeprefix(site.url("")) for file in files]


def test_one_page_is_read_under_its_address(site: Site, tmp_path: Path):
    folder, problems = crawl(
        Crawl(site.url("/docs/one.html")), tmp_path, fetcher=Fetcher([HOST], delay=0)
    )
    [file] = discover([folder])[0]
    [document] = read(file, print)
    assert isinstance(document, Document)
    assert (document.source, document.title) == (site.url("/docs/one.html"), "One")
    assert problems == []


def test_pages_under_the_same_path_are_fetched_to_the_depth(site: Site, tmp_path: Path):
    assert fetch(site, tmp_path) == ["/docs/"]
    assert fetch(site, tmp_path, depth=1) == ["/docs/", "/docs/one.html", "/docs/two.html"]
    assert fetch(site, tmp_path, depth=2)[1] == "/docs/deep.html"
    assert "/other/" not in site.paths()


def test_pages_that_fail_cost_a_line(site: Site, tmp_path: Path):
    _, problems = crawl(
        Crawl(site.url("/docs/"), depth=1), tmp_path, fetcher=Fetcher([HOST], delay=0)
    )
    assert list(map(str, problems)) == [
        f"{site.url('/docs/list.pdf')}: the server answered with 404"
    ]


def test_the_number_of_pages_is_bounded(site: Site, tmp_path: Path):
    folder, problems = crawl(
        Crawl(site.url("/docs/"), depth=9, pages=2), tmp_path, fetcher=Fetcher([HOST], delay=0)
    )
    assert len(discover([folder])[0]) == 2
    assert "more pages are linked; --pages 2 is the limit" in str(problems[-1])


def test_a_crawl_goes_on_where_it_was_stopped(site: Site, tmp_path: Path):
    task = Crawl(site.url("/docs/"), depth=2)
    steps = 0

    def stop(*_: object) -> None:
        nonlocal steps
        steps += 1
        if steps == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        crawl(task, tmp_path, watch=stop, fetcher=Fetcher([HOST], delay=0))
    before = site.paths()
    assert before == ["/docs/", "/docs/one.html"]
    crawl(task, tmp_path, fetcher=Fetcher([HOST], delay=0))
    assert set(site.paths()[2:]).isdisjoint(before)


def test_fresh_pages_are_not_asked_for_again(site: Site, tmp_path: Path):
    fetch(site, tmp_path, depth=1)
    asked = len(site.asked)
    site.answers["/docs/"] = page("Changed")
    assert len(fetch(site, tmp_path, depth=1)) == 3
    # Only what failed before is tried again.
    assert [path for path, _ in site.asked[asked:]] == ["/robots.txt", "/docs/list.pdf"]
    assert fetch(site, tmp_path, depth=1, fresh=0) == ["/docs/"]


def test_a_page_that_did_not_change_is_kept(site: Site, tmp_path: Path):
    site.answers["/docs/"] = Answer(PAGES["/docs/"].content, headers={"ETag": '"1"'})
    fetch(site, tmp_path, depth=1)
    assert len(fetch(site, tmp_path, depth=1, fresh=0)) == 3
    assert site.asked[-4][1].get("If-None-Match") == '"1"'


def test_without_a_server_the_earlier_pages_are_read(site: Site, tmp_path: Path):
    task = Crawl(site.url("/docs/"), fresh=0)
    crawl(task, tmp_path, fetcher=Fetcher([HOST], delay=0))
    del site.answers["/docs/"]
    folder, problems = crawl(task, tmp_path, fetcher=Fetcher([HOST], delay=0))
    assert len(discover([folder])[0]) == 1
    assert str(problems[0]).endswith("404; read as it was fetched before")


def test_a_first_page_that_fails_is_an_error(site: Site, tmp_path: Path):
    with pytest.raises(IngestionError, match="/none: the server answered with 404"):
        fetch(site, tmp_path, "/none")


def test_a_redirect_is_read_under_the_address_it_leads_to(site: Site, tmp_path: Path):
    site.answers["/old"] = Answer(status=301, headers={"Location": "/docs/two.html"})
    assert fetch(site, tmp_path, "/old") == ["/docs/two.html"]
    assert fetch(site, tmp_path, "/old") == ["/docs/two.html"]


def test_other_types_are_refused_by_name(site: Site, tmp_path: Path):
    site.answers["/a.png"] = Answer(b"\x89PNG", "image/png")
    with pytest.raises(IngestionError, match="is image/png, which is not read"):
        fetch(site, tmp_path, "/a.png")


def test_the_encoding_that_the_server_declares_is_read(site: Site, tmp_path: Path):
    text = "<meta charset=utf-8><p>Fähre zur Ångö.</p>".encode("latin-1")
    site.answers["/l"] = Answer(text, "text/html; charset=iso-8859-1")
    folder, _ = crawl(Crawl(site.url("/l")), tmp_path, fetcher=Fetcher([HOST], delay=0))
    [file] = discover([folder])[0]
    assert [item.text for item in read(file, print)] == ["Fähre zur Ångö."]


def test_links_of_pages_lead_to_addresses(site: Site, tmp_path: Path):
    site.answers["/docs/"] = Answer(b"<p>See <a href='../other/#x'>the other</a>.</p>")
    folder, _ = crawl(Crawl(site.url("/docs/")), tmp_path, fetcher=Fetcher([HOST], delay=0))
    [file] = discover([folder])[0]
    [document] = read(file, print)
    assert isinstance(document, Document)
    assert [link.target for link in document.links] == [site.url("/other/#x")]


def test_a_folder_that_was_moved_claims_no_addresses(site: Site, tmp_path: Path):
    folder, _ = crawl(Crawl(site.url("/docs/")), tmp_path, fetcher=Fetcher([HOST], delay=0))
    moved = folder.rename(tmp_path / "moved")
    assert "://" not in discover([moved])[0][0].source
