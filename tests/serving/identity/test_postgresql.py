"""Accounts and rights in PostgreSQL are those in SQLite."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest

from benchmarks.rights import own, strangers
from benchmarks.rights_tries import problems, tries
from tests.serving.conftest import new_database
from tests.serving.identity.people import API, PASSWORD, People, people_of, weak


@pytest.fixture(scope="module")
def people(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[People]:
    folder = tmp_path_factory.mktemp("postgresql")
    database = new_database(request, folder, "postgresql")
    with people_of(weak(folder, database=database)) as started:
        yield started


def test_strangers_see_and_change_nothing(people: People):
    openapi = people.browser().get(f"{API}/openapi.json").json()
    owned = own(people.admin.browser)
    before = owned.snapshot()
    with ExitStack() as stack:
        stack.callback(owned.browser.close)
        browser = strangers(people.admin.browser, stack)["session"]
        for one in tries(openapi, owned.ids):
            assert problems(one, one.send(browser), owned, reads=False) == []
        assert owned.snapshot() == before


def test_taken_names_are_a_problem(people: People):
    people.person("taken")
    secret = people.admin.send("POST", "/invitations", {}, 201)["url"].rpartition("/")[2]
    body = {"name": "taken", "password": PASSWORD}
    assert people.browser().post(f"{API}/invitations/{secret}", json=body).status_code == 409
    people.admin.send("POST", "/groups", {"name": "Once"}, 201)
    people.admin.send("POST", "/groups", {"name": "Once"}, 409)


def test_an_account_with_everything_is_deleted(people: People):
    owned = own(people.admin.browser)
    path = f"/accounts/{owned.ids['account_id']}"
    people.admin.send("DELETE", path, status=409)
    given = people.admin.send("DELETE", f"{path}?heir={people.admin.id}")
    assert given == {"collections_given": 1, "heir": people.admin.id}
    assert owned.browser.get(f"{API}/tokens").status_code == 401
    owned.browser.close()


def test_two_admins_cannot_demote_each_other_at_once(people: People):
    second = people.person("second admin")
    for _ in range(5):
        people.admin.send("PATCH", f"/accounts/{second.id}", {"is_admin": True})
        pairs = [(people.admin, second), (second, people.admin)]
        with ThreadPoolExecutor(2) as pool:
            list(
                pool.map(
                    lambda pair: pair[0].browser.patch(
                        f"{API}/accounts/{pair[1].id}", json={"is_admin": False}
                    ),
                    pairs,
                )
            )
        admins = [one for one in pairs if one[0].get("/session")["account"]["is_admin"]]
        assert admins, "an admin is left"
        [(left, other), *_] = admins
        left.send("PATCH", f"/accounts/{other.id}", {"is_admin": True})


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/groups", {"name": "x", "members": ["a\0b"]}),
        ("POST", "/invitations", {"purpose": "password", "account_id": "a\0b"}),
        ("POST", "/session", {"name": "a\0b", "password": "x\0y"}),
        ("POST", "/session", {"link": "\0"}),
        ("POST", "/tokens", {"name": "a\0b", "scopes": ["read"]}),
    ],
)
def test_the_character_nul_is_no_error_of_the_service(
    people: People, method: str, path: str, body: dict
):
    response = people.admin.browser.request(method, API + path, json=body)
    assert 400 <= response.status_code < 500, response.text
