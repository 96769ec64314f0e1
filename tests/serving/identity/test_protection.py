"""Hosts, foreign pages and headers, on real servers."""

import pytest

from tests.serving.conftest import Service
from tests.serving.identity.people import API, People, people_of, weak

PATHS = ["/health", f"{API}/session", f"{API}/tokens", "/nowhere", f"{API}/openapi.json"]


@pytest.mark.parametrize("path", PATHS)
def test_every_response_is_guarded(people: People, path: str):
    headers = people.browser().get(path).headers
    policy = dict(part.split(" ", 1) for part in headers["Content-Security-Policy"].split("; "))
    assert policy["default-src"] == policy["object-src"] == policy["base-uri"] == "'none'"
    assert policy["frame-ancestors"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == "'self'"
    assert policy["img-src"] == "'self' data: blob:"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "geolocation=()" in headers["Permissions-Policy"]
    assert "Strict-Transport-Security" not in headers, "only with HTTPS"
    assert not [name for name in headers if name.startswith("access-control-")]
    if path.startswith(API):
        assert headers["Cache-Control"] == "no-store"


def test_a_foreign_page_is_not_allowed_in_by_a_preflight(people: People):
    headers = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    response = people.browser().options(f"{API}/tokens", headers=headers)
    assert not [name for name in response.headers if name.startswith("access-control-")]


def test_an_unknown_host_is_turned_away(service: Service):
    response = service.client.get(f"{API}/session", headers={"Host": "rebound.evil.example"})
    assert response.status_code == 421
    assert "'rebound.evil.example'" in response.json()["detail"]
    assert response.headers["X-Content-Type-Options"] == "nosniff"


def test_a_single_user_needs_no_login_but_foreign_pages_change_nothing(service: Service):
    session = service.client.get(f"{API}/session").json()
    assert (session["account"]["name"], session["multi_user"]) == ("local", False)
    body = {"name": "program", "scopes": ["read"]}
    foreign = {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}
    tokens = f"{API}/tokens"
    before = service.client.get(tokens).json()
    assert service.client.post(tokens, json=body, headers=foreign).status_code == 403
    assert service.client.get(tokens).json() == before
    own = {"Origin": service.url, "Sec-Fetch-Site": "same-origin"}
    made = service.client.post(tokens, json=body, headers=own)
    assert made.status_code == 201
    deleted = service.client.delete(f"{tokens}/{made.json()['id']}")  # a program: no Origin
    assert deleted.status_code == 204


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/session", {"name": "local", "password": "anything at all"}),
        ("POST", "/invitations", {}),
        ("PUT", "/session/password", {"old": "anything", "new": "anything at all"}),
    ],
)
def test_a_single_user_has_no_logins(service: Service, method: str, path: str, body: dict):
    response = service.client.request(method, API + path, json=body)
    assert response.status_code == 409
    assert "--multi-user" in response.json()["detail"]


def test_the_character_nul_is_refused(people: People):
    for path in ("/links/%00", "/accounts?q=%00"):
        response = people.admin.browser.request("GET", API + path)
        assert response.status_code == 400


def test_a_proxys_word_counts_only_if_it_is_trusted(tmp_path):
    forwarded = {"X-Forwarded-For": "192.0.2.9", "X-Forwarded-Proto": "https"}

    def login_as_seen(people: People) -> tuple[str, str]:
        body = {"name": "root", "password": "wrong password"}
        response = people.browser().post(f"{API}/session", json=body, headers=forwarded)
        [entry] = people.admin.get("/audit", action="login.failed", limit=1)["items"]
        return entry["details"]["address"], response.headers.get("Strict-Transport-Security", "")

    with people_of(weak(tmp_path / "plain")) as people:
        assert login_as_seen(people) == ("127.0.0.1", "")
    with people_of(weak(tmp_path / "proxied", trusted_proxies=("127.0.0.1",))) as people:
        assert login_as_seen(people) == ("192.0.2.9", "max-age=31536000")


def test_links_for_people_name_the_address_of_the_settings(tmp_path):
    settings = weak(tmp_path, address="http://ask.localhost:8000/")
    with people_of(settings) as people:
        url = people.admin.send("POST", "/invitations", {}, 201)["url"]
    assert url.startswith("http://ask.localhost:8000/invitation/")
