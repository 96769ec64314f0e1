"""Every message that is cited is found byte for byte in its export, whatever it says."""

import json
import tempfile
import zipfile
from collections.abc import Callable
from html import escape
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seminar.ingestion.files import discover
from seminar.ingestion.formats import choose
from seminar.ingestion.segments import split_item
from seminar.types import Thread

TEXT = st.text(
    alphabet="ab cdé\n`<>&\"'#@|:*_~ 東京שלום👩🏽\u200d.?!-/\\{}[]()0123", min_size=1, max_size=200
)
SAID = st.lists(
    st.tuples(st.sampled_from(["ada", "bo berg", "東"]), TEXT, st.integers(0, 3)),
    min_size=1,
    max_size=15,
)
Said = list[tuple[str, str, int]]


def slack_day(said: Said) -> str:
    return json.dumps(
        [
            {
                "type": "message",
                "ts": f"17145504{number:02}.000100",
                "user": speaker,
                "text": escape(text, quote=False),
                **({"thread_ts": f"17145504{thread:02}.000100"} if thread else {}),
            }
            for number, (speaker, text, thread) in enumerate(said)
        ]
    )


def write_slack(folder: Path, said: Said) -> None:
    (folder / "general").mkdir()
    (folder / "general" / "2024-05-01.json").write_text(slack_day(said))


def write_zip(folder: Path, said: Said) -> None:
    with zipfile.ZipFile(folder / "e.zip", "w") as archive:
        archive.writestr("general/2024-05-01.json", slack_day(said))


def write_lines(folder: Path, said: Said) -> None:
    lines = [
        json.dumps({"speaker": speaker, "text": text, "thread": str(thread) if thread else None})
        for speaker, text, thread in [("ada", "first", 0), *said]
    ]
    (folder / "a.jsonl").write_text("\n".join(lines))


def write_discord(folder: Path, said: Said) -> None:
    messages = [
        {"id": str(number), "type": "Default", "content": text, "author": {"name": speaker},
         "timestamp": f"2024-05-{1 + thread:02}T10:00:00+00:00"}
        for number, (speaker, text, thread) in enumerate(said)
    ]  # fmt: skip
    (folder / "a.json").write_text(json.dumps({"guild": {}, "messages": messages}))


def write_xml(folder: Path, said: Said) -> None:
    messages = "".join(
        f'<message conversation_id="{thread}"><ts>2019-01-01T10:00:{number:02}.5</ts>'
        f"<user>{speaker}</user><text>{escape(escape(text, quote=False))}</text></message>"
        for number, (speaker, text, thread) in enumerate(said)
    )
    (folder / "a.xml").write_text(f"<slack>{messages}</slack>", encoding="utf-8")


@pytest.mark.parametrize("write", [write_slack, write_zip, write_lines, write_discord, write_xml])
@settings(max_examples=25, deadline=None)
@given(said=SAID)
def test_own_words_are_found_in_the_export(write: Callable[[Path, Said], None], said: Said):
    with tempfile.TemporaryDirectory() as name:
        write(Path(name), said)
        [file] = discover([Path(name)])[0]
        found = list(choose(file.path).read(file.path, file.source, print))
    spoken = []
    for thread in found:
        assert isinstance(thread, Thread)
        for passage in split_item(thread):
            assert thread.text[passage.start : passage.end] == passage.text
            for one in passage.utterances:
                assert passage.text[one.start : one.end] == one.text
        spoken += [(one.speaker, one.text) for one in thread.utterances]
    expected = [(speaker, text.strip()) for speaker, text, _ in said if text.strip()]
    assert sorted(spoken) == sorted(expected + [("ada", "first")] * (write is write_lines))
