"""The audit log tells who changed what, and has no secrets."""

from sqlalchemy import select

from seminar.serving.identity.callers import Caller
from seminar.serving.storage.schema import AuditEntry
from tests.serving.identity.collections import collection_of, dialogue_of
from tests.serving.identity.people import API, PASSWORD, People


def actions(people: People, **parameters: object) -> list[tuple[str, str, str]]:
    """Who did what to what, oldest first."""
    entries = people.admin.get("/audit", limit=200, **parameters)["items"]
    return [
        (one["account"]["name"] if one["account"] else "", one["action"], one["target"])
        for one in reversed(entries)
    ]


def test_what_a_person_does_is_logged(people: People):
    person = people.person("logged")
    login = {"name": "logged", "password": PASSWORD}
    person.browser.headers["X-CSRF-Token"] = person.browser.post(
        f"{API}/session", json=login
    ).json()["csrf"]
    token = person.send("POST", "/tokens", {"name": "t", "scopes": ["read"]}, 201)
    person.send("DELETE", f"/tokens/{token['id']}", status=204)
    collection = collection_of(people, person)
    body = {"account_id": people.admin.id, "role": "reader"}
    grant = person.send("PUT", f"/collections/{collection}/grants", body)
    person.send("DELETE", f"/collections/{collection}/grants/{grant['id']}", status=204)
    link = person.send("POST", f"/collections/{collection}/links", {}, 201)
    person.send("DELETE", f"/links/{link['id']}", status=204)
    person.send("PUT", "/session/password", {"old": PASSWORD, "new": PASSWORD + "!"}, 204)
    person.send("DELETE", "/session", status=204)
    assert actions(people, account=person.id) == [
        ("logged", action, target)
        for action, target in [
            ("invitation.accepted.account", person.id),
            ("login", person.id),
            ("login", person.id),
            ("token.created", token["id"]),
            ("token.revoked", token["id"]),
            ("collection.shared", collection),
            ("collection.unshared", collection),
            ("link.created", collection),
            ("link.deleted", collection),
            ("password.changed", person.id),
            ("logout", person.id),
        ]
    ]


def test_failed_logins_are_logged_without_unknown_names(people: People):
    person = people.person("target")
    for name in ("target", "my-secret-typed-into-the-wrong-field"):
        body = {"name": name, "password": "wrong password"}
        people.browser().post(f"{API}/session", json=body)
    assert actions(people, action="login.failed")[-2:] == [
        ("", "login.failed", person.id),
        ("", "login.failed", ""),
    ]
    [newest] = people.admin.get("/audit", action="login.failed", limit=1)["items"]
    assert newest["details"] == {"address": "127.0.0.1"}


def test_acts_of_admins_are_logged(people: People):
    person = people.person("managed")
    people.admin.send("PATCH", f"/accounts/{person.id}", {"is_active": False})
    people.admin.send("DELETE", f"/accounts/{person.id}")
    entries = people.admin.get("/audit", limit=2)["items"]
    assert [(one["action"], one["target"], one["details"]) for one in entries] == [
        ("account.deleted", person.id, {"name": "managed", "heir": None, "collections": 0}),
        ("account.changed", person.id, {"is_active": False}),
    ]


def test_a_deleted_dialogue_is_logged_by_its_id_alone(people: People):
    person = people.person("tidy")
    collection = collection_of(people, person)
    dialogue = dialogue_of(people, Caller(account_id=person.id), collection, "A private question?")
    person.send("DELETE", f"/dialogues/{dialogue}", status=204)
    [entry] = people.admin.get("/audit", action="dialogue.deleted", limit=1)["items"]
    assert (entry["account"]["name"], entry["target"], entry["details"]) == ("tidy", dialogue, {})


def test_no_secret_is_logged(people: People):
    person = people.person("discreet")
    token = person.send("POST", "/tokens", {"name": "t", "scopes": ["read"]}, 201)["secret"]
    link = person.send("POST", f"/collections/{collection_of(people, person)}/links", {}, 201)
    with people.service.state.reads() as db:
        log = str(db.execute(select(AuditEntry.__table__)).all())
    for secret in (
        PASSWORD,
        token,
        link["url"].rpartition("/")[2],
        *person.browser.cookies.values(),
    ):
        assert secret not in log


def test_the_log_is_read_in_parts_by_admins_only(people: People):
    first = people.admin.get("/audit", limit=3)
    rest = people.admin.get("/audit", limit=3, after=first["next"])
    ids = [one["id"] for one in first["items"] + rest["items"]]
    assert ids == sorted(ids, reverse=True)
    assert len(set(ids)) == 6
    assert people.person("nosy").browser.get(f"{API}/audit").status_code == 403
