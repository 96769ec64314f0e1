"""Indexes on object storage beyond the contract: faults of the storage, leases, one-line errors."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("moto")

from seminar.assembly import create_index, open_files, open_index, verify_index
from seminar.cli.main import run
from seminar.errors import IndexBusyError, IndexStoreError, SeminarError
from seminar.index_url import IndexUrl
from seminar.retrieval.engines.engine import Description
from seminar.retrieval.engines.lance.object_catalog import ObjectCatalog, connect
from seminar.retrieval.engines.lance.object_lease import KEY, Holder, Lease
from tests.fakes import FakeEncoder
from tests.retrieval.file_contract import matches, put, text_file
from tests.s3_server import Fault, Storage, storage

ENCODER = FakeEncoder()
WRITER_THAT_DIES = """
import os, sys
from seminar.assembly import create_index
from seminar.index_url import IndexUrl
from tests.retrieval.file_contract import ENCODER, put, text_file
index = create_index(IndexUrl(sys.argv[1]), ENCODER)
with index.writer() as writer:
    put(writer, text_file("b.md", "red bridge"))
    writer._flush()
    os._exit(9)
"""


@pytest.fixture(scope="module")
def server() -> Iterator[Storage]:
    with storage() as running:
        yield running


@pytest.fixture
def place(server: Storage) -> Iterator[IndexUrl]:
    """The URL of an index with one file."""
    place = server.new_place()
    with create_index(place, ENCODER).writer() as writer:
        put(writer, text_file("a.md", "red tower"))
    yield place
    server.fault = lambda method, path: ""


def faults(server: Storage, kind: str, *, of: str, times: int) -> list[str]:
    """Let the next puts of paths that contain a text fail; returns those that did."""
    met: list[str] = []

    def fault(method: str, path: str) -> str:
        if method in ("PUT", "POST") and of in path and len(met) < times:
            met.append(path)
            return kind
        return ""

    named: Fault = fault
    server.fault = named
    return met


def test_index_on_storage_is_asked_and_checked_like_a_folder(
    server: Storage, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "choir.md").write_text("# Choir\n\nThe choir was founded in 1979 by Ann Lee.\n")
    place = str(server.new_place())
    paths = [str(tmp_path / "choir.md"), "--to", place, "--encoder", "static"]
    run(["index", *paths])
    assert f"1 files read, 0 kept, 0 removed: 1 passages in {place}" in capsys.readouterr().out
    run(["index", *paths])
    assert "0 files read, 1 kept" in capsys.readouterr().out
    opened = open_files([IndexUrl(place)])
    assert opened.sources == ["choir.md"]
    assert verify_index(IndexUrl(place)) == []


@pytest.mark.parametrize("kind", ["error", "slow", "cut"])
@pytest.mark.parametrize("of", ["catalog.lance/_versions", "passages.lance/data"])
def test_passing_faults_of_the_storage_lose_nothing(
    server: Storage, place: IndexUrl, kind: str, of: str
):
    index = open_index(place)
    met = faults(server, kind, of=of, times=1)
    with index.writer() as writer:
        put(writer, text_file("b.md", "red bridge"))
    assert len(met) == 1
    reopened = open_index(place)
    assert matches(reopened, "red") == ["red bridge", "red tower"]
    assert set(reopened.files()) == {"a.md", "b.md"}


@pytest.mark.parametrize("of", ["catalog.lance/_versions", "passages.lance"])
def test_full_storage_is_one_line_and_keeps_what_was_published(
    server: Storage, place: IndexUrl, of: str
):
    index = open_index(place)

    def write() -> None:
        with index.writer() as writer:
            faults(server, "full", of=of, times=1_000)
            put(writer, text_file("b.md", "red bridge"))

    with pytest.raises(IndexStoreError, match="the storage is full") as caught:
        write()
    assert "\n" not in str(caught.value)
    server.fault = lambda method, path: ""
    assert matches(open_index(place), "red") == ["red tower"]


def test_writer_that_died_is_succeeded_and_leaves_nothing(place: IndexUrl):
    done = subprocess.run([sys.executable, "-c", WRITER_THAT_DIES, str(place)], env=os.environ)
    assert done.returncode == 9
    index = open_index(place)
    assert matches(index, "red") == ["red tower"]
    with (
        pytest.raises(IndexBusyError, match=r"being written by process \d+ on"),
        index.writer(timeout=0.1),
    ):
        pass
    catalog = ObjectCatalog(connect(place), place)
    left = catalog.get(KEY, Holder)
    assert left is not None
    minute_ago = Holder(left.token, left.process, time.time() - 61)
    assert catalog.replace(KEY, catalog.value(KEY), minute_ago)
    with index.writer(timeout=0.1) as writer:
        put(writer, text_file("c.md", "red crane"))
    assert matches(index, "red") == ["red crane", "red tower"]


def test_writer_that_lost_its_lease_is_told(place: IndexUrl):
    catalog = ObjectCatalog(connect(place), place)
    stopped, other = Lease(catalog, seconds=0.2), Lease(catalog, seconds=60)
    with stopped.held(timeout=1):
        stopped.check()
        time.sleep(0.3)
        successor = Lease(catalog, seconds=0.2)
        with successor.held(timeout=5):
            with pytest.raises(IndexStoreError, match="another process took over writing"):
                stopped.check()
            with pytest.raises(IndexBusyError), other.held(timeout=0):
                pass


def test_interrupted_creation_is_completed(server: Storage):
    place = server.new_place()
    ObjectCatalog(connect(place), place).create({KEY: Holder()})
    with pytest.raises(IndexStoreError, match=r"was not made completely. Make it again"):
        open_index(place)
    assert create_index(place, ENCODER).count() == 0


def test_newer_format_is_one_line(place: IndexUrl):
    ObjectCatalog(connect(place), place).describe(Description(99, "fake", 64))
    with pytest.raises(IndexStoreError, match=r"has format 99, newer than the 1 .* Upgrade"):
        open_index(place)


def test_changed_catalog_is_damage(place: IndexUrl):
    catalog = ObjectCatalog(connect(place), place)
    value = catalog.value("description")
    catalog.table().update(where="key = 'description'", values={"value": value[:-1] + " }"})
    with pytest.raises(IndexStoreError, match=r"is damaged \(the value 'description'"):
        open_index(place)


def test_other_encoder_is_refused(place: IndexUrl):
    with pytest.raises(IndexStoreError, match=r"encoder 'fake' .* not 'fake' \(8\)"):
        create_index(place, FakeEncoder(dimensions=8))


def refusal(place: IndexUrl) -> str:
    with pytest.raises(SeminarError) as caught:
        open_files([place])
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_missing_index_and_bucket_are_one_line(server: Storage):
    assert "there is no index at s3://seminar/none. Make one" in refusal(
        IndexUrl("s3://seminar/none")
    )
    assert "there is no such bucket" in refusal(IndexUrl("s3://nobucket/none"))


def test_refused_access_is_one_line(server: Storage, place: IndexUrl):
    server.fault = lambda method, path: "denied"
    assert "access is denied. Check the credentials" in refusal(place)


def test_unreachable_storage_is_one_line(place: IndexUrl, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    assert "the storage can't be reached. Check the network" in refusal(place)


def test_missing_credentials_are_one_line(place: IndexUrl, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    assert "no credentials. Name them" in refusal(place)
