"""Accounts as admins change them, and what becomes of a deleted account's collections."""

import pytest

from seminar.serving.storage.schema import Grant
from tests.serving.identity.collections import collection_of
from tests.serving.identity.people import API, PASSWORD, People, people_of, weak


def test_admins_see_all_accounts_and_others_search_for_names(people: People):
    person = people.person("anna-lena")
    people.person("anna-maria")
    found = person.get("/accounts", q="ANNA-")["items"]
    assert [set(one) for one in found] == [{"id", "name"}] * 2
    assert [one["name"] for one in found] == ["anna-lena", "anna-maria"]
    assert person.browser.get(f"{API}/accounts").status_code == 403
    everybody = people.admin.get("/accounts", limit=200)["items"]
    [root] = [one for one in everybody if one["name"] == "root"]
    assert (root["is_admin"], root["is_active"], root["login"]) == (True, True, "password")


def test_accounts_are_listed_in_parts(people: People):
    for name in ("part-a", "part-b", "part-c"):
        people.person(name)
    first = people.admin.get("/accounts", q="part-", limit=2)
    assert ([one["name"] for one in first["items"]], first["next"]) == (
        ["part-a", "part-b"],
        "part-b",
    )
    last = people.admin.get("/accounts", q="part-", limit=2, after="part-b")
    assert ([one["name"] for one in last["items"]], last["next"]) == (["part-c"], None)


@pytest.mark.parametrize("q", ["%", "_", "\\"])
def test_a_search_has_no_wildcards(people: People, q: str):
    assert people.admin.get("/accounts", q=q)["items"] == []


def test_a_deactivated_account_is_out_at_once(people: People):
    person = people.person("daria")
    token = person.send("POST", "/tokens", {"name": "t", "scopes": ["read"]}, 201)["secret"]
    people.admin.send("PATCH", f"/accounts/{person.id}", {"is_active": False})
    assert person.browser.get(f"{API}/groups").status_code == 401
    browser = people.browser()
    headers = {"Authorization": f"Bearer {token}"}
    assert browser.get(f"{API}/groups", headers=headers).status_code == 401
    login = {"name": "daria", "password": PASSWORD}
    assert browser.post(f"{API}/session", json=login).status_code == 401
    people.admin.send("PATCH", f"/accounts/{person.id}", {"is_active": True})
    assert browser.post(f"{API}/session", json=login).status_code == 200


def test_the_last_admin_stays(tmp_path):
    with people_of(weak(tmp_path)) as alone:
        own = f"/accounts/{alone.admin.id}"
        for change in ({"is_admin": False}, {"is_active": False}):
            alone.admin.send("PATCH", own, change, 409)
        alone.admin.send("DELETE", own, status=409)
        second = alone.person("second")
        alone.admin.send("PATCH", f"/accounts/{second.id}", {"is_admin": True})
        alone.admin.send("PATCH", own, {"is_admin": False})
        assert alone.admin.browser.get(f"{API}/audit").status_code == 403
        assert second.browser.get(f"{API}/audit").status_code == 200


def test_others_change_no_account(people: People):
    person = people.person("modest")
    person.send("PATCH", f"/accounts/{person.id}", {"is_admin": True}, 403)
    person.send("DELETE", f"/accounts/{person.id}", status=403)


def test_an_account_with_collections_is_deleted_only_with_an_heir(people: People):
    person, heir = people.person("leaver"), people.person("heir")
    collection = collection_of(people, person)
    with people.service.state.transactions.begin() as db:
        db.add(Grant(collection_id=collection, account_id=heir.id, role="reader"))
    problem = people.admin.send("DELETE", f"/accounts/{person.id}", status=409)
    assert "owns 1 collection(s)" in problem["detail"]
    people.admin.send("DELETE", f"/accounts/{person.id}?heir={person.id}", status=422)
    people.admin.send("DELETE", f"/accounts/{person.id}?heir=nobody", status=404)
    deleted = people.admin.send("DELETE", f"/accounts/{person.id}?heir={heir.id}")
    assert deleted == {"collections_given": 1, "heir": heir.id}
    assert person.browser.get(f"{API}/groups").status_code == 401
    [grant] = heir.get(f"/collections/{collection}/grants")["items"]
    assert (grant["account"]["name"], grant["role"]) == ("heir", "owner")


def test_an_account_without_collections_is_deleted(people: People):
    person = people.person("brief")
    deleted = people.admin.send("DELETE", f"/accounts/{person.id}")
    assert deleted == {"collections_given": 0, "heir": None}
    people.admin.send("DELETE", f"/accounts/{person.id}", status=404)
    assert people.person("brief").id != person.id
