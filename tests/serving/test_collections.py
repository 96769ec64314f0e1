"""Collections over HTTP: made, listed, renamed, deleted; their files, scopes and passages."""

import pytest

from seminar.serving.collections.folders import collection_folder
from seminar.serving.storage.schema import Collection
from tests.serving.conftest import Service, wait_until

API = "/api/v1"


def create(service: Service, name: str) -> dict[str, object]:
    made = service.client.post(f"{API}/collections", json={"name": name})
    assert made.status_code == 201
    return dict(made.json())


def upload(service: Service, collection: str, path: str, content: bytes) -> None:
    announced = service.client.post(
        f"{API}/collections/{collection}/uploads", json={"path": path, "size": len(content)}
    ).json()
    service.client.patch(
        f"{API}/uploads/{announced['id']}", headers={"Upload-Offset": "0"}, content=content
    ).raise_for_status()


def index(service: Service, collection: str) -> dict[str, object]:
    """Index a collection, and the collection afterwards."""
    service.client.post(f"{API}/collections/{collection}/index").raise_for_status()
    service.wait_for_index(collection)
    return dict(service.client.get(f"{API}/collections/{collection}").json())


def files(service: Service, collection: str) -> dict[str, tuple[object, object, object]]:
    items = service.client.get(f"{API}/collections/{collection}/files").json()["items"]
    return {one["path"]: (one["size"], one["passages"], one["problem"]) for one in items}


def test_the_folder_of_the_command_is_a_collection(service: Service):
    shown = service.client.get(f"{API}/collections/{service.collection}").json()
    assert (shown["name"], shown["role"], shown["files"]) == ("collection", "owner", 29)
    assert shown["passages"] == 164
    assert shown["path"].endswith("examples/collection")
    assert shown["job"]["state"] == "done"


def test_a_new_collection_is_empty(service: Service):
    made = create(service, "  Tide tables ")
    assert (made["name"], made["files"], made["passages"], made["job"]) == (
        "Tide tables",
        0,
        0,
        None,
    )
    refused = service.client.get(f"{API}/collections/{made['id']}/passages?q=x")
    assert (refused.status_code, "not indexed yet" in refused.json()["detail"]) == (409, True)


@pytest.mark.parametrize("name", ["", "   ", "x" * 201, "a\u202eb", 3, None])
def test_an_unusable_name_is_refused(service: Service, name: object):
    refused = service.client.post(f"{API}/collections", json={"name": name})
    assert refused.status_code == 422
    assert refused.headers["content-type"] == "application/problem+json"


def test_collections_are_listed_in_pages(service: Service):
    made = [create(service, f"page {number}")["id"] for number in range(3)]
    seen: list[str] = []
    after = ""
    while after is not None:
        page = service.client.get(f"{API}/collections?limit=2{after and '&after='}{after}").json()
        seen += [one["id"] for one in page["items"]]
        after = page["next"]
    assert seen[-3:] == made
    assert len(seen) == len(set(seen))


@pytest.mark.parametrize("after", ["x", "2024-01-01", "_", "9" * 200])
def test_a_made_up_cursor_is_no_error_of_the_service(service: Service, after: str):
    assert service.client.get(f"{API}/collections?after={after}").status_code in (200, 422)


def test_a_collection_is_renamed(service: Service):
    made = create(service, "Old")
    url = f"{API}/collections/{made['id']}"
    assert service.client.patch(url, json={"name": "New"}).json()["name"] == "New"
    assert service.client.get(url).json()["name"] == "New"


def test_a_deleted_collection_leaves_nothing(service: Service):
    made = str(create(service, "Gone")["id"])
    upload(service, made, "a.md", b"# A\n\nThe ferry crosses at noon.\n")
    index(service, made)
    folder = collection_folder(service.state.settings.folder, made)
    assert (folder / "files" / "a.md").exists()
    assert service.client.delete(f"{API}/collections/{made}").status_code == 204
    assert service.client.get(f"{API}/collections/{made}").status_code == 404

    def is_gone() -> bool:
        with service.state.reads() as session:
            return session.get(Collection, made) is None and not folder.exists()

    wait_until(is_gone)


def test_an_unknown_collection_is_not_found(service: Service):
    for path in ("", "/files", "/scopes", "/passages?q=x"):
        found = service.client.get(f"{API}/collections/{'0' * 32}{path}")
        assert (found.status_code, found.json()["title"]) == (404, "Not Found")


def test_uploaded_files_are_indexed_listed_and_removed(service: Service):
    made = str(create(service, "Files")["id"])
    upload(service, made, "a.md", b"# A\n\nThe ferry crosses at noon.\n")
    upload(service, made, "sub/b.txt", b"Lanterns are lit at dusk by the keeper.\n")
    upload(service, made, "broken.pdf", b"%PDF-1.4 not really")
    assert files(service, made)["a.md"] == (32, 0, None)
    shown = index(service, made)
    assert (shown["files"], shown["passages"], shown["problems"], shown["version"]) == (2, 2, 1, 1)
    listed = files(service, made)
    assert (listed["a.md"], listed["sub/b.txt"]) == ((32, 1, None), (40, 1, None))
    assert listed["broken.pdf"][2]
    assert service.client.delete(f"{API}/collections/{made}/files/sub").status_code == 204
    assert service.client.delete(f"{API}/collections/{made}/files/sub/b.txt").status_code == 404
    assert index(service, made)["version"] == 2
    assert "sub/b.txt" not in files(service, made)
    found = service.client.get(f"{API}/collections/{made}/passages?q=lanterns at dusk").json()
    assert {one["source"] for one in found["items"]} == {"a.md"}


def test_a_file_of_the_servers_folder_is_not_removed(service: Service):
    refused = service.client.delete(f"{API}/collections/{service.collection}/files/choir.md")
    assert (refused.status_code, "remove the file there" in refused.json()["detail"]) == (409, True)


def test_a_slack_export_counts_as_one_file_a_channel(service: Service):
    assert files(service, service.collection)["slack/boathouse"][1] > 0


def test_scopes_are_listed_below_a_path(service: Service):
    url = f"{API}/collections/{service.collection}/scopes"
    top = {one["path"]: one for one in service.client.get(url).json()["items"]}
    assert top["choir.md"]["children"] is False
    assert top["halls"]["children"] is True
    below = service.client.get(f"{url}?path=halls").json()["items"]
    assert sum(one["passages"] for one in below) == top["halls"]["passages"]
    unknown = service.client.get(f"{url}?path=hals")
    assert (unknown.status_code, "Did you mean" in unknown.json()["detail"]) == (422, True)


def test_passages_are_searched_within_a_scope(service: Service):
    url = f"{API}/collections/{service.collection}/passages"
    found = service.client.get(f"{url}?q=ferry crossing&limit=5").json()["items"]
    assert len(found) == 5
    assert found == sorted(found, key=lambda one: -one["score"])
    within = service.client.get(f"{url}?q=ferry crossing&scope=halls").json()["items"]
    assert {one["source"].split("/")[0] for one in within} == {"halls"}
