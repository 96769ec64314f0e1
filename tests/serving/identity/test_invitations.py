"""Links that make accounts and set passwords, and the link of the first start."""

from sqlalchemy import update

from seminar.serving.identity.invitations import first_admin_path
from seminar.serving.storage.schema import Invitation, now
from tests.serving.conftest import running
from tests.serving.identity.people import API, PASSWORD, People, accepted, weak


def invited(people: People, purpose: str = "account", account_id: str | None = None) -> str:
    body = {"purpose": purpose, "account_id": account_id}
    return people.admin.send("POST", "/invitations", body, 201)["url"]


def test_the_first_start_makes_a_link_until_it_is_used(tmp_path):
    (tmp_path / "notes.md").write_text("# Notes\n\nThe ferry leaves at noon.\n")
    settings = weak(tmp_path / "state", paths=(tmp_path / "notes.md",))
    with running(settings) as service:
        with service.state.transactions.begin() as db:
            lost = first_admin_path(db)
        with service.state.transactions.begin() as db:
            shown_again = first_admin_path(db)
        assert lost != shown_again
        secret = lost.rpartition("/")[2]
        assert service.client.get(f"{API}/invitations/{secret}").status_code == 404
        admin = accepted(service.client, shown_again, "root")
        assert admin.get("/session")["account"]["is_admin"]
        [grant] = admin.get(f"/collections/{service.collection}/grants")["items"]
        assert grant["account"]["name"] == "root", "the first admin owns the folders of the start"
        with service.state.transactions.begin() as db:
            assert first_admin_path(db) is None
    with running(settings) as again, again.state.transactions.begin() as db:
        assert first_admin_path(db) is None


def test_an_invitation_makes_an_account_once(people: People):
    url = invited(people)
    assert url.startswith(f"{people.service.url}/invitation/")
    secret = url.rpartition("/")[2]
    shown = people.browser().get(f"{API}/invitations/{secret}").json()
    assert (shown["purpose"], shown["name"]) == ("account", None)
    person = accepted(people.browser(), url, "ines")
    assert person.get("/session")["account"] == {"id": person.id, "name": "ines", "is_admin": False}
    again = people.browser().post(
        f"{API}/invitations/{secret}", json={"name": "second", "password": PASSWORD}
    )
    assert again.status_code == 404


def test_a_taken_name_leaves_the_invitation_open(people: People):
    people.person("taken")
    url = invited(people)
    secret = url.rpartition("/")[2]
    response = people.browser().post(
        f"{API}/invitations/{secret}", json={"name": "taken", "password": PASSWORD}
    )
    assert response.status_code == 409
    assert "'taken'" in response.json()["detail"]
    assert accepted(people.browser(), url, "free").name == "free"


def test_a_short_password_leaves_the_invitation_open(people: People):
    url = invited(people)
    secret = url.rpartition("/")[2]
    body = {"name": "shorty", "password": "short"}
    assert people.browser().post(f"{API}/invitations/{secret}", json=body).status_code == 422
    assert accepted(people.browser(), url, "shorty").name == "shorty"


def test_an_invitation_expires(people: People):
    secret = invited(people).rpartition("/")[2]
    with people.service.state.transactions.begin() as db:
        db.execute(update(Invitation).where(Invitation.used.is_(None)).values(expires=now()))
    assert people.browser().get(f"{API}/invitations/{secret}").status_code == 404


def test_an_invitation_can_be_withdrawn(people: People):
    made = people.admin.send("POST", "/invitations", {"purpose": "account"}, 201)
    assert made["id"] in [one["id"] for one in people.admin.get("/invitations")["items"]]
    people.admin.send("DELETE", f"/invitations/{made['id']}", status=204)
    secret = made["url"].rpartition("/")[2]
    assert people.browser().get(f"{API}/invitations/{secret}").status_code == 404


def test_an_admin_resets_a_password(people: People):
    person = people.person("forgetful")
    url = invited(people, "password", person.id)
    secret = url.rpartition("/")[2]
    assert people.browser().get(f"{API}/invitations/{secret}").json()["name"] == "forgetful"
    renewed = accepted(people.browser(), url, "ignored", "a new password")
    assert (renewed.id, renewed.name) == (person.id, "forgetful")
    assert person.browser.get(f"{API}/tokens").status_code == 401, "other sessions have ended"


def test_only_admins_invite(people: People):
    person = people.person("eager")
    person.send("POST", "/invitations", {"purpose": "account"}, 403)
    person.send("POST", "/invitations", {"purpose": "password", "account_id": person.id}, 403)
    assert person.browser.get(f"{API}/invitations").status_code == 403


def test_nobody_makes_an_invitation_for_admins(people: People):
    people.admin.send("POST", "/invitations", {"purpose": "admin"}, 422)
