"""The thread that indexes collections: one job at a time in each process."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy.orm import Session, sessionmaker

from seminar.assembly import choose_encoder, index_files, open_index
from seminar.errors import IndexBusyError, SeminarError
from seminar.file_batches import Progress
from seminar.indexing import Outcome
from seminar.ingestion.discover import Problem
from seminar.ingestion.selection import Selection
from seminar.models.encoders.registry import load_encoder
from seminar.protocols import Encoder
from seminar.retrieval.file_index import FileIndex
from seminar.serving.collections import queue
from seminar.serving.collections.cleaning import clean
from seminar.serving.collections.files import Fingerprint, fingerprint, size_of
from seminar.serving.collections.folders import (
    files_folder,
    index_folder,
    index_place,
    is_elsewhere,
)
from seminar.serving.problems import UNEXPECTED
from seminar.serving.settings import ServiceSettings
from seminar.serving.storage.engines import UNREACHABLE, reason_of
from seminar.serving.storage.schema import Collection, Job, new_id
from seminar.types import Matrix

PAUSE = 0.5  # seconds between looks for jobs of other processes
RENEWAL = 3.0
PATIENCE = 10.0  # for the current job to notice the end of the process
SLICE = 64  # passages encoded between looks whether to stop
CLEANING = 60.0
SHOWN_PROBLEMS = 200
LOCK_SECONDS = 2.0  # for another process that writes the index; then the job is postponed
POSTPONEMENTS = 40  # of a job whose index another process is writing: some five minutes

log = logging.getLogger("seminar.jobs")


class Stopped(Exception):
    """The process ends, or the job is no longer this worker's."""


@dataclass(eq=False)
class IndexWorker:
    """Takes jobs from the database until it is stopped; a job that it leaves is taken over."""

    settings: ServiceSettings
    reads: sessionmaker[Session]
    transactions: sessionmaker[Session]
    name: str = field(default_factory=new_id)
    _stopping: threading.Event = field(default_factory=threading.Event)
    _woken: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def start(self) -> None:
        self._thread = threading.Thread(target=self._run, name="indexing", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """Look for a job at once."""
        self._woken.set()

    def stop(self) -> None:
        """Leave the current job where it is, and wait for that."""
        self._stopping.set()
        self._woken.set()
        if self._thread is not None:
            self._thread.join(PATIENCE)

    def _run(self) -> None:
        pauses = 0
        while not self._stopping.is_set():
            try:
                if pauses % int(CLEANING / PAUSE) == 0:
                    clean(self.settings.folder, self.reads, self.transactions)
                if self.work_once():
                    continue
            except UNREACHABLE as error:
                log.warning("no jobs for now: %s", reason_of(error))
            except Exception:
                log.exception("the indexing thread goes on after an error")
            pauses += 1
            self._woken.wait(PAUSE)
            if self._woken.is_set():
                self._woken.clear()
                pauses = 0

    def work_once(self) -> bool:
        """Do one job, if there is one."""
        with self.reads() as session:
            if session.query(Job.id).filter(queue.is_free()).first() is None:
                return False
        with self.transactions.begin() as session:
            job = queue.claim(session, self.name)
            if job is None:
                return False
            collection = session.get_one(Collection, job.collection_id)
        _Run(self, job, collection).run()
        return True


@dataclass(eq=False)
class _Run:
    """One job: indexing in this thread, renewal of the lease in another."""

    worker: IndexWorker
    job: Job
    collection: Collection
    progress: dict[str, Any] = field(default_factory=dict)
    _ended: threading.Event = field(default_factory=threading.Event)
    _lost: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        renewal = threading.Thread(target=self._renew, name="lease", daemon=True)
        renewal.start()
        try:
            while not self._index():
                pass
        except Stopped:
            self._release()
        except IndexBusyError as error:  # a process that hangs may hold the lock of a lost job
            self._postpone(str(error))
        except (SeminarError, OSError) as error:
            self._fail(str(error))
        except Exception:
            log.exception("job %s failed", self.job.id)
            self._fail(UNEXPECTED)
        finally:
            self._ended.set()
            renewal.join()

    def _index(self) -> bool:
        """Index once; False if files changed meanwhile, so that it is to be done again."""
        if is_elsewhere(self.collection):
            return self._look()
        folder = self.worker.settings.folder
        index = index_folder(folder, self.collection.id)
        paths = [self.root]
        before = fingerprint(self.root)
        selection = Selection(code=self.collection.path is None)  # uploaded code is meant
        chosen = self.worker.settings.assistant.encoder
        encoder = load_encoder(choose_encoder(chosen, paths, index, selection=selection))
        store, outcome = index_files(
            paths,
            index,
            _Stoppable(encoder, self.check),
            options=self.worker.settings.assistant.reading,
            selection=selection,
            forget=self.forgets,
            watch=self._watch,
            timeout=LOCK_SECONDS,
        )
        return self._publish(store, outcome, before)

    def _look(self) -> bool:
        """Take up what others published of an index at a URL; requests open it again."""
        store = open_index(index_place(self.worker.settings.folder, self.collection))
        result = {**self.progress, **_summary(store, ())}
        with self.worker.transactions.begin() as session:
            args = session, self.job.id, self.worker.name
            collection = queue.finish(*args, progress=result)
            if collection is not None:
                collection.version += 1
                collection.encoder = store.encoder_name
        return True

    @property
    def forgets(self) -> bool:
        """Whether to forget all files that are gone: uploads are deleted only by their users."""
        return self.collection.path is None or bool(self.job.progress.get("forget"))

    @property
    def root(self) -> Path:
        if self.collection.path is not None:
            return Path(self.collection.path)
        folder = files_folder(self.worker.settings.folder, self.collection.id)
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def _publish(self, store: FileIndex, outcome: Outcome, before: Fingerprint) -> bool:
        """End the job, unless there are further changes; whoever asks for it meanwhile waits."""
        result = {**self.progress, **_summary(store, outcome.problems)}
        with self.worker.transactions.begin() as session:
            collection = queue.finish(session, self.job.id, self.worker.name, progress=result)
            if collection is None:
                return True
            if fingerprint(self.root) != before:
                session.rollback()
                return False
            collection.version += 1
            collection.encoder = store.encoder_name
            collection.size = 0 if collection.path else size_of(self.root)
        return True

    def check(self) -> None:
        """Raise an error if the work is to stop."""
        if self.worker._stopping.is_set() or self._lost.is_set():
            raise Stopped

    def _watch(self, step: Progress) -> None:
        self.check()
        self.progress = {
            "done": step.done_bytes,
            "total": step.total_bytes,
            "stage": "reading" if step.source else "writing",
            "file": step.source,
            "passages_read": step.passages,
            "forget": bool(self.job.progress.get("forget")),
        }

    def _renew(self) -> None:
        """Renew the lease and write down the progress, until the job ends or is lost."""
        pause = 0.3  # short at first, for small collections
        renewed = time.monotonic()
        while not self._ended.wait(pause):
            pause = min(2 * pause, RENEWAL)
            if time.monotonic() - renewed > queue.LEASE.total_seconds():
                self._lost.set()  # by now another process has it
                return
            try:
                with self.worker.transactions.begin() as session:
                    args = self.job.id, self.worker.name, self.progress
                    if not queue.renew(session, *args):
                        self._lost.set()
                        return
                renewed = time.monotonic()
            except UNREACHABLE as error:
                log.warning("the lease of a job was not renewed: %s", reason_of(error))
            except Exception:
                log.exception("the lease of job %s was not renewed", self.job.id)

    def _release(self) -> None:
        with self.worker.transactions.begin() as session:
            queue.release(session, self.job.id, self.worker.name)

    def _postpone(self, reason: str) -> None:
        """Leave the job to be taken again later, unless that was done often enough."""
        times = int(self.job.progress.get("postponed", 0)) + 1
        if times > POSTPONEMENTS:
            self._fail(reason)
            return
        waiting = {
            **self.job.progress,
            **self.progress,
            "stage": "waiting for another process",
            "postponed": times,
        }
        with self.worker.transactions.begin() as session:
            queue.postpone(session, self.job.id, self.worker.name, waiting)

    def _fail(self, reason: str) -> None:
        with self.worker.transactions.begin() as session:
            queue.finish(
                session, self.job.id, self.worker.name, progress=self.progress, error=reason
            )


def _summary(store: FileIndex, problems: Sequence[Problem]) -> dict[str, object]:
    """What a finished job says of its collection."""
    return {
        "stage": "done",
        "file": "",
        "files": sum(1 for file in store.files().values() if file.passages),
        "passages": store.count(),
        "problems": len(problems),
        "not_read": [
            {"source": problem.source, "reason": problem.reason}
            for problem in problems[:SHOWN_PROBLEMS]
        ],
    }


class _Stoppable:
    """An encoder that looks between slices whether it is to stop."""

    def __init__(self, encoder: Encoder, check: Callable[[], None]) -> None:
        self._encoder = encoder
        self._check = check
        self.name, self.dimensions = encoder.name, encoder.dimensions

    def encode(self, texts: Sequence[str]) -> Matrix:
        slices = [np.empty((0, self.dimensions), dtype=np.float32)]
        for start in range(0, len(texts), SLICE):
            self._check()
            slices.append(self._encoder.encode(texts[start : start + SLICE]))
        return np.concatenate(slices)
