import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from seminar.cli.completion import ChatCompleter, Choices

NAMES = ["halls", "halls/ferry.md", "Tower.html", "evil\x1b[2J.md", "evil\u202e.md"]
CHOICES = Choices(["/scope", "/scopes", "/save"], lambda: NAMES, lambda: NAMES, lambda: ["1", "2"])


def completed(line: str) -> list[str]:
    document = Document(line, len(line))
    found = ChatCompleter(CHOICES).get_completions(document, CompleteEvent())
    return [line[: len(line) + one.start_position] + one.text for one in found]


@pytest.mark.parametrize(
    ("line", "lines"),
    [
        ("/s", ["/scope", "/scopes", "/save"]),
        ("/scope h", ["/scope halls", "/scope halls/ferry.md"]),
        ("/scope FERRY", ["/scope halls/ferry.md"]),
        ("/scope tow", ["/scope Tower.html"]),
        ("/open ", ["/open 1", "/open 2"]),
        ("/why x", []),
        ("What does fer", ["What does halls/ferry.md"]),
        ("What", []),
        ("a t", []),
        ("", []),
        ("/scope evil", []),
    ],
)
def test_line_is_completed_by_its_kind(line: str, lines: list[str]):
    assert completed(line) == lines


def test_file_to_write_is_completed(tmp_path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "talk.html").touch()
    (tmp_path / "talk\x1b[2J.md").touch()
    assert completed("/save ta") == ["/save talk.html"]
