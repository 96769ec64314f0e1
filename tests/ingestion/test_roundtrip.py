"""Every message that is cited is found byte for byte in its export, whatever it says."""

import json
import mailbox
import re
import tempfile
import zipfile
from collections.abc import Callable
from contextlib import closing
from email.message import EmailMessage
from html import escape
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seminar.ingestion.discover import discover
from seminar.ingestion.formats import choose
from seminar.ingestion.loader import read
from seminar.ingestion.read_options import ReadOptions
from seminar.ingestion.segments import split_item
from seminar.types import Span, Thread

EXAMPLES = Path(__file__).parents[2] / "examples" / "collection"

TEXT = st.text(
    alphabet="ab cdé\n`<>&\"'#@|:*_~ 東京שלום👩🏽\u200d.?!-/\\{}[]()0123", min_size=1, max_size=200
)
MESSAGES = st.lists(
    st.tuples(st.sampled_from(["ada", "bo berg", "東"]), TEXT, st.integers(0, 3)),
    min_size=1,
    max_size=15,
)
Messages = list[tuple[str, str, int]]


def slack_day(sent: Messages) -> str:
    return json.dumps(
        [
            {
                "type": "message",
                "ts": f"17145504{number:02}.000100",
                "user": speaker,
                "text": escape(text, quote=False),
                **({"thread_ts": f"17145504{thread:02}.000100"} if thread else {}),
            }
            for number, (speaker, text, thread) in enumerate(sent)
        ]
    )


def write_slack(folder: Path, sent: Messages) -> None:
    (folder / "general").mkdir()
    (folder / "general" / "2024-05-01.json").write_text(slack_day(sent))


def write_zip(folder: Path, sent: Messages) -> None:
    with zipfile.ZipFile(folder / "e.zip", "w") as archive:
        archive.writestr("general/2024-05-01.json", slack_day(sent))


def write_lines(folder: Path, sent: Messages) -> None:
    lines = [
        json.dumps({"speaker": speaker, "text": text, "thread": str(thread) if thread else None})
        for speaker, text, thread in [("ada", "first", 0), *sent]
    ]
    (folder / "a.jsonl").write_text("\n".join(lines))


def write_discord(folder: Path, sent: Messages) -> None:
    messages = [
        {"id": str(number), "type": "Default", "content": text, "author": {"name": speaker},
         "timestamp": f"2024-05-{1 + thread:02}T10:00:00+00:00"}
        for number, (speaker, text, thread) in enumerate(sent)
    ]  # fmt: skip
    (folder / "a.json").write_text(json.dumps({"guild": {}, "messages": messages}))


def write_xml(folder: Path, sent: Messages) -> None:
    messages = "".join(
        f'<message conversation_id="{thread}"><ts>2019-01-01T10:00:{number:02}.5</ts>'
        f"<user>{speaker}</user><text>{escape(escape(text, quote=False))}</text></message>"
        for number, (speaker, text, thread) in enumerate(sent)
    )
    (folder / "a.xml").write_text(f"<slack>{messages}</slack>", encoding="utf-8")


@pytest.mark.parametrize("threads", [True, False])
@pytest.mark.parametrize("write", [write_slack, write_zip, write_lines, write_discord, write_xml])
@settings(max_examples=25, deadline=None)
@given(sent=MESSAGES)
def test_own_words_are_found_in_the_export(
    write: Callable[[Path, Messages], None], threads: bool, sent: Messages
):
    with tempfile.TemporaryDirectory() as name:
        write(Path(name), sent)
        [file] = discover([Path(name)])[0]
        reader = choose(file.path).reader(ReadOptions(threads=threads))
        found = list(reader(file.path, file.source, print))
    spoken = []
    for thread in found:
        assert isinstance(thread, Thread)
        for passage in split_item(thread):
            assert thread.text[passage.start : passage.end] == passage.text
            for one in passage.utterances:
                assert passage.text[one.start : one.end] == one.text
        spoken += [(one.speaker, one.text) for one in thread.utterances]
    expected = [(speaker, text.strip()) for speaker, text, _ in sent if text.strip()]
    assert sorted(spoken) == sorted(expected + [("ada", "first")] * (write is write_lines))


LINE = st.text(alphabet="abcdé 東京שלום0123,'()", min_size=1, max_size=60).map(str.strip)
LETTERS = st.lists(st.tuples(st.sampled_from(["Ada", "Bo"]), LINE.filter(bool)), min_size=1)


@settings(max_examples=25, deadline=None)
@given(sent=LETTERS)
def test_own_words_of_mails_are_found_in_the_mailbox(sent: list[tuple[str, str]]):
    with tempfile.TemporaryDirectory() as name:
        box = mailbox.mbox(Path(name) / "a.mbox")
        for number, (speaker, words) in enumerate(sent):
            letter = EmailMessage()
            letter["Message-ID"] = f"<{number}@x>"
            letter["From"], letter["Subject"] = f"{speaker} <{speaker.lower()}@x.org>", "Tide"
            letter["Date"] = f"Wed, 01 May 2024 10:{number % 60:02}:00 +0000"
            letter["References"] = "<0@x>" if number else ""
            letter.set_content(
                f"It is {words}.\n\nOn Tuesday Bo wrote:\n> {words}\n-- \n{speaker}\n"
            )
            box.add(letter)
        box.close()
        spoken = [one for thread in threads_of(Path(name)) for one in thread.utterances]
        bodies = plain_texts(Path(name) / "a.mbox")
    assert sorted(one.key for one in spoken) == sorted(bodies)
    for one in spoken:
        assert one.text in bodies[one.key]
        assert "wrote:" not in one.text


TURNS = st.lists(
    st.tuples(st.sampled_from(["ADA", "BO", "CHAIR"]), LINE.map(lambda text: f"Well, {text}")),
    min_size=10,
    max_size=18,
).map(lambda turns: [("ADA", "Good morning."), ("BO", "Good evening."), *turns])


@settings(max_examples=25, deadline=None)
@given(turns=TURNS)
def test_own_words_of_a_panel_are_found_in_the_transcript(turns: list[tuple[str, str]]):
    text = "\n\n".join(f"{speaker}: {words}." for speaker, words in turns)
    with tempfile.TemporaryDirectory() as name:
        (Path(name) / "panel.txt").write_text(text, encoding="utf-8")
        spoken = [one for thread in threads_of(Path(name)) for one in thread.utterances]
    assert [(one.speaker, one.text) for one in spoken] == [
        (speaker, f"{words}.") for speaker, words in turns
    ]
    assert all(one.text in text for one in spoken)


def threads_of(folder: Path) -> list[Thread]:
    found = [item for file in discover([folder])[0] for item in read(file, pytest.fail)]
    return [item for item in found if isinstance(item, Thread)]


def test_messages_of_the_examples_are_found_in_their_exports():
    cited = {"json": 0, "mbox": 0, "txt": 0}
    for thread in threads_of(EXAMPLES):
        for passage in split_item(thread):
            for one in passage.utterances:
                span = Span(passage, one.start, one.end)
                path = EXAMPLES / one.source
                held = " ".join(EXPORTS[path.suffix](path, one.key).split())
                assert " ".join(span.text.split()) in held
                assert span.source == f"{one.source}#{one.key}"
                cited[path.suffix[1:]] += 1
    assert cited == {"json": 37, "mbox": 9, "txt": 21}


def slack_message(path: Path, key: str) -> str:
    """The text of one message of a day's file, with people by name as Slack would show them."""
    people = {
        one["id"]: one["real_name"]
        for one in json.loads((EXAMPLES / "slack/users.json").read_text())
    }
    [text] = [one["text"] for one in json.loads(path.read_text()) if one["ts"] == key]
    return re.sub(r"<@(\w+)>", lambda found: "@" + people[found[1]].removesuffix(" Kell"), text)


def plain_texts(path: Path) -> dict[str, str]:
    """The plain text of every mail of a mailbox, by Message-ID."""
    with closing(mailbox.mbox(path)) as box:
        return {
            letter["Message-ID"].strip("<>"): next(
                part.get_payload(decode=True).decode()
                for part in letter.walk()
                if part.get_content_type() == "text/plain"
            )
            for letter in box
        }


EXPORTS: dict[str, Callable[[Path, str], str]] = {
    ".json": slack_message,
    ".mbox": lambda path, key: plain_texts(path)[key],
    ".txt": lambda path, key: path.read_text(),
}
