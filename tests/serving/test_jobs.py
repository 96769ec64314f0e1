"""Jobs of indexing: progress as events, leases between processes, failures that are told."""

import json
import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session, sessionmaker

from seminar.assembly import open_index
from seminar.serving.collections import queue
from seminar.serving.collections.folders import files_folder, index_folder
from seminar.serving.collections.indexing import POSTPONEMENTS
from seminar.serving.settings import ServiceSettings
from seminar.serving.storage.engines import open_engine
from seminar.serving.storage.migrating import migrate
from seminar.serving.storage.schema import Account, Collection, Job, now
from tests.serving.conftest import ASSISTANT, Service, running, wait_until
from tests.serving.test_collections import API, create, index, upload

TEXT = "# Tides {0}\n\n" + "The tide number {0} turns at nine o'clock in the morning. " * 20


@pytest.fixture
def transactions(database: str) -> Iterator[sessionmaker[Session]]:
    """Transactions of a database with one collection, "c"."""
    engine = open_engine(database)
    migrate(engine)
    made = sessionmaker(engine, expire_on_commit=False)
    with made.begin() as session:
        session.add(Account(id="a", name="Ada"))
        session.flush()
        session.add(Collection(id="c", owner_id="a", name="Tides"))
    yield made
    engine.dispose()


def enqueue(transactions: sessionmaker[Session]) -> Job:
    with transactions.begin() as session:
        return queue.enqueue(session, "c")


def claim(transactions: sessionmaker[Session], worker: str) -> Job | None:
    with transactions.begin() as session:
        return queue.claim(session, worker)


def test_a_job_that_waits_or_runs_is_not_asked_for_twice(transactions: sessionmaker[Session]):
    job = enqueue(transactions)
    assert enqueue(transactions).id == job.id
    claim(transactions, "one")
    assert enqueue(transactions).id == job.id
    with transactions.begin() as session:
        queue.finish(session, job.id, "one", progress={})
    assert enqueue(transactions).id != job.id


def test_one_worker_gets_a_job(transactions: sessionmaker[Session]):
    job = enqueue(transactions)
    found: list[Job | None] = []
    threads = [
        threading.Thread(target=lambda name=name: found.append(claim(transactions, name)))
        for name in ("one", "two", "three", "four")
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [one.id for one in found if one] == [job.id]


def test_a_job_is_taken_over_when_its_lease_has_ended(transactions: sessionmaker[Session]):
    job = enqueue(transactions)
    claim(transactions, "one")
    assert claim(transactions, "two") is None
    with transactions.begin() as session:
        session.get_one(Job, job.id).lease = now() - timedelta(seconds=1)
    taken = claim(transactions, "two")
    assert taken is not None
    assert taken.worker == "two"
    with transactions.begin() as session:
        assert not queue.renew(session, job.id, "one", {})
        assert queue.finish(session, job.id, "one", progress={}) is None
        assert queue.renew(session, job.id, "two", {"done": 1})


def test_a_released_job_is_taken_at_once(transactions: sessionmaker[Session]):
    job = enqueue(transactions)
    claim(transactions, "one")
    with transactions.begin() as session:
        queue.release(session, job.id, "one")
    taken = claim(transactions, "two")
    assert taken is not None
    assert taken.id == job.id


def test_a_postponed_job_is_taken_again_later(transactions: sessionmaker[Session]):
    job = enqueue(transactions)
    claim(transactions, "one")
    with transactions.begin() as session:
        queue.postpone(session, job.id, "one", {"postponed": 1})
        assert not queue.renew(session, job.id, "one", {})
    assert claim(transactions, "two") is None
    with transactions.begin() as session:
        session.get_one(Job, job.id).lease = now() - timedelta(seconds=1)
    taken = claim(transactions, "two")
    assert taken is not None
    assert taken.progress == {"postponed": 1}


def test_jobs_of_a_deleted_collection_are_not_taken(transactions: sessionmaker[Session]):
    job = enqueue(transactions)
    with transactions.begin() as session:
        session.get_one(Collection, "c").deleted = now()
    assert claim(transactions, "one") is None
    with transactions.begin() as session:
        assert not queue.renew(session, job.id, "one", {})


def test_old_jobs_are_forgotten(transactions: sessionmaker[Session]):
    for _ in range(queue.KEPT + 3):
        job = enqueue(transactions)
        claim(transactions, "one")
        with transactions.begin() as session:
            queue.finish(session, job.id, "one", progress={})
    with transactions() as session:
        kept = session.scalars(select(Job.id)).all()
    assert len(kept) == queue.KEPT
    assert job.id in kept


def test_progress_is_sent_until_a_job_is_done(service: Service):
    made = str(create(service, "Progress")["id"])
    for number in range(20):
        upload(service, made, f"{number}.md", TEXT.format(number).encode())
    job = service.client.post(f"{API}/collections/{made}/index").json()
    assert job["state"] in ("waiting", "running")
    with service.client.stream("GET", f"{API}/jobs/{job['id']}/events") as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        lines = [line for line in response.iter_lines() if line]
    names = [line.removeprefix("event: ") for line in lines if line.startswith("event: ")]
    assert set(names[:-1]) <= {"progress"}
    assert names[-1] == "done"
    last = json.loads(lines[-1].removeprefix("data: "))
    assert last["progress"]["done"] == last["progress"]["total"] > 0
    assert last["progress"]["stage"] == "done"


def test_an_unknown_job_is_not_found(service: Service):
    for path in ("", "/events"):
        assert service.client.get(f"{API}/jobs/{'0' * 32}{path}").status_code == 404


def test_every_version_is_opened_anew_and_requests_keep_theirs(service: Service):
    made = str(create(service, "Versions")["id"])
    upload(service, made, "a.md", TEXT.format(1).encode())
    index(service, made)
    with service.state.reads() as session:
        first = session.get_one(Collection, made)
    opened = service.state.collections.open(first)
    assert service.state.collections.open(first) is opened
    upload(service, made, "b.md", TEXT.format(2).encode())
    index(service, made)
    with service.state.reads() as session:
        second = session.get_one(Collection, made)
    assert second.version == first.version + 1
    assert service.state.collections.open(second).sources == ["a.md", "b.md"]
    assert opened.assistant.reader is not None


def test_files_that_come_while_a_job_runs_are_indexed_by_it(service: Service):
    made = str(create(service, "Late")["id"])
    for number in range(40):
        upload(service, made, f"{number}.md", TEXT.format(number).encode())
    job = service.client.post(f"{API}/collections/{made}/index").json()
    url = f"{API}/jobs/{job['id']}"
    wait_until(lambda: service.client.get(url).json()["state"] != "waiting")
    upload(service, made, "late.md", TEXT.format("late").encode())
    again = service.client.post(f"{API}/collections/{made}/index").json()
    service.wait_for_index(made)
    shown = service.client.get(f"{API}/collections/{made}").json()
    assert shown["files"] == 41
    assert again["id"] in (job["id"], shown["job"]["id"])


def test_a_folder_that_is_gone_fails_with_its_name(service: Service, tmp_path: Path):
    with service.state.transactions.begin() as session:
        owner = session.scalars(select(Account.id)).first()
        collection = Collection(owner_id=owner, name="Gone", path=str(tmp_path / "gone"))
        session.add(collection)
        session.flush()
        job = queue.enqueue(session, collection.id)
    service.state.jobs.wake()
    url = f"{API}/jobs/{job.id}"
    wait_until(lambda: service.client.get(url).json()["state"] == "failed")
    assert service.client.get(url).json()["error"] == (
        f"{tmp_path / 'gone'}: no such file or folder"
    )
    service.client.delete(f"{API}/collections/{collection.id}")


def test_a_stopped_service_leaves_its_job_to_the_next_start(tmp_path: Path):
    settings = ServiceSettings(folder=tmp_path / "state", assistant=ASSISTANT)
    with running(settings) as first:
        made = str(create(first, "Many")["id"])
        root = files_folder(settings.folder, made)
        root.mkdir(parents=True)
        for number in range(400):
            (root / f"{number}.md").write_text(TEXT.format(number))
        job = first.client.post(f"{API}/collections/{made}/index").json()
        url = f"{API}/jobs/{job['id']}"
        wait_until(lambda: first.client.get(url).json()["state"] == "running")
    with running(settings) as second:
        with second.state.reads() as session:
            assert session.get_one(Job, job["id"]).state in ("waiting", "running", "done")
        wait_until(lambda: second.client.get(url).json()["state"] == "done")
        assert second.client.get(f"{API}/collections/{made}").json()["files"] == 400


def test_an_index_that_another_process_writes_is_waited_for(service: Service):
    made = str(create(service, "Held")["id"])
    upload(service, made, "a.md", TEXT.format(1).encode())
    index(service, made)
    held = open_index(index_folder(service.state.settings.folder, made))
    upload(service, made, "b.md", TEXT.format(2).encode())
    with held.writer():
        job = service.client.post(f"{API}/collections/{made}/index").json()
        url = f"{API}/jobs/{job['id']}"
        stage = "waiting for another process"
        wait_until(lambda: service.client.get(url).json()["progress"]["stage"] == stage)
        assert service.client.get(url).json()["state"] == "running"
    service.wait_for_index(made)
    assert service.client.get(f"{API}/collections/{made}").json()["files"] == 2


def test_a_job_fails_when_its_index_is_never_free(service: Service):
    made = str(create(service, "Never")["id"])
    upload(service, made, "a.md", TEXT.format(1).encode())
    index(service, made)
    held = open_index(index_folder(service.state.settings.folder, made))
    upload(service, made, "b.md", TEXT.format(2).encode())
    with held.writer():
        with service.state.transactions.begin() as session:
            job = queue.enqueue(session, made)
            job.progress = {"postponed": POSTPONEMENTS}
        service.state.jobs.wake()
        url = f"{API}/jobs/{job.id}"
        wait_until(lambda: service.client.get(url).json()["state"] == "failed")
        assert "is being written by process" in service.client.get(url).json()["error"]
