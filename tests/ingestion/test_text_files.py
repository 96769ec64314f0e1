"""Every text format from end to end: hostile files beside a good one."""

import random
from collections.abc import Iterator
from contextlib import closing
from email.message import EmailMessage
from pathlib import Path

import pytest

from seminar.errors import IngestionError
from seminar.ingestion.discover import SourceFile
from seminar.ingestion.loader import read_passages
from seminar.ingestion.sandbox.pool import Sandbox
from seminar.ingestion.sandbox.processes import Limits
from tests.ingestion.text_samples import SAMPLES

MUTATIONS = 200  # of each format
PIECES = [
    b"",
    b"\0",
    b"\xff",
    b"[" * 50,
    b"{",
    b'"',
    b"*",
    b"`",
    b"::",
    b"\n\n",
    b"&a ",
    b"*a",
    b"<",
]


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with closing(Sandbox(Limits(seconds=20))) as made:
        yield made


def saved_page() -> bytes:
    message = EmailMessage()
    message.set_content("<h1>Tide</h1><p>It leaves at nine.</p>", subtype="html")
    message.add_related(b"\x89PNG", "image", "png")
    return bytes(message)


FILES = {
    **{name: text.encode() for name, text in SAMPLES if name[0] not in "cf" or name == "chat.txt"},
    "a.mhtml": saved_page(),
}


def outcome(path: Path, sandbox: Sandbox) -> str:
    """The reason for which a file is refused; empty if it is read."""
    try:
        list(read_passages(SourceFile(path, path.name), lambda _: None, sandbox=sandbox))
    except IngestionError as error:
        return str(error)
    return ""


def mutated(content: bytes, chance: random.Random) -> bytes:
    """A file with a few bytes changed, pieces added, repeated or cut off."""
    changed = bytearray(content)
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(changed) + 1)
        match chance.randrange(4):
            case 0:
                changed[at : at + 1] = bytes([chance.randrange(256)])
            case 1:
                changed[at:at] = chance.choice(PIECES) * chance.choice([1, 1, 3, 200])
            case 2:
                changed[at : at + chance.randint(1, 40)] = b""
            case 3:
                start = chance.randrange(len(changed) + 1)
                changed[at:at] = changed[start : start + 60] * chance.choice([1, 2, 20])
    return bytes(changed)


@pytest.mark.parametrize("name", FILES)
def test_mutated_files_are_read_or_refused_in_one_line(tmp_path: Path, name: str, sandbox: Sandbox):
    chance = random.Random(name)
    path = tmp_path / name
    good = tmp_path / "good.md"
    good.write_text("The boat leaves at nine.")
    for _ in range(MUTATIONS):
        path.write_bytes(mutated(FILES[name], chance))
        reason = outcome(path, sandbox)
        assert not reason or reason.startswith(f"{name}: ")
        assert "\n" not in reason
        assert "crashed" not in reason, path.read_bytes()
        assert "took longer" not in reason, path.read_bytes()
    assert outcome(good, sandbox) == ""


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.json", b"[" * 1_000_000, "nested more than 100 deep"),
        ("a.json", b"[" + b"1," * 200_001 + b"1]", "more than 200,000 values"),
        ("a.yaml", b"- " * 100_000 + b"x", "nested more than 100 deep"),
        ("a.yaml", b"{a: " * 5_000, "nested more than 100 deep"),
        ("a.yaml", b"a: " + b"x" * 2_000_000, "line 1 is longer than 1,000,000 characters"),
        ("a.toml", b"a = " + b"[" * 100_000, "nested too deeply"),
        ("a.toml", b".".join([b"a"] * 5_000) + b" = 1", "nested more than 100 deep"),
        ("a.ipynb", b'{"cells": ' + b"[" * 100_000, "nested more than 100 deep"),
        ("a.ipynb", b'{"cells": "', "damaged JSON in line 1"),
        ("a.rst", b"x" * 20_000, "line 1 is longer than 10,000 characters"),
        ("a.rst", b"".join(b" " * n + b"* x\n\n" for n in range(0, 2_000, 2)), "nested too deeply"),
        ("a.org", b"\0" * 100, "binary: not a text file"),
        ("a.py", b"\n" * 100, "empty: it holds no text"),
        ("a.js", b"x" * 5_000_000, "line 1 is longer than 1,000,000 characters"),
        ("a.mhtml", b"Content-Type: multipart/related; boundary=x\n\n--x\n" * 3_000, ""),
        ("a.mhtml", b"From: x\n\nno page", "no MHTML: it holds no page"),
        ("result.json", b'{"type": "personal_chat", "messages": [' + b"[" * 100_000, "nested"),
        ("result.json", b'{"type": "personal_chat", "messages": [', "cut off"),
        ("channel.json", b'[{"messageType": 1, "createdDateTime": 2, "body": ' * 9, "damaged JSON"),
        ("chat.txt", b"1/2/24, 10:00 - Ada: x\n" * 2 + b"x" * 2_000_000, "line 3 is longer"),
    ],
)
def test_hostile_file_is_refused_and_the_good_one_beside_it_read(
    tmp_path: Path, name: str, content: bytes, reason: str, sandbox: Sandbox
):
    (tmp_path / name).write_bytes(content)
    (tmp_path / "good.md").write_text("The boat leaves at nine.")
    line = outcome(tmp_path / name, sandbox)
    assert line.startswith(f"{name}: ")
    assert reason in line
    assert "crashed" not in line
    assert "\n" not in line
    assert outcome(tmp_path / "good.md", sandbox) == ""
