"""Web addresses on the command line, against a real server on loopback."""

import json
from collections.abc import Callable, Iterator

import pytest

from tests.cli.conftest import Ended
from tests.ingestion.web.site import HOST, Site, page, serving


@pytest.fixture
def site() -> Iterator[Site]:
    start = page("The ferry", "tower.html", text="The crossing takes 55 minutes.")
    tower = page("The tower", text="The tower was finished in 1911 by Edda Thornquist.")
    with serving({"/docs/": start, "/docs/tower.html": tower}) as started:
        yield started


def test_a_question_is_answered_from_pages_and_cites_their_addresses(
    seminar: Callable[..., Ended], site: Site
):
    options = ("--depth", "1", "--allow-private", HOST, "--encoder", "static", "--json")
    ended = seminar("ask", site.url("/docs/"), *options, "-q", "When was the tower finished?")
    assert ended.code == 0, ended.err
    reply = json.loads(ended.out)
    assert "1911" in reply["text"]
    assert reply["literal"][0]["source"] == site.url("/docs/tower.html")


def test_a_private_host_is_refused_with_the_option_that_allows_it(
    seminar: Callable[..., Ended], site: Site
):
    ended = seminar("ask", site.url("/docs/"), "-q", "When?")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.strip().endswith(f"--allow-private {HOST} fetches from it")
    assert site.asked == []


def test_what_is_no_address_is_one_line(seminar: Callable[..., Ended]):
    ended = seminar("ask", "https://", "-q", "When?")
    assert ended.code == 2
    assert ended.err.strip() == "seminar: https://: no web address: expected https://HOST/PATH"
