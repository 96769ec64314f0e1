"""`seminar serve`: what it refuses, what it prints, workers, and how it ends."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.serving.conftest import wait_until

API = "/api/v1"


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "example.org"])
def test_serving_others_without_accounts_is_refused(seminar, tmp_path: Path, host: str):
    ended = seminar("serve", "--host", host, "--folder", tmp_path / "state")
    assert ended.code == 2
    assert f"--host {host} lets others on the network read" in ended.err
    assert not (tmp_path / "state").exists()


def test_a_path_that_is_not_there_is_named(seminar, tmp_path: Path):
    ended = seminar("serve", tmp_path / "gone", "--folder", tmp_path / "state", "--port", "0")
    assert (ended.code, "gone: no such file or folder" in ended.err) == (2, True)


def test_a_taken_port_is_named(seminar, tmp_path: Path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ended = seminar("serve", "--folder", tmp_path / "state", "--port", port)
    assert ended.code == 2
    assert f"can't listen on 127.0.0.1 port {port}: Address already in use" in ended.err


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("quotas = 1", "Did you mean 'quota'?"),
        ("quota = 'much'", "quota = 'much' is not like"),
        ("quota = 0", "quota = 0 must be at least 1"),
        ("hosts = 'a'", "hosts = 'a' is not a list of words"),
        ("oidc_issuer = 'https://id.example.org'", "oidc_issuer and oidc_client go together"),
        ("=", "not TOML"),
    ],
)
def test_wrong_settings_are_named(seminar, tmp_path: Path, content: str, reason: str):
    file = tmp_path / "service.toml"
    file.write_text(content)
    ended = seminar("serve", "--settings", file, "--folder", tmp_path / "state")
    assert (ended.code, reason in ended.err) == (2, True)


def test_a_backup_restores_into_a_new_folder(seminar, tmp_path: Path):
    old, new, file = tmp_path / "old", tmp_path / "new", tmp_path / "backup.tar.gz"
    assert "there is no service in" in seminar("serve", "--folder", old, "--backup", file).err
    with serving(old, tmp_path) as (_, client):
        client.post(f"{API}/collections", json={"name": "Tides"}).raise_for_status()
        ended = seminar("serve", "--folder", old, "--backup", file)  # while it runs
        assert (ended.code, f"{file}: " in ended.out) == (0, True)
    assert seminar("serve", "--folder", new, "--restore", file).code == 0
    again = seminar("serve", "--folder", new, "--restore", file)
    assert (again.code, "there is something in" in again.err) == (2, True)
    with serving(new, tmp_path) as (_, client):
        [kept] = client.get(f"{API}/collections").json()["items"]
        assert kept["name"] == "Tides"


def test_the_first_start_with_accounts_prints_a_link_that_makes_the_admin(tmp_path: Path):
    with serving(tmp_path / "state", tmp_path, "--multi-user") as (process, client):
        line = process.stdout.readline()
        assert f"{client.base_url}".rstrip("/") + "/invitation/" in line
        assert client.get(f"{API}/collections").status_code == 401
        assert client.get("/metrics").status_code == 401


def test_workers_share_collections_jobs_and_metrics(folder: Path, tmp_path: Path):
    with serving(tmp_path / "state", tmp_path, folder, "--workers", "2") as (process, client):
        url = f"{API}/collections"

        def is_indexed() -> bool:
            [one] = client.get(url).json()["items"]
            return one["version"] == 1

        wait_until(is_indexed)
        [one] = client.get(url).json()["items"]
        for _ in range(10):
            with httpx.Client(base_url=client.base_url, timeout=60) as other:  # of either worker
                found = other.get(f"{url}/{one['id']}/passages?q=ferry").json()["items"]
                assert found[0]["source"] == "ferry.md"
        name = 'seminar_requests_total{method="GET",route="/api/v1/collections/{collection_id}'
        counts = [
            float(line.rsplit(" ", 1)[1])
            for line in client.get("/metrics").text.splitlines()
            if line.startswith(name) and "passages" in line
        ]
        assert counts == [10.0]
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0


def test_a_stream_ends_cleanly_when_the_service_stops(tmp_path: Path):
    with serving(tmp_path / "state", tmp_path) as (process, client):
        made = client.post(f"{API}/collections", json={"name": "Many"}).json()["id"]
        files = tmp_path / "state" / "collections" / made / "files"
        files.mkdir(parents=True)
        for number in range(2_000):
            (files / f"{number}.md").write_text(f"# Ferry {number}\n\nFerry {number} is blue.\n")
        job = client.post(f"{API}/collections/{made}/index").json()["id"]
        with client.stream("GET", f"{API}/jobs/{job}/events") as response:
            lines = response.iter_lines()
            assert next(lines) == "event: progress"
            process.send_signal(signal.SIGTERM)
            rest = [line for line in lines if line.startswith("data: ")]  # no error: it ended
        assert json.loads(rest[-1].removeprefix("data: "))["state"] in ("waiting", "running")
        assert process.wait(60) in (0, -signal.SIGTERM)


@contextmanager
def serving(
    folder: Path, home: Path, *arguments: object
) -> Iterator[tuple[subprocess.Popen[str], httpx.Client]]:
    """The command in a process of its own, once it answers; ended afterwards."""
    command = [sys.executable, "-m", "seminar", "serve", "--folder", folder, "--port", "0"]
    process = subprocess.Popen(
        [*map(str, command), "--encoder", "static", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "SEMINAR_HOME": str(home)},
    )
    try:
        url = process.stdout.readline().strip()
        with httpx.Client(base_url=url, timeout=60) as client:
            wait_until(lambda: _answers(client))
            yield process, client
    finally:
        process.terminate()
        process.communicate()


def _answers(client: httpx.Client) -> bool:
    try:
        return client.get("/ready").status_code == 200
    except httpx.TransportError:
        return False
