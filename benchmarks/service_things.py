"""Real things in a running service, so that drawn requests reach what the routes do with them."""

from __future__ import annotations

import random
import secrets
import time
from dataclasses import dataclass
from typing import Any

import httpx
import schemathesis
from fpdf import FPDF

API = "/api/v1"
FILE = "notes/light house.md"
TEXT = b"# The lighthouse\n\nThe lighthouse stands on the northern cliff since 1874.\n"
PDF = "keeper.pdf"
PASSWORD = "correct horse battery"
PART_SIZE = 10
FILLED = 0.75  # of the places for an id
WHOLE = 0.3  # of the bodies of operations that are seldom satisfied by what is drawn

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Ids:
    """The ids by the names that paths, queries and bodies have for them."""

    path: Record
    query: Record
    body: Record
    whole: Record  # bodies that are accepted, by operation


def make_things(client: httpx.Client) -> Ids:
    """A collection with a file, a dialogue with a turn, and all else that is there to be named."""
    name = f"Lights {secrets.token_hex(4)}"
    collection = _post(client, "/collections", {"name": name})["id"]
    for file, content in ((FILE, TEXT), (PDF, _pdf())):
        _upload(client, collection, file, content)
    job = _post(client, f"/collections/{collection}/index", None)["id"]
    while client.get(f"{API}/jobs/{job}").json()["state"] in ("waiting", "running"):
        time.sleep(0.05)
    part = {"path": "part.md", "size": PART_SIZE}
    dialogue = _post(client, "/dialogues", {"collection": collection})["id"]
    _post(client, f"/dialogues/{dialogue}/turns", {"question": "Since when does it stand?"})
    path = {
        "collection_id": collection,
        "upload_id": _post(client, f"/collections/{collection}/uploads", part)["id"],
        "job_id": job,
        "id": dialogue,
        "number": 1,
        "path": FILE,
        "model": name,
        "token_id": _post(client, "/tokens", {"name": "spare", "scopes": ["read"]})["id"],
        "account_id": client.get(f"{API}/session").json()["account"]["id"],
        **_shared(client, collection),
    }
    body = {
        "collection": collection,
        "model": name,
        "account_id": path["account_id"],
        "group_id": path.get("group_id"),
        "members": [path["account_id"]],
        "scope": "",
        "number": 1,
        "name": f"Drawn {secrets.token_hex(4)}",
        "question": "Since when does it stand?",
    }
    query = {"path": FILE, "collection": collection, "document": FILE, "number": 1}
    return Ids(path, query, body, _bodies(path))


def _bodies(path: Record) -> Record:
    person = {"name": f"person {secrets.token_hex(4)}", "password": PASSWORD}
    return {
        f"POST {API}/invitations/{{secret}}": person,
        f"POST {API}/session": {"name": "root", "password": PASSWORD},
        f"POST {API}/tokens": {"name": "drawn", "scopes": ["read", "ask"], "expires_days": 3},
        f"PUT {API}/session/password": {"old": PASSWORD, "new": PASSWORD},
        f"PUT {API}/collections/{{collection_id}}/grants": {
            "account_id": path["account_id"],
            "role": "writer",
        },
    }


def _upload(client: httpx.Client, collection: str, path: str, content: bytes) -> None:
    announced = {"path": path, "size": len(content)}
    upload = _post(client, f"/collections/{collection}/uploads", announced)["id"]
    sent = client.patch(f"{API}/uploads/{upload}", content=content, headers={"Upload-Offset": "0"})
    sent.raise_for_status()


def _pdf() -> bytes:
    """A file with one page."""
    document = FPDF()
    document.add_page()
    document.set_font("Helvetica")
    document.cell(text="The keeper of the lighthouse was Ada Brennan.")
    return bytes(document.output())


def _shared(client: httpx.Client, collection: str) -> Record:
    """What only a service with accounts has: another account, a group, a grant, a link."""
    if not client.get(f"{API}/session").json()["multi_user"]:
        return {}
    secret = _invitation(client)["url"].rpartition("/")[2]
    with httpx.Client(base_url=client.base_url, timeout=60) as browser:
        login = {"name": f"person {secrets.token_hex(4)}", "password": PASSWORD}
        accepted = browser.post(f"{API}/invitations/{secret}", json=login).raise_for_status()
    account = accepted.json()["account"]["id"]
    grant = {"account_id": account, "role": "reader"}
    made = client.put(f"{API}/collections/{collection}/grants", json=grant).raise_for_status()
    group = {"name": f"group {secrets.token_hex(4)}", "members": [account]}
    return {
        "account_id": account,
        "grant": made.json()["id"],
        "group_id": _post(client, "/groups", group)["id"],
        "link_id": _post(client, f"/collections/{collection}/links", {})["id"],
        "invitation_id": _invitation(client)["id"],
        "secret": _invitation(client)["url"].rpartition("/")[2],
    }


def _invitation(client: httpx.Client) -> Record:
    return _post(client, "/invitations", {"purpose": "account"})


def _post(client: httpx.Client, path: str, body: object) -> Record:
    return dict(client.post(API + path, json=body).raise_for_status().json())


def fill_in(
    case: schemathesis.Case, operation: schemathesis.APIOperation, ids: Ids, chance: random.Random
) -> None:
    """Put real ids in most places of a drawn request that are for them."""

    def fill(drawn: object, known: Record) -> None:
        if not isinstance(drawn, dict):
            return
        for name in drawn:
            if known.get(name) is not None and chance.random() < FILLED:
                drawn[name] = known[name]

    path = dict(ids.path)
    if "/collections/{id}" in operation.path:
        path["id"] = path["collection_id"]
    fill(case.path_parameters, path)
    fill(case.query, {**ids.query, "path": PDF} if operation.path.endswith("/page") else ids.query)
    fill(case.body, ids.body)
    if operation.label in ids.whole and chance.random() < WHOLE:
        case.body = ids.whole[operation.label]
    if "{upload_id}" in operation.path and operation.method.upper() == "PATCH":
        case.headers["upload-offset"] = str(chance.choice([0, 0, 5]))
        case.body = b"x" * chance.choice([1, 5, PART_SIZE, 2 * PART_SIZE])
