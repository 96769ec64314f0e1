"""The reader's own answers to QAConv's written questions: where all answers differ, others verify.

The paper compares the answers of writer, generator and existing models (section 2.1.4).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from sqlalchemy.exc import SQLAlchemyError

from seminar.collection.assistant.page_reading import Area, PageReader
from seminar.collection.corpus.records import Chunk, Page
from seminar.collection.live.standing import so_far
from seminar.collection.storage.database import Database
from seminar.collection.storage.questions import add_reader_answer
from seminar.collection.study.loading import Study

log = logging.getLogger("seminar.collection")


class QuestionReader:
    """Answers each kept question from its chunk, also those of an earlier process."""

    def __init__(
        self, study: Study, database: Database, reader: PageReader, told: Callable[[], None]
    ) -> None:
        self._study, self._database, self._reader = study, database, reader
        self._told = told
        self._written = asyncio.Event()
        self._written.set()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="study-question-reader")

    def look(self) -> None:
        """Read what was written since."""
        self._written.set()

    async def run(self) -> None:
        """Answer the questions that wait, again and again."""
        while True:
            await self._written.wait()
            self._written.clear()
            try:
                await self._read_what_waits()
            except SQLAlchemyError:
                log.exception("answers of the reader could not be kept")

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _read_what_waits(self) -> None:
        known = await self._database.read(lambda session: so_far(session, self._study))
        for dialog in known.questions.unread(known.dialogs):
            chunk = self._study.index.chunks[dialog.subject]
            answer = await self._answered(known.questions.written[dialog.id].question, chunk)
            keep = partial(add_reader_answer, dialog=dialog.id, answer=answer)
            await self._database.write(keep)
            self._told()

    async def _answered(self, question: str, chunk: Chunk) -> str:
        page = Page(chunk.id, chunk.title, chunk.text)
        loop = asyncio.get_running_loop()
        found = await loop.run_in_executor(
            self._thread, self._reader.answer, question, (), (Area.whole(page),)
        )
        return found.text.strip() if found else ""
