"""A try of each route of the service with ids of somebody else, and what a response may not be."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import httpx

API = "/api/v1"
REFUSED = frozenset({401, 403, 404})
METHODS = ("get", "post", "put", "patch", "delete")
# Logging out names no thing of anybody, and would end the tries of a caller.
LEFT_OUT = frozenset({("DELETE", f"{API}/session")})
# Also those who may read a collection may not do this with it.
OWNERS_ONLY = ("/grants", "/links")
ADMINS_ONLY = frozenset(
    {
        ("GET", "/metrics"),
        ("GET", f"{API}/audit"),
        ("GET", f"{API}/invitations"),
        ("POST", f"{API}/groups"),
    }
)
# What a route takes besides ids; a route with another name must be added here.
VALUES: Mapping[str, object] = {
    "path": "notes.md",
    "number": 1,
    "q": "lighthouse",
    "start": 0,
    "end": 10,
    "upload-offset": 0,
    "secret": "not-a-secret-that-was-ever-made",
}


@dataclass(frozen=True)
class Owned:
    """What the owner has: ids by the name of their parameter, and words that only they may see."""

    ids: Mapping[str, str]
    words: tuple[str, ...]
    browser: httpx.Client

    def snapshot(self) -> list[object]:
        """Everything that the owner sees of it."""
        collection, dialogue = self.ids["collection_id"], self.ids["id"]
        paths = [
            f"/collections/{collection}",
            f"/collections/{collection}/files",
            f"/collections/{collection}/grants",
            f"/collections/{collection}/links",
            f"/dialogues/{dialogue}",
            "/dialogues",
            "/tokens",
            f"/uploads/{self.ids['upload_id']}",
        ]
        return [self.browser.get(API + path).raise_for_status().json() for path in paths]


@dataclass(frozen=True)
class Try:
    """A request; `aims` says whether it names a thing of the owner, or is for admins."""

    method: str
    template: str
    path: str
    query: Mapping[str, object]
    headers: Mapping[str, str]
    body: object
    aims: bool

    def send(self, browser: httpx.Client) -> httpx.Response:
        raw = self.body if isinstance(self.body, str) else None
        return browser.request(
            self.method,
            self.path,
            params=dict(self.query),
            headers=dict(self.headers),
            content=raw,
            json=self.body if raw is None else None,
        )


def bodies(ids: Mapping[str, str]) -> Mapping[tuple[str, str], object]:
    """A valid body for each route that takes one."""
    asked = [{"role": "user", "content": "Where is the lighthouse?"}]
    said = {"right": False, "comment": "changed"}
    account, collection = ids["account_id"], ids["collection_id"]
    mine = {
        ("POST", "/session"): {"name": "owner", "password": "a guess of it"},
        ("PUT", "/session/password"): {"old": "a guess of it", "new": "changed it"},
        ("PATCH", "/accounts/{account_id}"): {"is_active": False},
        ("POST", "/invitations"): {"purpose": "password", "account_id": account},
        ("POST", "/invitations/{secret}"): {"name": "intruder", "password": "a new password"},
        ("POST", "/groups"): {"name": "Intruders"},
        ("PATCH", "/groups/{group_id}"): {"name": "changed"},
        ("POST", "/tokens"): {"name": "t", "scopes": ["admin"]},
        ("PUT", "/collections/{collection_id}/grants"): {"account_id": account, "role": "reader"},
        ("POST", "/collections/{collection_id}/links"): {},
        ("POST", "/collections"): {"name": "Own"},
        ("PATCH", "/collections/{collection_id}"): {"name": "changed"},
        ("POST", "/collections/{collection_id}/uploads"): {"path": "new.md", "size": 1},
        ("PATCH", "/uploads/{upload_id}"): "x",
        ("POST", "/dialogues"): {"collection": collection},
        ("PATCH", "/dialogues/{id}"): {"title": "changed"},
        ("POST", "/dialogues/{id}/fork"): {"number": 1},
        ("POST", "/dialogues/{id}/turns"): {"question": "Where is the lighthouse?"},
        ("PUT", "/dialogues/{id}/turns/{number}/feedback"): said,
    }
    other = {("POST", "/v1/chat/completions"): {"model": collection, "messages": asked}}
    return {(method, API + path): body for (method, path), body in mine.items()} | other


def tries(openapi: Mapping[str, dict], ids: Mapping[str, str]) -> Iterator[Try]:
    """One try of each route with the owner's ids."""
    known = bodies(ids)
    for template, operations in openapi["paths"].items():
        for method in METHODS:
            if method not in operations or (method.upper(), template) in LEFT_OUT:
                continue
            operation = operations[method]
            body = None
            if "requestBody" in operation:
                body = known[method.upper(), template]  # a new route's body must be added
            yield _try(method.upper(), template, operation, ids, body)


def _try(
    method: str, template: str, operation: Mapping[str, list], ids: Mapping[str, str], body: object
) -> Try:
    path, query, headers = template, {}, {}
    for parameter in operation.get("parameters", []):
        name, place = parameter["name"], parameter["in"]
        if name == "model" or (name == "id" and template.startswith(f"{API}/collections/")):
            path = path.replace("{" + name + "}", ids["collection_id"])
        elif place == "path":
            path = path.replace("{" + name + "}", str(ids.get(name) or VALUES[name]))
        elif place == "query" and (parameter["required"] or name in ("q", "path")):
            query[name] = VALUES[name]
        elif place == "header" and parameter["required"]:
            headers[name] = str(VALUES[name])
    aims = path != template or any(one in json.dumps(body) for one in ids.values())
    aims = aims or (method, template) in ADMINS_ONLY
    return Try(method, template, path, query, headers, body, aims)


def problems(one: Try, response: httpx.Response, owned: Owned, *, reads: bool) -> list[str]:
    """What is wrong with a response to somebody else; `reads`: who may read the collection."""
    found = []
    if reads and not is_denied_to_readers(one):
        return found
    if one.aims and response.status_code not in REFUSED:
        found.append(f"{one.method} {one.path}: {response.status_code}, not refused")
    if response.status_code >= 500:
        found.append(f"{one.method} {one.path}: {response.status_code}")
    told = json.dumps([one.path, one.body, dict(one.query)])
    private = (value for name, value in owned.ids.items() if name not in ("account_id", "group_id"))
    for word in (*(owned.words if not reads else ()), *private):
        if word not in told and word in response.text + str(response.headers):
            found.append(f"{one.method} {one.path}: shows {word!r}")
    return found


def is_denied_to_readers(one: Try) -> bool:
    """Whether a route is denied to those who may read the collection, too."""
    if one.template == f"{API}/dialogues" or one.template.startswith("/v1/"):
        return False
    if one.template.startswith((f"{API}/collections/", f"{API}/jobs/")) and one.method == "GET":
        return one.template.endswith(OWNERS_ONLY)
    return one.aims
