"""Lines of `seminar chat`, without a terminal."""

from io import StringIO

import pytest
from rich.console import Console

from seminar.cli.chat import Chat
from seminar.session import Session
from seminar.types import Dialogue, Query, Reply


class Echoing:
    """An assistant that repeats the question, and fails where it is "crash"."""

    writer = None

    def answer_without_suggestions(self, _: list[Dialogue], questions: list[str]) -> list[Reply]:
        if questions[0] == "crash":
            raise ZeroDivisionError("a \x1b[31mfault")
        return [Reply(text=questions[0], query=Query(questions[0]))]

    def suggest(self, _: list[Dialogue], replies: list[Reply]) -> list[Reply]:
        return replies


class Opened:
    assistant = Echoing()


def chat(*, debug: bool = False) -> Chat:
    out, errors = Console(file=StringIO(), width=120), Console(file=StringIO(), width=120)
    return Chat(out, errors, Session(Opened()), reopen=lambda _: Opened(), debug=debug)


def printed(console: Console) -> str:
    file = console.file
    assert isinstance(file, StringIO)
    return file.getvalue()


def test_unexpected_error_costs_its_line_only():
    talk = chat()
    for line in ("Who?", "crash", "When?"):
        assert talk.handle(line)
    assert [turn.question for turn in talk.session.dialogue.turns] == ["Who?", "When?"]
    assert talk.failed
    assert printed(talk.errors) == (
        "unexpected ZeroDivisionError: a [31mfault. Run again with --debug to see where.\n"
    )


def test_debug_prints_traceback_of_a_line(capsys: pytest.CaptureFixture[str]):
    assert chat(debug=True).handle("crash")
    assert "Traceback" in capsys.readouterr().err


def test_empty_line_does_nothing_and_quit_ends():
    talk = chat()
    assert talk.handle("")
    assert not talk.handle("/quit")
    assert printed(talk.console) == printed(talk.errors) == ""
