import pytest

from seminar.serving.identity.origins import is_from_elsewhere, is_known_host
from seminar.serving.settings import ServiceSettings

SETTINGS = ServiceSettings(address="https://ask.example.org/", hosts=("seminar.local",))


@pytest.mark.parametrize(
    "host",
    [
        "localhost:8000",
        "127.0.0.1:8000",
        "[::1]:8000",
        "192.0.2.7",
        "ASK.example.org",
        "ask.example.org.:443",
        "seminar.local:8000",
        "one.localhost",
    ],
)
def test_own_hosts_are_known(host: str):
    assert is_known_host(host, SETTINGS)


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "evil.example:8000",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "127.0.0.1@evil.example",
        "[::1",
        "a b",
    ],
)
def test_other_hosts_are_not(host: str):
    assert not is_known_host(host, SETTINGS)


HOST = {"host": "127.0.0.1:8000"}


@pytest.mark.parametrize(
    "headers",
    [
        {},  # a program
        {"origin": "http://127.0.0.1:8000"},
        {"origin": "http://127.0.0.1:8000", "sec-fetch-site": "same-origin"},
        {"origin": "https://ask.example.org"},
        {"sec-fetch-site": "none"},
    ],
)
def test_own_pages_and_programs_may_change_things(headers: dict[str, str]):
    assert not is_from_elsewhere("POST", HOST | headers, "http", SETTINGS)


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "null"},
        {"origin": "https://evil.example"},
        {"origin": "http://127.0.0.1:8001", "sec-fetch-site": "same-site"},
        {"origin": "https://evil.example", "sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "cross-site"},
        {"origin": "http://127.0.0.1:8000.evil.example"},
    ],
)
def test_pages_of_other_sites_may_not(headers: dict[str, str]):
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        assert is_from_elsewhere(method, HOST | headers, "http", SETTINGS)
    assert not is_from_elsewhere("GET", HOST | headers, "http", SETTINGS)
