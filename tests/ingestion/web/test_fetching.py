"""Fetching from a real server on loopback, and from names that only seem to be public."""

import gzip
from collections.abc import Iterator

import pytest

from seminar.errors import IngestionError
from seminar.ingestion.web.fetching import Fetcher
from tests.ingestion.web.site import HOST, Answer, Site, page, serving


@pytest.fixture
def site() -> Iterator[Site]:
    with serving({"/a": page("Ferry")}) as started:
        yield started


@pytest.fixture
def fetcher() -> Iterator[Fetcher]:
    with Fetcher([HOST], delay=0) as made:
        yield made


def refusal(fetcher: Fetcher, address: str) -> str:
    with pytest.raises(IngestionError) as error:
        fetcher.fetch(address)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_a_page_has_its_content_and_type(site: Site, fetcher: Fetcher):
    found = fetcher.fetch(site.url("/a"))
    assert (found.kind, found.charset) == ("text/html", "utf-8")
    assert found.content == site.answers["/a"].content
    assert site.asked[-1][1]["User-Agent"].startswith("Seminar/")


def test_private_addresses_are_refused_before_anything_is_sent(site: Site):
    with Fetcher(delay=0) as fetcher:
        line = refusal(fetcher, site.url("/a"))
    assert line.endswith(f"--allow-private {HOST} fetches from it")
    assert site.asked == []


def test_a_name_that_resolves_to_this_machine_is_refused(site: Site):
    with Fetcher([HOST], delay=0, resolve=lambda *_: ["93.184.216.34", HOST]) as fetcher:
        assert "--allow-private rebound.example" in refusal(
            fetcher, site.url("/a", "rebound.example")
        )
    assert site.asked == []


def test_the_connection_goes_to_the_address_that_was_checked(site: Site):
    """A name that resolves to this machine the second time is never resolved a second time."""
    answers = iter([["93.184.216.34"], [HOST]])
    asked: list[str] = []

    def rebinding(host: str, port: int) -> list[str]:
        asked.append(host)
        return next(answers)

    with Fetcher(delay=0, resolve=rebinding) as fetcher:
        refusal(fetcher, f"http://rebound.example:{site.port}/a")
    assert asked == ["rebound.example"]
    assert site.asked == []


def test_a_redirect_to_a_private_host_is_refused(site: Site, fetcher: Fetcher):
    location = {"Location": site.url("/a", "localhost")}
    site.answers["/moved"] = Answer(status=302, headers=location)
    assert "--allow-private localhost" in refusal(fetcher, site.url("/moved"))
    assert site.paths() == ["/moved"]


def test_redirects_are_followed_so_far(site: Site, fetcher: Fetcher):
    site.answers["/moved"] = Answer(status=301, headers={"Location": "/a"})
    site.answers["/round"] = Answer(status=302, headers={"Location": "/round"})
    site.answers["/file"] = Answer(status=302, headers={"Location": "file:///etc/passwd"})
    assert fetcher.fetch(site.url("/moved")).address == site.url("/a")
    assert refusal(fetcher, site.url("/round")).endswith("redirected more than 5 times")
    assert refusal(fetcher, site.url("/file")).endswith("redirected to no web address")


def test_robots_txt_is_respected(site: Site, fetcher: Fetcher):
    site.answers["/robots.txt"] = Answer(b"User-agent: *\nDisallow: /a*\nAllow: /b\n", "text/plain")
    site.answers["/b"] = page("Times")
    assert "robots.txt asks programs not to fetch it" in refusal(fetcher, site.url("/a"))
    assert fetcher.fetch(site.url("/b")).content
    assert site.paths() == ["/b"]


def test_nothing_is_fetched_where_robots_txt_fails(site: Site, fetcher: Fetcher):
    site.answers["/robots.txt"] = Answer(status=503)
    assert "robots.txt can't be read" in refusal(fetcher, site.url("/a"))
    assert site.paths() == []


def test_requests_wait_for_each_other_as_robots_txt_asks(site: Site):
    site.answers["/robots.txt"] = Answer(b"User-agent: *\nCrawl-delay: 7\n", "text/plain")
    waits: list[float] = []
    with Fetcher([HOST], delay=2, sleep=waits.append) as fetcher:
        fetcher.fetch(site.url("/a"))
        fetcher.fetch(site.url("/a"))
    assert [round(wait) for wait in waits] == [7, 7]


def test_a_site_that_asks_for_long_waits_is_not_fetched(site: Site, fetcher: Fetcher):
    site.answers["/robots.txt"] = Answer(b"User-agent: *\nCrawl-delay: 99\n", "text/plain")
    assert "asks to wait more than 30 s" in refusal(fetcher, site.url("/a"))


def test_a_page_that_did_not_change_is_not_sent_again(site: Site, fetcher: Fetcher):
    site.answers["/a"] = Answer(b"<p>Text</p>", headers={"ETag": '"1"'})
    first = fetcher.fetch(site.url("/a"))
    assert fetcher.fetch(site.url("/a"), etag=first.etag).content is None


def test_packed_pages_are_unpacked_within_bounds(
    site: Site, fetcher: Fetcher, monkeypatch: pytest.MonkeyPatch
):
    packed = {"Content-Encoding": "gzip"}
    site.answers["/a"] = Answer(gzip.compress(b"It leaves at nine."), headers=packed)
    site.answers["/bomb"] = Answer(gzip.compress(bytes(30_000_000)), headers=packed)
    site.answers["/broken"] = Answer(b"no gzip", headers=packed)
    site.answers["/odd"] = Answer(b"x", headers={"Content-Encoding": "br"})
    assert fetcher.fetch(site.url("/a")).content == b"It leaves at nine."
    assert refusal(fetcher, site.url("/bomb")).endswith("larger than a page may be")
    assert "broken" in refusal(fetcher, site.url("/broken"))
    assert "encoding that was not asked for: br" in refusal(fetcher, site.url("/odd"))


def test_errors_name_the_page_and_the_reason(site: Site, fetcher: Fetcher):
    assert refusal(fetcher, site.url("/none")).endswith("/none: the server answered with 404")
    with serving({}) as other:
        gone = other.url("/a")
    assert refusal(fetcher, gone).startswith(f"{gone}: can't be reached")


def test_an_unknown_host_is_named():
    with Fetcher(delay=0) as fetcher:
        line = refusal(fetcher, "http://nothing.invalid/")
    assert line == "http://nothing.invalid/: nothing.invalid: no such host, or no network"
