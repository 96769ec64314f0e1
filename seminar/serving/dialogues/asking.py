"""Asking in a stored dialogue: search, answer, store, then follow-ups, each sent when it is there.

Only the database remembers a conversation. A turn is stored before its answer is sent, also if the
asker has gone in the meantime.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace

from anyio import to_thread
from sqlalchemy.orm import Session, sessionmaker

from seminar.assembly import Opened
from seminar.assistant import Assistant
from seminar.dialogue_files import check_question
from seminar.serving.dialogues import store
from seminar.serving.dialogues.assistants import Assistants
from seminar.serving.dialogues.line import Line
from seminar.serving.dialogues.memory import Moment, RecentDialogues
from seminar.serving.dialogues.one_by_one import Turns
from seminar.serving.dialogues.records import Record, stored_reply, turn_record
from seminar.serving.dialogues.restoring import StoredPair, restore
from seminar.serving.dialogues.stages import Searched
from seminar.serving.dialogues.writing import Writing
from seminar.serving.identity.callers import Caller
from seminar.serving.identity.sharing import collection_of
from seminar.serving.observing.metrics import WAITING
from seminar.serving.observing.tracing import stage
from seminar.serving.problems import Problem
from seminar.serving.storage.schema import NAME_LENGTH, StoredTurn, now
from seminar.types import Dialogue, Reply, Turn

LONGEST_QUESTION = 4_000  # characters
TRIES = 3  # where another process adds a turn to the same dialogue first

Event = tuple[str, Record]


def checked_question(text: str) -> str:
    """A question that can be asked, or the error that says why not."""
    if len(text) > LONGEST_QUESTION:
        raise Problem(
            422,
            f"The question has {len(text):,} characters; ask in at most {LONGEST_QUESTION:,}. "
            "Longer texts can be uploaded as a file.",
        )
    return check_question(text.replace("\0", " "))


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a caller in a dialogue, with the client's idempotency key, if any."""

    caller: Caller
    dialogue: str
    text: str
    key: str | None = None


@dataclass(frozen=True, slots=True)
class _Begun:
    """What a question is answered from: the assistant, the dialogue so far, the next number."""

    assistant: Assistant
    version: int
    before: Dialogue
    number: int


@dataclass(frozen=True, slots=True)
class _Answered:
    """A stored turn, and what its follow-ups are found from."""

    begun: _Begun
    turn: StoredTurn
    moment: Moment
    reply: Reply


class Asking:
    """Answers questions in stored dialogues."""

    def __init__(
        self,
        reads: sessionmaker[Session],
        transactions: sessionmaker[Session],
        assistants: Assistants,
        line: Line,
    ) -> None:
        self._reads = reads
        self._transactions = transactions
        self.assistants = assistants
        self.line = line
        self.writing = Writing()
        self._recent = RecentDialogues()
        self._turns = Turns()
        self._running: set[asyncio.Task[_Answered]] = set()

    async def ask(self, question: Question) -> AsyncIterator[Event]:
        """The stages of a turn as they come; errors of the request come before the first one."""
        question = replace(question, text=checked_question(question.text))
        if question.key is not None and not 0 < len(question.key) <= NAME_LENGTH:
            raise Problem(422, f"Idempotency-Key: send 1 to {NAME_LENGTH} characters.")
        stages_seen: asyncio.Queue[Event | None] = asyncio.Queue()
        task = asyncio.create_task(self._answer(question, stages_seen.put_nowait))
        self._running.add(task)
        task.add_done_callback(lambda done: self._end(done, stages_seen))
        while (event := await stages_seen.get()) is not None:
            yield event
        answered = task.result()
        yield "answer", {**answered.turn.reply, "number": answered.turn.number}
        reply = await self._suggest(question, answered)
        yield "followups", {"followups": reply["followups"]}
        turn = await to_thread.run_sync(self._whole_turn, question, answered.turn.number)
        yield "done", turn

    async def finish(self) -> None:
        """Wait for the answers that are being found, so that they are stored."""
        if self._running:
            await asyncio.wait(self._running, timeout=30)
        self.line.close()

    def _end(self, task: asyncio.Task[_Answered], seen: asyncio.Queue[Event | None]) -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # looked at, even if nobody waits for it any more
        seen.put_nowait(None)

    async def _answer(self, question: Question, send: Callable[[Event], None]) -> _Answered:
        """Answer a question and store the turn; questions of one dialogue one after the other."""
        with WAITING.track_inprogress():
            return await self._answer_in_turn(question, send)

    async def _answer_in_turn(self, question: Question, send: Callable[[Event], None]) -> _Answered:
        async with self._turns.of(question.dialogue):
            for _ in range(TRIES):
                began = time.perf_counter()
                begun = await to_thread.run_sync(self._begin, question)
                if isinstance(begun, _Answered):  # asked before, with the same key
                    send(("searched", _searched_again(begun.turn.reply)))
                    return begun
                with stage("search"):
                    searched = await self.line.search(begun.assistant, begun.before, question.text)
                send(("searched", _searched_record(searched)))
                found = time.perf_counter()
                with stage("answer"):
                    reply = await self.line.answer(begun.assistant, begun.before, searched)
                seconds = {"search": found - began, "answer": time.perf_counter() - found}
                if begun.assistant.writer is not None:
                    send(("quick", stored_reply(question.text, reply, seconds)))
                    with stage("write"):
                        reply, seconds["write"] = await self.writing.write(
                            begun.assistant, begun.before, reply, send
                        )
                try:
                    return await to_thread.run_sync(self._store, question, begun, reply, seconds)
                except store.NumberTaken:
                    continue  # another process was first: the question now follows its turn
        raise Problem(
            409,
            "Other questions are being asked in this dialogue at the same time; ask again.",
            headers={"Retry-After": "1"},
        )

    def _begin(self, question: Question) -> _Begun | _Answered:
        with self._reads() as session:
            dialogue = store.find_dialogue(session, question.caller, question.dialogue)
            collection = collection_of(session, question.caller, "reader", dialogue.collection_id)
            opened = self.assistants.open(collection, dialogue.scope)
            moment = dialogue.id, dialogue.changed, collection.version
            repeated = question.key and store.turn_with_key(session, dialogue, question.key)
            before = self._recent.find(moment)
            if before is None or repeated:
                turns = store.turns_of(session, dialogue)
                number = repeated.number if repeated else len(turns) + 1
                pairs = [
                    StoredPair(one.question, one.reply) for one in turns if one.number < number
                ]
                before = restore(pairs, opened.index)
        begun = _Begun(opened.assistant, collection.version, before, len(before.turns) + 1)
        return _repeat(question, begun, repeated, moment, opened) if repeated else begun

    def _store(
        self, question: Question, begun: _Begun, reply: Reply, seconds: dict[str, float]
    ) -> _Answered:
        turn = StoredTurn(
            number=begun.number,
            question=question.text,
            reply=stored_reply(question.text, reply, seconds),
            key=question.key,
        )
        with self._transactions.begin() as session:
            dialogue = store.find_dialogue(session, question.caller, question.dialogue)
            if store.count_turns(session, dialogue) != begun.number - 1:
                raise store.NumberTaken
            store.add_turn(session, dialogue, turn)
        moment = dialogue.id, dialogue.changed, begun.version
        self._recent.keep(moment, begun.before.add(Turn(question.text, reply)))
        return _Answered(begun, turn, moment, reply)

    async def _suggest(self, question: Question, answered: _Answered) -> Record:
        """The reply with follow-ups, stored if there are any."""
        begun, turn = answered.begun, answered.turn
        if begun.assistant.suggester is None or turn.reply["followups"] or self.line.is_busy:
            return turn.reply
        with stage("suggest"):
            reply = await self.line.suggest(begun.assistant, begun.before, answered.reply)
        if not reply.followups:
            return turn.reply
        record = {**turn.reply, "followups": list(reply.followups)}
        await to_thread.run_sync(self._store_followups, question, answered, reply, record)
        return record

    def _store_followups(
        self, question: Question, answered: _Answered, reply: Reply, record: Record
    ) -> None:
        with self._transactions.begin() as session:
            dialogue = store.find_dialogue(session, question.caller, question.dialogue)
            store.find_turn(session, dialogue, answered.turn.number).reply = record
            unchanged = dialogue.changed == answered.moment[1]
            dialogue.changed = now()
        if unchanged:  # no other turn was added since
            moment = dialogue.id, dialogue.changed, answered.begun.version
            self._recent.keep(moment, answered.begun.before.add(Turn(question.text, reply)))

    def _whole_turn(self, question: Question, number: int) -> Record:
        with self._reads() as session:
            dialogue = store.find_dialogue(session, question.caller, question.dialogue)
            said = store.feedback_of(session, question.caller, dialogue)
            return turn_record(store.find_turn(session, dialogue, number), said.get(number))


def _repeat(
    question: Question, begun: _Begun, turn: StoredTurn, moment: Moment, opened: Opened
) -> _Answered:
    """The stored turn of a request that is repeated."""
    if turn.question != question.text:
        raise Problem(
            422,
            f"Idempotency-Key: {question.key!r} was sent with another question; "
            "a new question needs a new key.",
        )
    restored = restore([StoredPair(turn.question, turn.reply)], opened.index)
    return _Answered(begun, turn, moment, restored.turns[0].reply)


def _searched_record(searched: Searched) -> Record:
    reply = searched.reply or Reply("", searched.query, hits=searched.hits)
    return _searched_again(stored_reply("", replace(reply, literal=()), {}))


def _searched_again(reply: Record) -> Record:
    return {key: reply[key] for key in ("query", "representations", "hits")}
