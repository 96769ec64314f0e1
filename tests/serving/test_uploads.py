"""Uploads in chunks: they resume, stay inside their collection, and keep to their limits."""

import json
import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from seminar.serving.api.uploads import BUFFER
from seminar.serving.collections.folders import files_folder, upload_file
from seminar.serving.settings import ServiceSettings
from tests.serving.conftest import ASSISTANT, Service, running, wait_until

API = "/api/v1"
TEXT = b"# Tides\n\nThe tide turns at nine o'clock in the morning.\n"


@pytest.fixture
def collection(service: Service) -> str:
    """The id of a new, empty collection."""
    made = service.client.post(f"{API}/collections", json={"name": "Uploads"})
    return str(made.json()["id"])


def announce(service: Service, collection: str, path: str, size: int) -> httpx.Response:
    body = {"path": path, "size": size}
    return service.client.post(f"{API}/collections/{collection}/uploads", json=body)


def append(service: Service, upload: str, offset: int, content: bytes) -> httpx.Response:
    headers = {"Upload-Offset": str(offset)}
    return service.client.patch(f"{API}/uploads/{upload}", headers=headers, content=content)


def stored(service: Service, collection: str) -> dict[str, bytes]:
    root = files_folder(service.state.settings.folder, collection)
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file()
    }


def test_a_file_arrives_in_chunks(service: Service, collection: str):
    upload = announce(service, collection, "notes/tides.md", len(TEXT)).json()
    assert upload["received"] == 0
    assert append(service, upload["id"], 0, TEXT[:10]).json()["received"] == 10
    assert stored(service, collection) == {}
    assert append(service, upload["id"], 10, TEXT[10:]).json()["received"] == len(TEXT)
    assert stored(service, collection) == {"notes/tides.md": TEXT}
    assert service.client.get(f"{API}/uploads/{upload['id']}").status_code == 404


def test_the_same_path_and_size_resume(service: Service, collection: str):
    first = announce(service, collection, "a.md", 100).json()
    append(service, first["id"], 0, b"x" * 40)
    assert announce(service, collection, "a.md", 100).json() == {**first, "received": 40}
    assert announce(service, collection, "a.md", 99).json()["received"] == 0


def test_a_chunk_at_the_wrong_place_is_refused_with_the_right_one(
    service: Service, collection: str
):
    upload = announce(service, collection, "a.md", 100).json()["id"]
    append(service, upload, 0, b"x" * 40)
    refused = append(service, upload, 30, b"x" * 10)
    assert (refused.status_code, refused.headers["Upload-Offset"]) == (409, "40")
    assert "go on from there" in refused.json()["detail"]


def test_a_chunk_longer_than_the_rest_is_refused_and_nothing_is_lost(
    service: Service, collection: str
):
    upload = announce(service, collection, "a.md", 10).json()["id"]
    append(service, upload, 0, b"01234")
    assert append(service, upload, 5, b"567890").status_code == 413
    append(service, upload, 5, b"56789")
    assert stored(service, collection) == {"a.md": b"0123456789"}


def test_what_an_interrupted_request_sent_counts(service: Service, collection: str):
    content = bytes(range(250)) * 16_000
    upload = announce(service, collection, "a.md", len(content)).json()["id"]
    part = upload_file(service.state.settings.folder, upload)
    address = urlsplit(service.url)
    with socket.create_connection((address.hostname, address.port)) as connection:
        head = f"PATCH {API}/uploads/{upload} HTTP/1.1\r\nHost: localhost\r\n"
        lengths = f"Upload-Offset: 0\r\nContent-Length: {len(content)}\r\n\r\n"
        connection.sendall(f"{head}{lengths}".encode() + content[:3_000_000])
        wait_until(lambda: part.exists() and part.stat().st_size >= BUFFER)

    def received() -> int:
        return int(service.client.get(f"{API}/uploads/{upload}").json()["received"])

    wait_until(lambda: received() >= BUFFER)
    offset = received()
    assert offset <= 3_000_000
    append(service, upload, offset, content[offset:])
    assert stored(service, collection) == {"a.md": content}


def test_bytes_that_were_never_acknowledged_are_dropped(service: Service, collection: str):
    upload = announce(service, collection, "a.md", 6).json()["id"]
    append(service, upload, 0, b"abc")
    with upload_file(service.state.settings.folder, upload).open("ab") as part:
        part.write(b"lost when the process was killed")
    append(service, upload, 3, b"def")
    assert stored(service, collection) == {"a.md": b"abcdef"}


def test_an_upload_that_is_given_up_while_it_arrives_is_not_found(
    service: Service, collection: str
):
    upload = announce(service, collection, "a.md", 10).json()["id"]

    def parts() -> Iterator[bytes]:
        yield b"01234"
        assert service.client.delete(f"{API}/uploads/{upload}").status_code == 204
        yield b"56789"

    with httpx.Client(base_url=service.url, timeout=60) as other:
        ended = other.patch(
            f"{API}/uploads/{upload}", headers={"Upload-Offset": "0"}, content=parts()
        )
    assert ended.status_code == 404
    assert stored(service, collection) == {}


def test_an_empty_file_is_there_at_once(service: Service, collection: str):
    assert announce(service, collection, "empty.md", 0).status_code == 201
    assert stored(service, collection) == {"empty.md": b""}


def test_a_file_is_replaced(service: Service, collection: str):
    for content in (b"old", b"newer"):
        upload = announce(service, collection, "a.md", len(content)).json()["id"]
        append(service, upload, 0, content)
    assert stored(service, collection) == {"a.md": b"newer"}


def test_giving_up_forgets_what_was_received(service: Service, collection: str):
    upload = announce(service, collection, "a.md", 10).json()["id"]
    append(service, upload, 0, b"12345")
    assert service.client.delete(f"{API}/uploads/{upload}").status_code == 204
    assert not upload_file(service.state.settings.folder, upload).exists()
    assert append(service, upload, 5, b"67890").status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        "../a.md", "/etc/passwd", "a/../../b.md", "a//b.md", "", ".", "..", "a\\b.md", "a\0b",
        "a\nb.md", ".ssh/keys", "a/.hidden", "x" * 256, "a/" * 40 + "b", "\ud800.md",
    ],
)  # fmt: skip
def test_a_path_that_leads_elsewhere_is_refused(service: Service, collection: str, path: str):
    body = b'{"path": ' + json.dumps(path).encode() + b', "size": 3}'
    refused = service.client.post(
        f"{API}/collections/{collection}/uploads",
        content=body,
        headers={"Content-Type": "application/json"},
    )
    assert refused.status_code == 422
    assert stored(service, collection) == {}


def test_a_file_can_not_be_in_the_place_of_a_folder(service: Service, collection: str):
    append(service, announce(service, collection, "a/b.md", 1).json()["id"], 0, b"x")
    for path in ("a", "a/b.md/c.md"):
        refused = announce(service, collection, path, 1)
        assert (refused.status_code, "in its place" in refused.json()["detail"]) == (409, True)


def test_a_link_out_of_the_collection_is_not_followed(
    service: Service, collection: str, tmp_path: Path
):
    root = files_folder(service.state.settings.folder, collection)
    root.mkdir(parents=True)
    (root / "out").symlink_to(tmp_path)
    assert announce(service, collection, "out/a.md", 1).status_code == 422
    assert service.client.delete(f"{API}/collections/{collection}/files/out/x").status_code == 422


def test_nothing_is_uploaded_into_a_folder_of_the_server(service: Service):
    refused = announce(service, service.collection, "a.md", 1)
    assert (refused.status_code, "put files there" in refused.json()["detail"]) == (409, True)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with small limits."""
    settings = ServiceSettings(folder=tmp_path_factory.mktemp("small"), assistant=ASSISTANT)
    with running(replace(settings, largest_upload=1_000, quota=2_500)) as started:
        yield started


def test_sizes_and_quotas_are_kept(small: Service):
    made = small.client.post(f"{API}/collections", json={"name": "a"}).json()["id"]
    assert announce(small, made, "large.md", 1_001).status_code == 413
    for name in ("a.md", "b.md"):
        upload = announce(small, made, name, 1_000).json()["id"]
        append(small, upload, 0, b"x" * 1_000)
    refused = announce(small, made, "c.md", 600)
    assert refused.status_code == 413
    assert "quota of 2,500 bytes, of which 2,000 are used" in refused.json()["detail"]
    small.client.delete(f"{API}/collections/{made}/files/a.md")
    assert announce(small, made, "c.md", 600).status_code == 201
