"""The assistant's line under load: batches of one assistant, and no follow-ups while many wait."""

import asyncio
import time
from collections.abc import Sequence

from seminar.assistant import Assistant
from seminar.serving.dialogues.line import BUSY, Line
from seminar.serving.dialogues.stages import Searched
from seminar.types import Answer, Dialogue, Hit, Query, Reply


class SlowReader:
    """Takes a while for each batch, and counts the questions of each."""

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def read(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[Answer]]:
        self.sizes.append(len(queries))
        time.sleep(0.02)
        return [[] for _ in queries]


class Echo:
    """Replies with the question."""

    def respond(
        self,
        dialogues: Sequence[Dialogue],
        queries: Sequence[Query],
        hits: Sequence[Sequence[Hit]],
        answers: Sequence[Sequence[Answer]],
    ) -> list[Reply]:
        return [Reply(query.text, query) for query in queries]


class Nothing:
    """Rewrites nothing and finds nothing."""

    def rewrite(self, dialogues: Sequence[Dialogue], questions: Sequence[str]) -> list[Query]:
        return [Query(question) for question in questions]

    def search(self, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        return [[] for _ in queries]


def test_line_is_busy_while_many_questions_wait():
    reader = SlowReader()
    assistant = Assistant(Nothing(), Nothing(), reader=reader, responder=Echo())

    async def ask() -> list[str]:
        line = Line(largest=4)
        assert not line.is_busy
        waiting = [
            asyncio.create_task(line.answer(assistant, Dialogue(), Searched(Query(str(number)))))
            for number in range(BUSY + 4)
        ]
        await asyncio.sleep(0.005)
        assert line.is_busy
        replies = await asyncio.gather(*waiting)
        assert not line.is_busy
        line.close()
        return [reply.text for reply in replies]

    assert asyncio.run(ask()) == [str(number) for number in range(BUSY + 4)]
    assert reader.sizes == [4] * 5


def test_questions_of_a_batch_are_searched_together():
    assistant = Assistant(Nothing(), Nothing(), reader=SlowReader(), responder=Echo())

    async def ask() -> list[str]:
        line = Line()
        found = await asyncio.gather(
            *(line.search(assistant, Dialogue(), question) for question in ("a", "b"))
        )
        line.close()
        return [one.query.text for one in found]

    assert asyncio.run(ask()) == ["a", "b"]
