"""Sessions in an event loop, over real files."""

import asyncio
from pathlib import Path

import pytest

from seminar.async_session import open_async_session


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SEMINAR_HOME", str(tmp_path / "home"))
    (tmp_path / "ferry.md").write_text(
        "# The ferry\n\nThe crossing takes 55 minutes.\n\nDogs travel free.\n"
    )
    return tmp_path / "ferry.md"


def test_questions_are_answered_in_their_order_while_the_loop_goes_on(folder: Path):
    async def talk() -> None:
        session = await open_async_session(folder, encoder="static")
        beats = 0

        async def beat() -> None:
            nonlocal beats
            while True:
                beats += 1
                await asyncio.sleep(0.001)

        beating = asyncio.create_task(beat())
        first, second = await asyncio.gather(
            session.ask("How long is the crossing?"), session.ask("Do dogs travel free?")
        )
        beating.cancel()
        assert first.text == "55 minutes"
        assert [turn.reply for turn in session.session.dialogue.turns] == [first, second]
        assert beats > 2
        assert (await session.search("dogs", 1))[0].passage.source == "ferry.md"
        await session.save(folder.parent / "turns.jsonl")
        again = await open_async_session(folder, encoder="static")
        assert await again.resume(folder.parent / "turns.jsonl") == []
        assert [turn.question for turn in again.session.dialogue.turns] == [
            "How long is the crossing?",
            "Do dogs travel free?",
        ]

    asyncio.run(talk())
