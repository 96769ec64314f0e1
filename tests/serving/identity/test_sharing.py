"""A collection is its owner's alone until it is shared; its last owner stays."""

import pytest
from sqlalchemy import select

from seminar.serving.identity.callers import Caller
from seminar.serving.identity.rights import ROLES, may
from seminar.serving.storage.schema import Collection
from tests.serving.identity.collections import collection_of
from tests.serving.identity.people import People, Person


def roles(people: People, person: Person, collection: str) -> list[str]:
    """The roles that a person has, as statements decide it."""
    caller = Caller(account_id=person.id)
    with people.service.state.reads() as db:
        return [
            role
            for role in ROLES
            if db.scalar(
                select(Collection.id).where(Collection.id == collection, may(caller, role))
            )
        ]


def grants_path(collection: str) -> str:
    return f"/collections/{collection}/grants"


@pytest.mark.parametrize("role", ROLES)
def test_a_role_includes_those_before_it(people: People, role: str):
    owner, other = people.person(f"owner {role}"), people.person(f"other {role}")
    collection = collection_of(people, owner)
    assert roles(people, other, collection) == []
    grant = owner.send("PUT", grants_path(collection), {"account_id": other.id, "role": role})
    assert grant["account"] == {"id": other.id, "name": other.name}
    assert roles(people, other, collection) == list(ROLES[: ROLES.index(role) + 1])
    owner.send("DELETE", f"{grants_path(collection)}/{grant['id']}", status=204)
    assert roles(people, other, collection) == []


def test_members_of_a_group_have_its_role_while_they_are_members(people: People):
    owner, member = people.person("chair"), people.person("member")
    collection = collection_of(people, owner)
    group = people.admin.send("POST", "/groups", {"name": "Board", "members": [member.id]}, 201)
    body = {"group_id": group["id"], "role": "writer"}
    owner.send("PUT", grants_path(collection), body)
    assert roles(people, member, collection) == ["reader", "writer"]
    people.admin.send("PATCH", f"/groups/{group['id']}", {"members": []})
    assert roles(people, member, collection) == []


def test_a_second_grant_to_the_same_account_replaces_the_first(people: People):
    owner, other = people.person("giver"), people.person("taker")
    collection = collection_of(people, owner)
    for role in ("owner", "reader"):
        owner.send("PUT", grants_path(collection), {"account_id": other.id, "role": role})
    assert [one["role"] for one in owner.get(grants_path(collection))["items"]] == [
        "owner",
        "reader",
    ]
    assert roles(people, other, collection) == ["reader"]


def test_only_owners_see_and_change_grants(people: People):
    owner, writer = people.person("strict"), people.person("writer")
    collection = collection_of(people, owner)
    path = grants_path(collection)
    grant = owner.send("PUT", path, {"account_id": writer.id, "role": "writer"})
    for method, target, body in (
        ("GET", path, None),
        ("PUT", path, {"account_id": writer.id, "role": "owner"}),
        ("DELETE", f"{path}/{grant['id']}", None),
        ("GET", f"/collections/{collection}/links", None),
        ("POST", f"/collections/{collection}/links", {}),
    ):
        writer.send(method, target, body, 404)
        people.admin.send(method, target, body, 404)


def test_the_last_owner_stays(people: People):
    owner, second = people.person("first owner"), people.person("second owner")
    collection = collection_of(people, owner)
    path = grants_path(collection)
    problem = owner.send("DELETE", f"{path}/owner", status=409)
    assert "keeps an owner" in problem["detail"]
    owner.send("PUT", path, {"account_id": owner.id, "role": "reader"}, 409)
    owner.send("PUT", path, {"account_id": second.id, "role": "owner"})
    owner.send("PUT", path, {"account_id": owner.id, "role": "reader"})
    assert roles(people, owner, collection) == ["reader"]
    assert [one["account"]["name"] for one in second.get(path)["items"]] == [
        "second owner",
        "first owner",
    ]
    second.send("DELETE", f"{path}/owner", status=409)


def test_a_group_does_not_count_as_the_other_owner(people: People):
    owner, member = people.person("lonely"), people.person("grouped")
    collection = collection_of(people, owner)
    group = people.admin.send("POST", "/groups", {"name": "Owners", "members": [member.id]}, 201)
    owner.send("PUT", grants_path(collection), {"group_id": group["id"], "role": "owner"})
    assert roles(people, member, collection) == list(ROLES)
    owner.send("DELETE", f"{grants_path(collection)}/owner", status=409)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"role": "reader"}, 422),
        ({"account_id": "nobody", "role": "reader"}, 404),
        ({"group_id": "none", "role": "reader"}, 404),
        ({"account_id": "a", "group_id": "b", "role": "reader"}, 422),
        ({"account_id": "nobody", "role": "king"}, 422),
    ],
)
def test_a_grant_to_nobody_is_a_problem(people: People, body: dict, status: int):
    collection = collection_of(people, people.admin)
    people.admin.send("PUT", grants_path(collection), body, status)


def test_the_grant_of_another_collection_is_not_found(people: People):
    one, other = collection_of(people, people.admin), collection_of(people, people.admin)
    person = people.person("between")
    body = {"account_id": person.id, "role": "reader"}
    grant = people.admin.send("PUT", grants_path(one), body)
    people.admin.send("DELETE", f"{grants_path(other)}/{grant['id']}", status=404)
