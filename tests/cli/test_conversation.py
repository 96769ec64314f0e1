"""What a conversation remembers and forgives, line by line."""

import json
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from seminar.cli.chat import Conversation
from seminar.types import Dialogue, Query, Reply

SUGGESTED = ("When does the ferry sail?", "Tell me about Dunmarrow.")


class Echoing:
    """An assistant that repeats the question, and suggests two where the question is a request."""

    def answer_alone(self, _: list[Dialogue], questions: list[str]) -> list[Reply]:
        if "crash" in questions[0]:
            raise ZeroDivisionError("a \x1b[31mfault")
        return [Reply(text=questions[0], query=Query(questions[0]))]

    def suggest(self, _: list[Dialogue], replies: list[Reply]) -> list[Reply]:
        asked = replies[0].text.startswith("Tell")
        return [replace(replies[0], followups=SUGGESTED if asked else ())]


class Opened:
    assistant = Echoing()


def conversation(*, debug: bool = False) -> Conversation:
    out, errors = Console(file=StringIO(), width=120), Console(file=StringIO(), width=120)
    return Conversation(out, errors, Opened(), reopen=lambda _: Opened(), debug=debug)


def told(console: Console) -> str:
    file = console.file
    assert isinstance(file, StringIO)
    return file.getvalue()


def asked(talk: Conversation) -> list[str]:
    return [turn.question for turn in talk.dialogue.turns]


def test_a_number_asks_the_question_that_was_shown_last():
    talk = conversation()
    for line in ("1", "Tell me more.", "Who?", "1", "2"):  # nothing was shown before the first
        assert talk.heed(line)
    assert asked(talk) == ["1", "Tell me more.", "Who?", *SUGGESTED]
    assert not talk.failed


@pytest.mark.parametrize("number", ["0", "3", "1962", "9" * 5000])
def test_a_number_that_was_not_shown_is_refused(number: str):
    talk = conversation()
    assert talk.heed("Tell me more.")
    assert talk.heed(number)
    assert asked(talk) == ["Tell me more."]
    assert told(talk.errors).startswith(f"There is no suggestion {number[:4]}")
    assert told(talk.errors).endswith(" (1–2)\n")


def test_a_line_without_a_letter_or_digit_is_no_turn():
    talk = conversation()
    assert talk.heed("?!…")
    assert asked(talk) == []
    assert "'?!…' has no letter or digit: ask in words" in told(talk.errors)


def test_an_unexpected_error_costs_its_line_only():
    talk = conversation()
    for line in ("Who?", "crash", "When?"):
        assert talk.heed(line)
    assert asked(talk) == ["Who?", "When?"]
    assert talk.failed
    assert told(talk.errors) == (
        "unexpected ZeroDivisionError: a [31mfault. Run again with --debug to see where.\n"
    )


def test_debug_shows_the_traceback_of_a_line(capsys: pytest.CaptureFixture[str]):
    assert conversation(debug=True).heed("crash")
    assert "Traceback" in capsys.readouterr().err


def test_a_conversation_updates_only_the_file_that_it_wrote(tmp_path: Path):
    talk, other, file = conversation(), conversation(), tmp_path / "turns.jsonl"
    for line in ("Who?", f"/save {file}", "When?", f"/save {file}"):
        talk.heed(line)
    assert "1 turn in" in told(talk.console)
    assert "2 turns in" in told(talk.console)
    for line in ("Why?", f"/save {file}"):
        other.heed(line)
    assert f"{file} is there already" in told(other.errors)
    talk.heed("/reset")
    talk.heed(f"/save {file}")
    assert f"{file} is there already" in told(talk.errors)
    records = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    assert [record["question"] for record in records] == ["Who?", "When?"]
