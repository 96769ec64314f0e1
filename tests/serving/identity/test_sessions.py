"""Log in, stay logged in, log out; on a real server."""

import pytest
from sqlalchemy import select, update

from seminar.serving.identity.passwords import Passwords
from seminar.serving.identity.secret import hash_of
from seminar.serving.settings import ServiceSettings
from seminar.serving.storage.schema import Account, LoginSession, now
from tests.serving.identity.people import API, PASSWORD, People, logged_in, people_of, weak

SESSION = f"{API}/session"


def login(people: People, name: str, password: str = PASSWORD):
    browser = people.browser()
    return browser, browser.post(SESSION, json={"name": name, "password": password})


def test_without_login_the_session_is_empty_and_all_else_is_refused(people: People):
    browser = people.browser()
    assert browser.get(SESSION).json() == {
        "account": None,
        "multi_user": True,
        "csrf": "",
        "oidc": False,
        "collection": None,
    }
    response = browser.get(f"{API}/tokens")
    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"] == "Bearer"
    assert response.headers["Content-Type"] == "application/problem+json"


def test_a_login_begins_a_session(people: People):
    person = people.person("sally")
    browser, response = login(people, "sally")
    record = response.json()
    assert record["account"] == {"id": person.id, "name": "sally", "is_admin": False}
    assert browser.get(SESSION).json() == record


def test_the_cookie_is_kept_from_scripts_and_other_sites(people: People):
    people.person("cora")
    _, response = login(people, "cora")
    cookie = response.headers["Set-Cookie"]
    assert cookie.startswith("seminar=")
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "Path=/" in cookie
    assert "Domain" not in cookie


def test_behind_https_the_cookie_is_secure_and_of_this_host_alone(tmp_path):
    with people_of(weak(tmp_path, address="https://localhost")) as secure:
        _, response = login(secure, "root")
        cookie = response.headers["Set-Cookie"]
        assert cookie.startswith("__Host-seminar=")
        assert "Secure" in cookie
        assert response.headers["Strict-Transport-Security"] == "max-age=31536000"


def test_only_a_hash_of_the_cookie_is_kept(people: People):
    people.person("hanna")
    browser, _ = login(people, "hanna")
    secret = browser.cookies["seminar"]
    with people.service.state.reads() as db:
        kept = db.scalars(select(LoginSession.secret_hash)).all()
    assert hash_of(secret) in kept
    assert secret.encode() not in kept


@pytest.mark.parametrize("name", ["mallory", "nobody of this name"])
def test_wrong_names_and_passwords_get_the_same_answer(people: People, name: str):
    if name == "mallory":
        people.person(name)
    _, response = login(people, name, "not the password")
    assert response.status_code == 401
    assert response.json()["detail"] == (
        "Name and password don't fit, or the account is not active."
    )


def test_a_change_needs_the_csrf_token(people: People):
    person = people.person("chloe")
    for token in ("", "wrong", "wröng"):
        person.browser.headers["X-CSRF-Token"] = token
        response = person.browser.post(f"{API}/tokens", json={"name": "t", "scopes": ["read"]})
        assert response.status_code == 403
        assert "X-CSRF-Token" in response.json()["detail"]
    assert person.browser.delete(SESSION).status_code == 403
    assert person.get("/session")["account"]["name"] == "chloe"


def test_a_login_caused_by_another_site_is_refused(people: People):
    people.person("lena")
    browser = people.browser()
    response = browser.post(
        SESSION,
        json={"name": "lena", "password": PASSWORD},
        headers={"Origin": "https://evil.example"},
    )
    assert response.status_code == 403
    assert "Set-Cookie" not in response.headers


def test_logging_out_ends_the_session_on_the_server(people: People):
    person = people.person("otto")
    secret = person.browser.cookies["seminar"]
    response = person.browser.delete(SESSION)
    assert response.status_code == 204
    assert "seminar" not in person.browser.cookies
    browser = people.browser()
    browser.cookies.set("seminar", secret)
    assert browser.get(f"{API}/tokens").status_code == 401


def test_a_session_ends_by_itself(people: People):
    person = people.person("edith")
    with people.service.state.transactions.begin() as db:
        ended = update(LoginSession).where(LoginSession.account_id == person.id)
        db.execute(ended.values(expires=now()))
    assert person.browser.get(f"{API}/tokens").status_code == 401
    login(people, "edith")  # removes what has ended
    with people.service.state.reads() as db:
        rows = select(LoginSession).where(LoginSession.account_id == person.id)
        assert len(db.scalars(rows).all()) == 1


def test_a_new_password_ends_all_other_sessions(people: People):
    person = people.person("paula")
    other, _ = login(people, "paula")
    new = {"old": PASSWORD, "new": "another password"}
    assert person.browser.put(f"{SESSION}/password", json=new).status_code == 204
    assert person.get("/tokens") == {"items": [], "next": None}
    assert other.get(f"{API}/tokens").status_code == 401
    assert login(people, "paula")[1].status_code == 401
    assert login(people, "paula", "another password")[1].status_code == 200


def test_a_new_password_needs_the_old_one(people: People):
    person = people.person("oda")
    new = {"old": "something else", "new": "another password"}
    response = person.browser.put(f"{SESSION}/password", json=new)
    assert response.status_code == 403
    assert login(people, "oda")[1].status_code == 200


def test_a_login_renews_a_hash_with_outdated_parameters(people: People):
    person = people.person("rita")
    older = Passwords(ServiceSettings(password_rounds=2, password_memory=32)).hash(PASSWORD)
    with people.service.state.transactions.begin() as db:
        db.execute(update(Account).where(Account.id == person.id).values(password=older))
    assert login(people, "rita")[1].status_code == 200
    with people.service.state.reads() as db:
        renewed = db.get_one(Account, person.id).password
    assert renewed != older
    assert "m=64,t=1" in renewed
    assert login(people, "rita")[1].status_code == 200


def test_too_many_logins_must_wait(tmp_path):
    with people_of(weak(tmp_path, logins_per_minute=3)) as few:
        statuses = [login(few, "root", "wrong password")[1] for _ in range(4)]
        assert [one.status_code for one in statuses] == [401, 401, 401, 429]
        assert 0 < int(statuses[3].headers["Retry-After"]) <= 20
        assert login(few, "root")[1].status_code == 429, "the right password must wait too"
        assert few.admin.get("/session")["account"]["name"] == "root"


def test_too_many_requests_must_wait(tmp_path):
    with people_of(weak(tmp_path, requests_per_minute=10)) as few:
        guest = few.person("guest")
        responses = [guest.browser.get(f"{API}/tokens") for _ in range(20)]
        statuses = [response.status_code for response in responses]
        assert statuses[:10] == [200] * 10
        refused = responses[statuses.index(429)]
        assert 0 < int(refused.headers["Retry-After"]) <= 6
        assert few.admin.get("/session")["account"]["name"] == "root", "limits are per account"


def test_logging_in_again_replaces_the_session(people: People):
    person = people.person("greta")
    first = person.browser.cookies["seminar"]
    response = person.browser.post(SESSION, json={"name": "greta", "password": PASSWORD})
    again = logged_in(person.browser, response.json())
    assert again.get("/session")["account"]["name"] == "greta"
    browser = people.browser()
    browser.cookies.set("seminar", first)
    assert browser.get(f"{API}/tokens").status_code == 401
