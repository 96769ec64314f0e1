"""kill -9 of a real server process: what was acknowledged is there, and what was begun goes on."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from seminar.serving.collections.folders import files_folder
from tests.serving.conftest import wait_until

API = "/api/v1"


@contextmanager
def server(folder: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], httpx.Client]]:
    """A server process over a folder, and a client of it; killed at the end."""
    command = [sys.executable, "-m", "seminar", "serve", "--folder", str(folder), "--port", "0"]
    process = subprocess.Popen(
        [*command, "--encoder", "static", "--reader", "sentence", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "SEMINAR_HOME": str(folder.parent / "home")},
    )
    try:
        url = process.stdout.readline().strip()
        with httpx.Client(base_url=url, timeout=60) as client:
            wait_until(lambda: answers(client))
            yield process, client
    finally:
        process.kill()
        process.communicate()


def answers(client: httpx.Client) -> bool:
    try:
        return client.get("/ready").status_code == 200
    except httpx.TransportError:
        return False


def test_an_index_job_and_an_upload_go_on_after_kill_9(tmp_path: Path):
    folder = tmp_path / "state"
    content = b"# Storm petrels\n\n" + b"Storm petrels nest on the northern cliffs. " * 5_000
    half = len(content) // 2
    with server(folder) as (process, client):
        made = client.post(f"{API}/collections", json={"name": "Many"}).json()["id"]
        root = files_folder(folder, made)
        root.mkdir(parents=True)
        for number in range(6_000):
            (root / f"{number}.md").write_text(f"# Ferry {number}\n\nFerry {number} is blue.\n")
        url = f"{API}/collections/{made}/uploads"
        upload = client.post(url, json={"path": "big.md", "size": len(content)}).json()["id"]
        part = content[:half]
        client.patch(f"{API}/uploads/{upload}", headers={"Upload-Offset": "0"}, content=part)
        job = client.post(f"{API}/collections/{made}/index").json()["id"]
        wait_until(lambda: client.get(f"{API}/jobs/{job}").json()["progress"]["done"] > 0)
        process.send_signal(signal.SIGKILL)
        process.wait()
    with server(folder) as (_, client):
        assert client.get(f"{API}/jobs/{job}").json()["state"] in ("running", "waiting")
        resumed = client.post(url, json={"path": "big.md", "size": len(content)}).json()
        assert (resumed["id"], resumed["received"]) == (upload, half)
        client.patch(
            f"{API}/uploads/{upload}", headers={"Upload-Offset": str(half)}, content=content[half:]
        ).raise_for_status()
        assert (root / "big.md").read_bytes() == content
        wait_until(lambda: client.get(f"{API}/jobs/{job}").json()["state"] == "done", 120)
        client.post(f"{API}/collections/{made}/index")
        shown = f"{API}/collections/{made}"
        wait_until(lambda: client.get(shown).json()["job"]["state"] == "done")
        assert client.get(shown).json()["files"] == 6_001


def test_workers_end_with_the_process_that_started_them(tmp_path: Path):
    with server(tmp_path / "state", "--workers", "2") as (process, client):
        process.kill()
        process.wait()
        wait_until(lambda: not answers(client))
