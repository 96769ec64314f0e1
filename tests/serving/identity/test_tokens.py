"""API tokens on a real server: shown once, scoped, expiring, revocable."""

from datetime import timedelta

import httpx
import pytest
from sqlalchemy import select, update

from seminar.serving.storage.schema import ApiToken, now
from tests.serving.identity.people import API, People, Person


def token_of(person: Person, *scopes: str, days: int | None = 1) -> dict:
    body = {"name": "program", "scopes": list(scopes), "expires_days": days}
    return person.send("POST", "/tokens", body, 201)


def program(people: People, secret: str) -> httpx.Client:
    headers = {"Authorization": f"Bearer {secret}"}
    return httpx.Client(base_url=people.service.url, headers=headers)


def test_a_token_is_shown_once_and_kept_as_a_hash(people: People):
    person = people.person("tina")
    made = token_of(person, "read", "ask")
    assert made["secret"].startswith("seminar_")
    [listed] = person.get("/tokens")["items"]
    assert listed == {key: made[key] for key in made if key != "secret"}
    with people.service.state.reads() as db:
        kept = db.execute(select(ApiToken.__table__)).all()
    assert made["secret"] not in str(kept)


def test_a_token_acts_for_its_account_without_a_csrf_token(people: People):
    person = people.person("toni")
    with program(people, token_of(person, "read")["secret"]) as client:
        assert client.get(f"{API}/session").json()["account"]["name"] == "toni"
        response = client.post(f"{API}/tokens", json={"name": "x", "scopes": ["read"]})
        assert response.status_code == 403
        assert "lacks 'admin'" in response.json()["detail"]


def test_its_last_use_is_kept(people: People):
    person = people.person("ulla")
    made = token_of(person, "read")
    assert made["used"] is None
    with program(people, made["secret"]) as client:
        client.get(f"{API}/groups").raise_for_status()
    [listed] = person.get("/tokens")["items"]
    assert listed["used"] is not None


def test_an_expired_token_is_refused(people: People):
    person = people.person("vera")
    made = token_of(person, "read")
    with people.service.state.transactions.begin() as db:
        past = now() - timedelta(seconds=1)
        db.execute(update(ApiToken).where(ApiToken.id == made["id"]).values(expires=past))
    with program(people, made["secret"]) as client:
        response = client.get(f"{API}/groups")
    assert response.status_code == 401
    assert "expired" in response.json()["detail"]


def test_the_openapi_document_says_where_a_token_goes(people: People):
    document = people.browser().get(f"{API}/openapi.json").json()
    assert document["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
    assert document["paths"][f"{API}/tokens"]["get"]["security"] == [{"token": []}]
    assert "security" not in document["paths"][f"{API}/session"]["get"]


def test_a_revoked_token_is_refused(people: People):
    person = people.person("wilma")
    made = token_of(person, "read", days=None)
    person.send("DELETE", f"/tokens/{made['id']}", status=204)
    with program(people, made["secret"]) as client:
        assert client.get(f"{API}/groups").status_code == 401


def test_a_wrong_token_is_refused_even_with_a_session(people: People):
    person = people.person("xenia")
    response = person.browser.get(f"{API}/groups", headers={"Authorization": "Bearer wrong"})
    assert response.status_code == 401


def test_a_token_of_an_admin_administers_only_with_that_scope(people: People):
    with program(people, token_of(people.admin, "read", "write")["secret"]) as client:
        assert client.get(f"{API}/audit").status_code == 403
    with program(people, token_of(people.admin, "admin")["secret"]) as client:
        assert client.get(f"{API}/audit").status_code == 200
        body = {"name": "more", "scopes": ["read", "admin"]}
        assert client.post(f"{API}/tokens", json=body).status_code == 403, "no more than its own"


@pytest.mark.parametrize("scopes", [[], ["everything"], ["read", "READ"]])
def test_unknown_scopes_are_a_problem(people: People, scopes: list[str]):
    people.admin.send("POST", "/tokens", {"name": "x", "scopes": scopes}, 422)


def test_others_cannot_make_tokens_with_the_scope_of_admins(people: People):
    people.person("yara").send("POST", "/tokens", {"name": "x", "scopes": ["admin"]}, 403)
