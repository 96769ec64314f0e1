"""Live dialogs over a real database, without sockets."""

import asyncio
import contextlib
from pathlib import Path

import pytest

from seminar.collection.live.connections import Connections
from seminar.collection.live.room import Room
from seminar.collection.live.rooms import Rooms
from seminar.collection.live.signals import Signals
from seminar.collection.messages.actions import AnswerSpan, Ask
from seminar.collection.protocols.activity import Refused
from seminar.collection.protocols.progress import replayed
from seminar.collection.records import Dialog, Seat
from seminar.collection.storage.database import open_database
from seminar.collection.storage.dialogs import actions_of, add_dialog
from seminar.collection.storage.snapshots import scene_of
from seminar.collection.study.loading import load_study
from seminar.serving.storage.schema import now
from tests.collection.studies import write_study

ASK = Ask(question="When?")
NOTHING = AnswerSpan(span=None, continuation="maybe", affirmation="neither")
SEATS = (Seat("student", "s"), Seat("teacher", "t"))


async def rooms_in(folder: Path) -> tuple[Rooms, object]:
    """A dialog `d` of the workers `s` and `t`, and its database."""
    study = load_study(write_study(folder, "quac"))
    database = open_database(f"sqlite:///{folder / 'study.sqlite'}", study)
    dialog = Dialog("d", "quac", "dialog", "tide#0", SEATS, now())
    await database.write(lambda session: add_dialog(session, dialog))
    rooms = Rooms(study, database, Connections(), Signals(database))
    scene = scene_of(study, dialog, ())
    rooms.add(Room(dialog, scene, replayed(study.protocol, "dialog", scene, ())))
    return rooms, database


def test_action_whose_socket_goes_away_while_it_is_stored_counts_once(tmp_path: Path):
    async def walk() -> list[str]:
        rooms, database = await rooms_in(tmp_path)
        for turns in (0, 1, 2, 5):  # at different moments of the storing
            sending = asyncio.create_task(rooms.act("s", "d", f"ask{turns}", ASK))
            for _ in range(turns):
                await asyncio.sleep(0)
            sending.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await sending
            await rooms.act("s", "d", f"ask{turns}", ASK)
            with contextlib.suppress(Refused):  # after the third one it has ended
                await rooms.act("t", "d", f"answer{turns}", NOTHING)
            if rooms.find("d") is None:
                break
        stored = await database.read(lambda session: actions_of(session, "d"))
        database.close()
        return [one.id for one in stored]

    found = asyncio.run(walk())
    assert found == ["ask0", "answer0", "ask1", "answer1", "ask2", "answer2"]


def test_actions_that_come_at_once_are_accepted_one_after_the_other(tmp_path: Path):
    async def walk() -> list[object]:
        rooms, database = await rooms_in(tmp_path)
        sent = [rooms.act("s", "d", f"ask{number}", ASK) for number in range(20)]
        answers = await asyncio.gather(*sent, return_exceptions=True)
        database.close()
        return list(answers)

    first, *others = asyncio.run(walk())
    assert first == 1
    assert {type(one) for one in others} == {Refused}


def test_action_of_a_stranger_is_refused(tmp_path: Path):
    async def walk() -> None:
        rooms, database = await rooms_in(tmp_path)
        try:
            with pytest.raises(Refused) as refused:
                await rooms.act("x", "d", "ask", ASK)
            assert refused.value.code == "unknown"
        finally:
            database.close()

    asyncio.run(walk())
