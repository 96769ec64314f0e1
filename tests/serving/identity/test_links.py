"""Public links: visitors may read and ask one collection, each with their own dialogues."""

from datetime import timedelta

import httpx
import pytest
from sqlalchemy import select, update

from seminar.serving.identity.callers import Caller
from seminar.serving.identity.rights import may, own_dialogues
from seminar.serving.identity.secret import hash_of
from seminar.serving.storage.schema import (
    Collection,
    LoginSession,
    PublicLink,
    StoredDialogue,
    now,
)
from tests.serving.identity.collections import collection_of, dialogue_of
from tests.serving.identity.people import API, People


def link_of(people: People, collection: str, **body: object) -> dict:
    return people.admin.send("POST", f"/collections/{collection}/links", body, 201)


def opened(browser: httpx.Client, link: dict) -> httpx.Response:
    response = browser.post(f"{API}/session", json={"link": link["url"].rpartition("/")[2]})
    if response.status_code == 200:
        browser.headers["X-CSRF-Token"] = response.json()["csrf"]
    return response


def visitor(people: People, browser: httpx.Client) -> Caller:
    """The caller that a visitor's browser is."""
    with people.service.state.reads() as db:
        secret = hash_of(browser.cookies["seminar"])
        session = db.scalars(select(LoginSession).where(LoginSession.secret_hash == secret)).one()
    return Caller(link_id=session.link_id, visitor_id=session.id)


def test_the_secret_of_a_link_begins_a_visitors_session(people: People):
    collection = collection_of(people, people.admin)
    link = link_of(people, collection)
    assert link["url"].startswith(f"{people.service.url}/link/")
    browser = people.browser()
    session = opened(browser, link).json()
    assert (session["account"], session["collection"]) == (None, collection)
    assert browser.get(f"{API}/session").json() == session
    [listed] = people.admin.get(f"/collections/{collection}/links")["items"]
    assert (listed["id"], listed["url"]) == (link["id"], None)


def test_a_visitor_may_read_this_collection_and_no_other(people: People):
    collection, other = collection_of(people, people.admin), collection_of(people, people.admin)
    browser = people.browser()
    opened(browser, link_of(people, collection))
    caller = visitor(people, browser)
    with people.service.state.reads() as db:
        readable = db.scalars(select(Collection.id).where(may(caller, "reader"))).all()
        writable = db.scalars(select(Collection.id).where(may(caller, "writer"))).all()
    assert (readable, writable) == ([collection], [])
    assert other not in readable


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/accounts?q=root"),
        ("GET", "/groups"),
        ("GET", "/tokens"),
        ("POST", "/tokens"),
        ("GET", "/audit"),
        ("POST", "/invitations"),
        ("PUT", "/session/password"),
    ],
)
def test_a_visitor_has_no_account(people: People, method: str, path: str):
    browser = people.browser()
    opened(browser, link_of(people, collection_of(people, people.admin)))
    body = {"name": "x", "scopes": ["read"], "old": "x", "new": "y"}
    assert browser.request(method, API + path, json=body).status_code == 403


def test_two_visitors_do_not_see_each_others_dialogues(people: People):
    collection = collection_of(people, people.admin)
    link = link_of(people, collection)
    callers = []
    for question in ("mine?", "yours?"):
        browser = people.browser()
        opened(browser, link)
        caller = visitor(people, browser)
        dialogue_of(people, caller, collection, question)
        callers.append(caller)
    with people.service.state.reads() as db:
        titles = [
            db.scalars(select(StoredDialogue.title).where(own_dialogues(caller))).all()
            for caller in callers
        ]
    assert titles == [["mine?"], ["yours?"]]


def test_opening_a_link_again_keeps_the_visitor(people: People):
    collection = collection_of(people, people.admin)
    link = link_of(people, collection)
    browser = people.browser()
    opened(browser, link)
    first = visitor(people, browser)
    assert opened(browser, link).json()["collection"] == collection
    assert visitor(people, browser) == first


def test_an_account_that_may_read_the_collection_stays_logged_in(people: People):
    person = people.person("invited anyway")
    collection = collection_of(people, people.admin)
    body = {"account_id": person.id, "role": "reader"}
    people.admin.send("PUT", f"/collections/{collection}/grants", body)
    session = opened(person.browser, link_of(people, collection)).json()
    assert (session["account"]["name"], session["collection"]) == ("invited anyway", collection)


def test_a_withdrawn_link_ends_its_visits_and_their_dialogues(people: People):
    collection = collection_of(people, people.admin)
    link = link_of(people, collection)
    browser = people.browser()
    opened(browser, link)
    dialogue = dialogue_of(people, visitor(people, browser), collection, "gone?")
    people.admin.send("DELETE", f"/links/{link['id']}", status=204)
    assert browser.get(f"{API}/session").json()["collection"] is None
    assert opened(people.browser(), link).status_code == 404
    with people.service.state.reads() as db:
        assert db.get(StoredDialogue, dialogue) is None


def test_a_link_expires(people: People):
    link = link_of(people, collection_of(people, people.admin), expires_days=1)
    browser = people.browser()
    opened(browser, link)
    with people.service.state.transactions.begin() as db:
        past = now() - timedelta(seconds=1)
        db.execute(update(PublicLink).where(PublicLink.id == link["id"]).values(expires=past))
    assert browser.get(f"{API}/session").json()["collection"] is None
    assert opened(people.browser(), link).status_code == 404


def test_a_visit_lasts_no_longer_than_its_link(people: People):
    link = link_of(people, collection_of(people, people.admin), expires_days=1)
    browser = people.browser()
    opened(browser, link)
    caller = visitor(people, browser)
    with people.service.state.reads() as db:
        session = db.get_one(LoginSession, caller.visitor_id)
        assert session.expires == db.get_one(PublicLink, link["id"]).expires


def test_the_link_of_anothers_collection_is_not_found(people: People):
    link = link_of(people, collection_of(people, people.admin))
    people.person("stranger").send("DELETE", f"/links/{link['id']}", status=404)
