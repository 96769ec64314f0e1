"""Logging in at a real OpenID Connect provider on loopback."""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from joserfc.jwk import RSAKey

from seminar.errors import ConfigurationError
from seminar.serving.identity.oidc import open_provider
from seminar.serving.settings import ServiceSettings
from tests.serving.identity.people import API, People, people_of, weak
from tests.serving.identity.provider import CLIENT, SECRET, Provider, running_provider


@dataclass(frozen=True)
class Federation:
    """A service and the provider at which its people log in."""

    provider: Provider
    people: People

    def log_in(self, browser: httpx.Client | None = None, **person: object) -> httpx.Response:
        """The callback's response to somebody who logs in at the provider."""
        self.provider.person = person
        browser = browser or self.people.browser()
        leave = browser.get(f"{API}/oidc/login")
        assert leave.status_code == 303, leave.text
        there = browser.get(leave.headers["Location"])
        return browser.get(there.headers["Location"])

    def session(self, **person: object) -> dict:
        """The session of somebody who has logged in."""
        browser = self.people.browser()
        response = self.log_in(browser, **person)
        assert (response.status_code, response.headers["Location"]) == (303, "/"), response.text
        return browser.get(f"{API}/session").json()


@pytest.fixture(scope="module")
def federation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Federation]:
    with running_provider() as provider:
        settings = weak(
            tmp_path_factory.mktemp("federation"),
            oidc_issuer=provider.issuer,
            oidc_client=CLIENT,
            oidc_secret=SECRET,
        )
        with people_of(settings) as people:
            yield Federation(provider, people)


@pytest.fixture(autouse=True)
def _honest(federation: Federation) -> None:
    federation.provider.changed = {}
    federation.provider.signing = None


def test_the_first_login_makes_an_account_and_the_next_finds_it(federation: Federation):
    first = federation.session(sub="42", preferred_username="olga")
    assert first["oidc"]
    assert (first["account"]["name"], first["account"]["is_admin"]) == ("olga", False)
    again = federation.session(sub="42", preferred_username="renamed")
    assert again["account"] == first["account"]


def test_the_request_has_state_nonce_and_pkce(federation: Federation):
    federation.session(sub="43", email="pat@example.org")
    asked = federation.provider.last_request
    assert asked["response_type"] == "code"
    assert asked["scope"] == "openid profile email"
    assert asked["code_challenge_method"] == "S256"
    assert len(asked["state"]) >= 20
    assert len(asked["nonce"]) >= 20
    assert asked["redirect_uri"] == f"{federation.people.service.url}{API}/oidc/callback"


def test_a_name_that_is_taken_gets_a_number_and_no_access(federation: Federation):
    session = federation.session(sub="44", preferred_username="root")
    assert session["account"]["name"] == "root 2"
    assert session["account"]["id"] != federation.people.admin.id


@pytest.mark.parametrize("claims", [{}, {"name": "\u202e"}, {"email": 3}])
def test_a_person_without_a_usable_name_gets_one(federation: Federation, claims: dict):
    session = federation.session(sub=f"nameless {claims}", **claims)
    assert session["account"]["name"]


@pytest.mark.parametrize(
    "changed",
    [
        {"aud": "another client"},
        {"aud": ["another client"], "azp": CLIENT},
        {"iss": "https://evil.example"},
        {"nonce": "replayed"},
        {"nonce": None},
        {"exp": 1_600_000_000},
    ],
    ids=str,
)
def test_a_wrong_claim_is_refused(federation: Federation, changed: dict):
    federation.provider.changed = changed
    response = federation.log_in(sub="45")
    assert response.status_code == 403
    assert "could not be verified" in response.json()["detail"]
    [entry] = federation.people.admin.get("/audit", limit=1)["items"]
    assert (entry["action"], entry["details"]["oidc"]) == ("login.failed", True)


def test_a_browser_is_led_back_to_the_login_with_the_reason(federation: Federation):
    browser = federation.people.browser()
    browser.headers["Accept"] = "text/html,application/xhtml+xml"
    federation.provider.changed = {"nonce": "replayed"}
    response = federation.log_in(browser, sub="52")
    assert (response.status_code, response.headers["Location"]) == (303, "/login?failed=unverified")
    [entry] = federation.people.admin.get("/audit", limit=1)["items"]
    assert entry["action"] == "login.failed"
    again = browser.get(f"{API}/oidc/callback?code=x&state=y")
    assert again.headers["Location"] == "/login?failed=again"


def test_a_token_signed_with_another_key_is_refused(federation: Federation):
    federation.provider.signing = RSAKey.generate_key(2048, {"kid": "first"})
    assert federation.log_in(sub="46").status_code == 403


def test_a_new_key_of_the_provider_is_fetched(federation: Federation):
    federation.session(sub="47")
    federation.provider.key = RSAKey.generate_key(2048, {"kid": "second"})
    assert federation.session(sub="47")["account"]


def test_another_browser_cannot_finish_a_login(federation: Federation):
    victim, attacker = federation.people.browser(), federation.people.browser()
    federation.provider.person = {"sub": "48"}
    there = attacker.get(attacker.get(f"{API}/oidc/login").headers["Location"])
    callback = there.headers["Location"]
    assert victim.get(callback).status_code == 400, "no login was begun there"
    victim.get(f"{API}/oidc/login")
    assert victim.get(callback).status_code == 400, "another one was"
    assert victim.get(f"{API}/session").json()["account"] is None
    assert attacker.get(callback).status_code == 303


def test_a_code_is_used_once(federation: Federation):
    browser = federation.people.browser()
    federation.provider.person = {"sub": "49"}
    leave = browser.get(f"{API}/oidc/login")
    kept = browser.cookies["seminar-oidc"]
    callback = browser.get(leave.headers["Location"]).headers["Location"]
    assert browser.get(callback).status_code == 303
    assert "seminar-oidc" not in browser.cookies
    browser.cookies.set("seminar-oidc", kept)
    assert browser.get(callback).status_code == 403


def test_an_answer_of_another_issuer_is_refused(federation: Federation):
    browser = federation.people.browser()
    leave = browser.get(f"{API}/oidc/login")
    [state] = parse_qs(urlsplit(leave.headers["Location"]).query)["state"]
    mixed = {"state": state, "code": "x", "iss": "https://evil.example"}
    response = browser.get(f"{API}/oidc/callback", params=mixed)
    assert response.status_code == 400
    assert "another provider" in response.json()["detail"]


def test_a_deactivated_account_is_refused(federation: Federation):
    account = federation.session(sub="50")["account"]
    change = {"is_active": False}
    federation.people.admin.send("PATCH", f"/accounts/{account['id']}", change)
    assert federation.log_in(sub="50").status_code == 403


def test_an_account_of_the_provider_has_no_password(federation: Federation):
    name = federation.session(sub="51", preferred_username="passwordless")["account"]["name"]
    for password in ("", "None", "correct horse battery"):
        login = {"name": name, "password": password}
        response = federation.people.browser().post(f"{API}/session", json=login)
        assert response.status_code == 401


@pytest.mark.parametrize(
    ("person", "status"),
    [
        ({"email": "a@example.org", "email_verified": True, "groups": ["staff"]}, 303),
        ({"email": "a@EXAMPLE.org", "email_verified": True, "groups": ["x", "staff"]}, 303),
        ({"email": "a@example.org", "email_verified": False, "groups": ["staff"]}, 403),
        ({"email": "a@example.org", "groups": ["staff"]}, 403),
        ({"email": "a@sub.example.org", "email_verified": True, "groups": ["staff"]}, 403),
        ({"email": "a@example.org", "email_verified": True, "groups": ["others"]}, 403),
        ({"email": "a@example.org", "email_verified": True, "groups": "staff"}, 403),
        ({"email": "a@example.org", "email_verified": True}, 403),
    ],
)
def test_domains_and_groups_limit_who_may_log_in(strict: Federation, person: dict, status: int):
    assert strict.log_in(sub=str(person), **person).status_code == status


@pytest.fixture(scope="module")
def strict(
    federation: Federation, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Federation]:
    settings = weak(
        tmp_path_factory.mktemp("strict"),
        oidc_issuer=federation.provider.issuer,
        oidc_client=CLIENT,
        oidc_secret=SECRET,
        oidc_domains=("example.org",),
        oidc_groups=("staff",),
    )
    with people_of(settings) as people:
        yield Federation(federation.provider, people)


def test_a_provider_that_does_not_answer_is_said(tmp_path):
    settings = weak(
        tmp_path, oidc_issuer="http://127.0.0.1:9", oidc_client=CLIENT, oidc_secret=SECRET
    )
    with people_of(settings) as people:
        response = people.browser().get(f"{API}/oidc/login")
    assert response.status_code == 502
    assert "http://127.0.0.1:9 did not answer" in response.json()["detail"]


def test_without_a_provider_there_is_no_such_login(people: People):
    for path in ("/oidc/login", "/oidc/callback?code=x&state=y"):
        assert people.browser().get(API + path).status_code == 404


@pytest.mark.parametrize(
    "settings",
    [
        {"oidc_issuer": "http://login.example.org"},
        {"oidc_secret": ""},
        {"oidc_client": ""},
        {"multi_user": False},
    ],
)
def test_incomplete_settings_are_an_error_at_the_start(settings: dict):
    complete = {
        "oidc_issuer": "https://login.example.org",
        "oidc_client": CLIENT,
        "oidc_secret": SECRET,
        "multi_user": True,
    }
    open_provider(ServiceSettings(**complete))
    with pytest.raises(ConfigurationError, match="oidc_"):
        open_provider(ServiceSettings(**{**complete, **settings}))
