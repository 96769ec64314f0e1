"""Backups restore into either kind of database, and a hostile archive does no harm."""

import gzip
import io
import json
import re
import tarfile
from pathlib import Path

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from seminar.errors import SeminarError
from seminar.serving import upkeep
from seminar.serving.settings import ServiceSettings
from seminar.serving.storage.engines import open_engine
from seminar.serving.storage.migrating import migrate, newest_revision
from seminar.serving.storage.schema import (
    Account,
    AuditEntry,
    Collection,
    Job,
    LoginSession,
    StoredDialogue,
    StoredTurn,
    Table,
    now,
)
from tests.serving.conftest import new_database

REPLY = {"text": "At nine o'clock.", "hits": [{"score": 0.5}], "affirmation": None, "é": "ü"}


def fill(settings: ServiceSettings) -> None:
    """An account with a session, a collection, a dialogue with a turn, a running job."""
    settings.folder.mkdir()
    engine = open_engine(settings.database_url)
    migrate(engine)
    with Session(engine) as session, session.begin():
        session.add(Account(id="a", name="Ada", is_admin=True))
        session.flush()
        session.add(Collection(id="c", owner_id="a", name="Tides", size=3, version=4))
        session.add(
            LoginSession(account_id="a", secret_hash=b"\0\xff" * 16, csrf="x", expires=now())
        )
        session.add(AuditEntry(action="collection.created", target="c", details={"n": 1}))
        session.flush()
        session.add(StoredDialogue(id="d", account_id="a", collection_id="c", title="When?"))
        session.add(Job(collection_id="c", state="running", worker="gone"))
        session.flush()
        session.add(StoredTurn(dialogue_id="d", number=1, question="When?", reply=REPLY))
    engine.dispose()
    for name, content in (("collections/c/files/a/b.md", b"abc"), ("uploads/u", b"part")):
        path = settings.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (settings.folder / "collections/c/index").mkdir()


def rows(settings: ServiceSettings) -> dict[str, list[dict[str, object]]]:
    """Every row of every table but jobs."""
    engine = open_engine(settings.database_url)
    with Session(engine) as session:
        found = {
            table.name: [dict(row) for row in session.execute(select(table)).mappings()]
            for table in Table.metadata.sorted_tables
            if table.name != "jobs"
        }
    engine.dispose()
    return found


@pytest.mark.parametrize(
    ("kind", "other"),
    [("sqlite", "sqlite"), ("sqlite", "postgresql"), ("postgresql", "sqlite")],
)
def test_a_backup_restores(request: pytest.FixtureRequest, tmp_path: Path, kind: str, other: str):
    first = ServiceSettings(
        folder=tmp_path / "first", database=new_database(request, tmp_path, kind)
    )
    second = ServiceSettings(
        folder=tmp_path / "second", database=new_database(request, tmp_path, other)
    )
    fill(first)
    assert upkeep.back_up(first, tmp_path / "b.tar.gz") == (tmp_path / "b.tar.gz").stat().st_size
    upkeep.restore(second, tmp_path / "b.tar.gz")
    assert rows(second) == rows(first)
    files = {
        path.relative_to(second.folder).as_posix(): path.read_bytes()
        for path in second.folder.rglob("*")
        if path.is_file() and "sqlite" not in path.name
    }
    assert files == {"collections/c/files/a/b.md": b"abc", "uploads/u": b"part"}
    engine = open_engine(second.database_url)
    with Session(engine) as session, session.begin():
        [job] = session.scalars(select(Job))
        assert (job.state, job.collection_id) == ("waiting", "c")
        session.add(AuditEntry(action="next"))  # gets a number of its own
    engine.dispose()


@pytest.fixture
def empty(tmp_path: Path) -> ServiceSettings:
    return ServiceSettings(folder=tmp_path / "state")


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    """A backup of a filled service."""
    filled = ServiceSettings(folder=tmp_path / "filled")
    fill(filled)
    upkeep.back_up(filled, tmp_path / "backup.tar.gz")
    return tmp_path / "backup.tar.gz"


def test_nothing_is_restored_over_something(backup: Path, tmp_path: Path):
    filled = ServiceSettings(folder=tmp_path / "filled")
    before = rows(filled)
    with pytest.raises(SeminarError, match="there is something in"):
        upkeep.restore(filled, backup)
    assert rows(filled) == before
    assert (filled.folder / "collections/c/files/a/b.md").read_bytes() == b"abc"


def test_a_backup_is_not_written_over_a_file(backup: Path, tmp_path: Path):
    before = backup.read_bytes()
    with pytest.raises(SeminarError, match="exists already"):
        upkeep.back_up(ServiceSettings(folder=tmp_path / "filled"), backup)
    assert backup.read_bytes() == before


def test_a_folder_without_a_service_is_not_backed_up(empty: ServiceSettings, tmp_path: Path):
    with pytest.raises(SeminarError, match="there is no service in"):
        upkeep.back_up(empty, tmp_path / "b.tar.gz")


def test_a_cut_off_backup_restores_nothing(backup: Path, empty: ServiceSettings):
    backup.write_bytes(backup.read_bytes()[:-200])
    with pytest.raises(SeminarError, match="damaged"):
        upkeep.restore(empty, backup)
    assert not any(rows(empty).values())
    assert not (empty.folder / "collections").exists()


def test_a_file_that_is_no_backup_is_named(tmp_path: Path, empty: ServiceSettings):
    other = tmp_path / "other.tar.gz"
    other.write_bytes(gzip.compress(b"no archive"))
    with pytest.raises(SeminarError, match=r"other\.tar\.gz: not a backup"):
        upkeep.restore(empty, other)


def entry(name: str, content: bytes = b"", **fields: object) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.size = len(content)
    for field, value in fields.items():
        setattr(info, field, value)
    return info, content


DESCRIPTION = json.dumps({"format": 1, "revision": newest_revision()}).encode()
HOSTILE = {
    "outside the destination": entry("collections/../../out.md", b"x"),
    "unexpected entry '/tmp/out.md'": entry("/tmp/out.md", b"x"),
    "unexpected entry 'collections/c'": entry("collections/c", type=tarfile.SYMTYPE, linkname="/"),
    "unexpected entry 'uploads/hard'": entry(
        "uploads/hard", type=tarfile.LNKTYPE, linkname="/etc/passwd"
    ),
    "unexpected entry 'uploads/device'": entry("uploads/device", type=tarfile.CHRTYPE),
    "unexpected entry 'service.sqlite'": entry("service.sqlite", b"x"),
    "no table for 'tables/sqlite_master": entry("tables/sqlite_master.jsonl", b"{}\n"),
    "no column 'x; DROP'": entry("tables/groups.jsonl", b'{"id": "g", "x; DROP": 1}\n'),
    "Expecting property name": entry("tables/groups.jsonl", b"{\n"),
    "is no object": entry("tables/groups.jsonl", b"[1]\n"),
    "cut off": entry("tables/groups.jsonl", b'{"id": "g", "name": "x"}'),
    "NOT NULL": entry("tables/groups.jsonl", b'{"id": "g", "name": null}\n'),
    "FOREIGN KEY": entry("tables/memberships.jsonl", b'{"group_id": "g", "account_id": "a"}\n'),
}


@pytest.mark.parametrize("reason", HOSTILE)
def test_a_hostile_archive_is_refused(reason: str, empty: ServiceSettings, tmp_path: Path):
    file = tmp_path / "hostile.tar.gz"
    with tarfile.open(file, "w:gz") as archive:
        for info, content in [entry("backup.json", DESCRIPTION), HOSTILE[reason]]:
            archive.addfile(info, io.BytesIO(content))
    with pytest.raises(SeminarError, match=f"not a backup, or damaged: .*{re.escape(reason)}"):
        upkeep.restore(empty, file)
    assert not (tmp_path / "out.md").exists()
    assert not any(rows(empty).values())
    assert [path.name for path in empty.folder.iterdir() if "sqlite" not in path.name] == []


def test_a_backup_of_another_schema_is_refused(empty: ServiceSettings, tmp_path: Path):
    file = tmp_path / "old.tar.gz"
    with tarfile.open(file, "w:gz") as archive:
        info, content = entry("backup.json", b'{"format": 1, "revision": "0000"}')
        archive.addfile(info, io.BytesIO(content))
    with pytest.raises(SeminarError, match="restore it with the version of Seminar that made it"):
        upkeep.restore(empty, file)
