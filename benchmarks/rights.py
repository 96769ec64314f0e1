"""Every route of the service, tried with things of another account.

`scripts/bench rights [--tries 10000]` starts a service with several users. One of them has a
collection, a dialogue and all else that routes name by an id. Others, with a session, a token,
a public link, the role of a reader or nothing, try every route of the OpenAPI document with these
ids, in their place and in each other's. Counted are tries that were not refused, responses that
show anything of the owner, and changes of what the owner has.
"""

from __future__ import annotations

import argparse
import random
import secrets
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import httpx
import uvicorn

from benchmarks.results import progress, write_result
from benchmarks.rights_tries import API, Owned, Try, problems, tries
from seminar.serving.app import create_app
from seminar.serving.identity.invitations import first_admin_path
from seminar.serving.settings import ServiceSettings
from seminar.settings import Settings

PASSWORD = "correct horse battery"


def own(admin: httpx.Client) -> Owned:
    """Somebody new with everything that routes name, private."""
    word = f"zanzibar{secrets.token_hex(6)}"
    browser = person(admin, f"owner {secrets.token_hex(4)}")
    account = browser.get(f"{API}/session").json()["account"]["id"]
    collection = _post(browser, "/collections", {"name": word})["id"]
    text = f"# {word}\n\nThe lighthouse of {word} stands on the northern cliff since 1874.\n"
    size = len(text.encode())
    upload = _post(
        browser, f"/collections/{collection}/uploads", {"path": "notes.md", "size": size}
    )
    chunk = {"Upload-Offset": "0"}
    browser.patch(f"{API}/uploads/{upload['id']}", content=text, headers=chunk).raise_for_status()
    job = _post(browser, f"/collections/{collection}/index", None)["id"]
    while (state := browser.get(f"{API}/jobs/{job}").json()["state"]) not in ("done", "failed"):
        time.sleep(0.05)
    if state == "failed":
        raise SystemExit("the collection could not be indexed")
    part = _post(browser, f"/collections/{collection}/uploads", {"path": "part.md", "size": 10})
    dialogue = _post(browser, "/dialogues", {"collection": collection, "title": word})["id"]
    _post(browser, f"/dialogues/{dialogue}/turns", {"question": f"Where does {word} stand?"})
    friend = browser_id(person(admin, f"friend {secrets.token_hex(4)}"))
    shared = {"account_id": friend, "role": "reader"}
    grants = f"{API}/collections/{collection}/grants"
    grant = browser.put(grants, json=shared).raise_for_status().json()["id"]
    group = _post(admin, "/groups", {"name": f"Friends of {account}", "members": [account]})
    ids = {
        "account_id": account,
        "collection_id": collection,
        "upload_id": part["id"],
        "job_id": job,
        "id": dialogue,
        "grant": grant,
        "group_id": group["id"],
        "link_id": _post(browser, f"/collections/{collection}/links", {})["id"],
        "token_id": _post(browser, "/tokens", {"name": word, "scopes": ["read"]})["id"],
        "invitation_id": _post(admin, "/invitations", {"purpose": "account"})["id"],
    }
    return Owned(ids, (word,), browser)


def person(admin: httpx.Client, name: str) -> httpx.Client:
    """The browser of somebody new."""
    secret = _post(admin, "/invitations", {"purpose": "account"})["url"].rpartition("/")[2]
    return accepted(str(admin.base_url), secret, name)


def accepted(url: str, secret: str, name: str) -> httpx.Client:
    """The browser of somebody who has accepted an invitation."""
    browser = httpx.Client(base_url=url, timeout=60)
    body = {"name": name, "password": PASSWORD}
    session = browser.post(f"{API}/invitations/{secret}", json=body).raise_for_status().json()
    browser.headers["X-CSRF-Token"] = session["csrf"]
    return browser


def browser_id(browser: httpx.Client) -> str:
    """The id of the account that is logged in."""
    found: str = browser.get(f"{API}/session").json()["account"]["id"]
    browser.close()
    return found


def visitor(url: str, link: str) -> httpx.Client:
    """The browser of a visitor with a public link."""
    browser = httpx.Client(base_url=url, timeout=60)
    body = {"link": link.rpartition("/")[2]}
    session = browser.post(f"{API}/session", json=body).raise_for_status().json()
    browser.headers["X-CSRF-Token"] = session["csrf"]
    return browser


def strangers(admin: httpx.Client, stack: ExitStack) -> dict[str, httpx.Client]:
    """Those who have nothing to do with the owner's things."""
    url = str(admin.base_url)
    session = person(admin, f"stranger {secrets.token_hex(4)}")
    mine = _post(session, "/collections", {"name": "Mine"})["id"]
    every = ["read", "ask", "write"]
    token = _post(session, "/tokens", {"name": "all", "scopes": every})["secret"]
    link = _post(session, f"/collections/{mine}/links", {})["url"]
    found = {
        "session": session,
        "token": httpx.Client(
            base_url=url, headers={"Authorization": f"Bearer {token}"}, timeout=60
        ),
        "visitor elsewhere": visitor(url, link),
        "nobody": httpx.Client(base_url=url, timeout=60),
    }
    for browser in found.values():
        stack.callback(browser.close)
    return found


def readers(admin: httpx.Client, owned: Owned, stack: ExitStack) -> dict[str, httpx.Client]:
    """Those who may read the owner's collection, and nothing else of theirs."""
    collection = owned.ids["collection_id"]
    reader = person(admin, f"reader {secrets.token_hex(4)}")
    account = reader.get(f"{API}/session").json()["account"]["id"]
    grants = f"{API}/collections/{collection}/grants"
    body = {"account_id": account, "role": "reader"}
    owned.browser.put(grants, json=body).raise_for_status()
    link = _post(owned.browser, f"/collections/{collection}/links", {})["url"]
    found = {"reader": reader, "visitor": visitor(str(admin.base_url), link)}
    for browser in found.values():
        stack.callback(browser.close)
    return found


def _post(browser: httpx.Client, path: str, body: object) -> dict:
    response = browser.post(API + path, json=body)
    if response.is_error:
        raise SystemExit(f"POST {path}: {response.status_code} {response.text}")
    made: dict = response.json()
    return made


@contextmanager
def serving(folder: Path) -> Iterator[tuple[httpx.Client, dict]]:
    """A service with several users: the admin's browser, and the OpenAPI document."""
    settings = ServiceSettings(
        folder=folder,
        multi_user=True,
        assistant=Settings(encoder="static"),
        logins_per_minute=1_000_000,
        requests_per_minute=10_000_000,
        password_rounds=1,
        password_memory=64,
    )
    app = create_app(settings)
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_config=None, proxy_headers=False))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    url = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    try:
        with app.state.seminar.transactions.begin() as db:
            path = first_admin_path(db) or ""
        with closing(accepted(url, path.rpartition("/")[2], "root")) as admin:
            yield admin, app.openapi()
    finally:
        app.state.seminar.stopping.set()
        server.should_exit = True
        thread.join()


def mixed(ids: Mapping[str, str], chance: random.Random) -> dict[str, str]:
    """The owner's ids, some in the place of others."""
    values = list(ids.values())
    return {
        name: id if chance.random() < 0.7 else chance.choice(values) for name, id in ids.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--tries", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder)) as (admin, openapi),
        ExitStack() as stack,
    ):
        owned = own(admin)
        stack.callback(owned.browser.close)
        write_result("rights", measure(admin, openapi, owned, options.tries, options.seed, stack))


def measure(
    admin: httpx.Client, openapi: dict, owned: Owned, number: int, seed: int, stack: ExitStack
) -> dict[str, object]:
    """So many tries of random callers, in random order."""
    chance, counts, wrong = random.Random(seed), Counter[str](), set[str]()
    others = strangers(admin, stack)
    callers = others | readers(admin, owned, stack)
    before = owned.snapshot()
    sent = _endless(openapi, owned, chance)
    for _ in progress(range(number), "tries"):
        one, in_place = next(sent)
        name = chance.choice(list(callers if in_place else others))
        response = one.send(callers[name])
        counts[f"{name}: {response.status_code}"] += 1
        wrong.update(problems(one, response, owned, reads=name not in others))
    return {
        "tries": number,
        "routes": sum(1 for _ in tries(openapi, owned.ids)),
        "statuses": dict(sorted(counts.items())),
        "not refused or shown": sorted(wrong),
        "changed": owned.snapshot() != before,
    }


def _endless(openapi: dict, owned: Owned, chance: random.Random) -> Iterator[tuple[Try, bool]]:
    """Tries without end, and whether the ids of each are in their own places."""
    while True:
        in_place = chance.random() < 0.5
        every = list(tries(openapi, owned.ids if in_place else mixed(owned.ids, chance)))
        chance.shuffle(every)
        yield from ((one, in_place) for one in every)


if __name__ == "__main__":
    main()
