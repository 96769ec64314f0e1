"""Every route refuses somebody else's things; `benchmarks/rights.py` tries longer."""

import random
from collections.abc import Iterator
from contextlib import ExitStack

import httpx
import pytest

from benchmarks.rights import mixed, own, readers, strangers, visitor
from benchmarks.rights_tries import API, Owned, Try, problems, tries
from tests.serving.identity.people import People


@pytest.fixture(scope="module")
def owned(people: People) -> Iterator[Owned]:
    """Somebody with a collection, a dialogue and all else that routes name."""
    made = own(people.admin.browser)
    yield made
    made.browser.close()


@pytest.fixture(scope="module")
def openapi(people: People) -> dict:
    return people.browser().get(f"{API}/openapi.json").json()


def found(openapi: dict, owned: Owned, browser: httpx.Client, *, reads: bool) -> list[str]:
    """What one caller could see or was not refused, over all routes."""
    return [
        problem
        for one in tries(openapi, owned.ids)
        for problem in problems(one, one.send(browser), owned, reads=reads)
    ]


def test_strangers_see_and_change_nothing(people: People, openapi: dict, owned: Owned):
    before = owned.snapshot()
    with ExitStack() as stack:
        for name, browser in strangers(people.admin.browser, stack).items():
            assert found(openapi, owned, browser, reads=False) == [], name
    assert owned.snapshot() == before


def test_readers_see_no_dialogues_and_change_nothing(people: People, openapi: dict, owned: Owned):
    with ExitStack() as stack:
        callers = readers(people.admin.browser, owned, stack)
        before = owned.snapshot()
        for name, browser in callers.items():
            assert found(openapi, owned, browser, reads=True) == [], name
        assert owned.snapshot() == before


def test_ids_in_the_place_of_others_open_nothing(people: People, openapi: dict, owned: Owned):
    before = owned.snapshot()
    with ExitStack() as stack:
        browser = strangers(people.admin.browser, stack)["session"]
        for seed in range(3):
            swapped = mixed(owned.ids, random.Random(seed))
            for one in tries(openapi, swapped):
                assert problems(one, one.send(browser), owned, reads=False) == []
    assert owned.snapshot() == before


def test_an_admin_has_no_right_to_the_collections_of_others(
    people: People, openapi: dict, owned: Owned
):
    private = ("/collections/", "/dialogues/", "/uploads/", "/jobs/", "/links/", "/tokens/")
    before = owned.snapshot()
    for one in tries(openapi, owned.ids):
        if one.template.startswith(tuple(API + path for path in private)):
            response = one.send(people.admin.browser)
            assert problems(one, response, owned, reads=False) == []
    assert owned.snapshot() == before


def test_the_owner_is_refused_nothing_of_this(openapi: dict, owned: Owned):
    """The tries are real: each of them that reads is answered where it is allowed."""
    for one in tries(openapi, owned.ids):
        if one.method == "GET" and is_the_owners(one):
            response = one.send(owned.browser)
            assert response.status_code == 200, (one.path, response.text)
            assert problems(one, response, owned, reads=False), one.path


def is_the_owners(one: Try) -> bool:
    # The owner's collection has no PDF of which a page could be drawn.
    return one.path != one.template and not one.template.endswith(("/{secret}", "/page"))


def test_every_part_of_the_service_is_tried(openapi: dict, owned: Owned):
    tried = {(one.method, one.template) for one in tries(openapi, owned.ids)}
    every = {
        (method.upper(), path)
        for path, operations in openapi["paths"].items()
        for method in operations
    }
    assert every - tried == {("DELETE", f"{API}/session")}
    assert len(tried) > 50


def test_two_visitors_with_one_link_have_dialogues_of_their_own(people: People, owned: Owned):
    collection = owned.ids["collection_id"]
    made = owned.browser.post(f"{API}/collections/{collection}/links", json={}).json()
    with ExitStack() as stack:
        one, two = (visitor(people.service.url, made["url"]) for _ in range(2))
        stack.callback(one.close)
        stack.callback(two.close)
        begun = one.post(f"{API}/dialogues", json={"collection": collection})
        assert begun.status_code == 201, begun.text
        path = f"{API}/dialogues/{begun.json()['id']}"
        assert one.get(path).status_code == 200
        assert two.get(path).status_code == 404
        asked = two.post(f"{path}/turns", json={"question": "Where is the lighthouse?"})
        assert asked.status_code == 404
        assert two.get(f"{API}/dialogues").json()["items"] == []
        assert [item["id"] for item in one.get(f"{API}/dialogues").json()["items"]] == [
            begun.json()["id"]
        ]
        assert owned.browser.get(path).status_code == 404, "nor does the owner"
