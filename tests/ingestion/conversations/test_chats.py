import gzip
import json
import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from seminar.errors import IngestionError
from seminar.ingestion.conversations import chats, thread_builder
from seminar.ingestion.conversations.slack import xml_export
from seminar.ingestion.discover import Problem, SourceFile, discover
from seminar.ingestion.loader import read
from seminar.ingestion.read_options import ReadOptions
from seminar.ingestion.streams import json_stream
from seminar.types import Thread, Utterance

LONG = " It is a long story." * 40  # keeps a thread from being combined with others


def threads(path: Path, problems: list[Problem] | None = None) -> list[Thread]:
    notices: list[Problem] = [] if problems is None else problems
    found = list(read(SourceFile(path, path.name), notices.append))
    assert all(isinstance(one, Thread) for one in found)
    return found  # type: ignore[return-value]


def write_lines(path: Path, *records: object) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def discord(path: Path, *messages: dict[str, object], kind: str = "GuildTextChat") -> Path:
    export = {
        "guild": {"id": "1", "name": "Club"},
        "channel": {"id": "2", "type": kind, "name": "help"},
        "messages": list(messages),
        "messageCount": len(messages),
    }
    path.write_text(json.dumps(export, indent=2))
    return path


ADA = {"id": "7", "name": "ada", "nickname": "Ada"}
DISCORD = (
    {"id": "10", "type": "Default", "timestamp": "2024-05-01T10:00:00+00:00", "author": ADA,
     "content": "Hi <@8>, where is it?" + LONG, "mentions": [{"id": "8", "name": "bo"}]},
    {"id": "11", "type": "GuildMemberJoin", "timestamp": "2024-05-01T10:01:00+00:00",
     "author": ADA, "content": "Joined the server."},
    {"id": "12", "type": "Reply", "timestamp": "2024-05-02T10:00:00+00:00",
     "author": {"id": "8", "name": "bo"}, "content": "In the shed.",
     "attachments": [{"fileName": "map.png"}]},
)  # fmt: skip


def test_discord_messages_name_people(tmp_path: Path):
    discord(tmp_path / "help.json", *DISCORD)
    (tmp_path / "package.json").write_text('{"name": "not an export"}')
    files, problems = discover([tmp_path])
    assert [file.source for file in files] == ["help.json"]
    assert [problem.reason for problem in problems] == [
        "passed over 1 file of code or settings (1 .json); --include '*' reads them too"
    ]
    first, second = threads(tmp_path / "help.json")
    assert first.text == "Ada: Hi @bo, where is it?" + LONG
    assert second.text == "bo: In the shed.\n[attachment: map.png]"
    assert (second.source, second.title, second.channel) == (
        "help.json#12",
        "#help",
        "help.json/12",
    )
    assert second.utterances[0].time is not None
    assert second.utterances[0].time.isoformat() == "2024-05-02T10:00:00+00:00"


def test_discord_reply_joins_the_message_it_answers_at_any_time(tmp_path: Path):
    late = {**DISCORD[2], "timestamp": "2024-05-09T10:00:00+00:00"}
    path = discord(tmp_path / "help.json", DISCORD[0], {**late, "reference": {"messageId": "10"}})
    [talk] = threads(path)
    assert [one.key for one in talk.utterances] == ["10", "12"]
    assert talk.channel == "help.json/10"


MIXED = [
    {"speaker": "ada", "time": "2024-05-01T23:58:00", "text": "how do I mount a usb drive?" + LONG},
    {"speaker": "cy", "time": "2024-05-01T23:58:30", "text": "hi, error 49 of my printer?" + LONG},
    {"speaker": "bo", "time": "2024-05-02T00:01:00", "text": "ada: sudo mount the usb drive"},
    {"speaker": "di", "time": "2024-05-02T00:01:30", "text": "cy: unplug the printer"},
]  # fmt: skip


def test_channel_without_threads_is_split_into_conversations_across_midnight(tmp_path: Path):
    path = write_lines(tmp_path / "log.jsonl", *MIXED)
    found = threads(path)
    assert [[one.speaker for one in talk.utterances] for talk in found] == [
        ["ada", "bo"],
        ["cy", "di"],
    ]
    assert [talk.channel for talk in found] == ["log.jsonl/1", "log.jsonl/2"]


def test_channel_without_threads_is_split_by_day_without_threads_option(tmp_path: Path):
    file = SourceFile(write_lines(tmp_path / "log.jsonl", *MIXED), "log.jsonl")
    found = [
        talk
        for talk in read(file, print, options=ReadOptions(threads=False))
        if isinstance(talk, Thread)
    ]
    assert [[one.speaker for one in talk.utterances] for talk in found] == [
        ["ada", "cy"],
        ["bo", "di"],
    ]
    assert {talk.channel for talk in found} == {"log.jsonl"}


def test_conversation_above_the_limit_is_cut(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(thread_builder, "RUN_LIMIT", 4)
    held = thread_builder.ThreadBuilder()
    place = thread_builder.Place("#c", "c")
    out: list[Thread] = []
    for number in range(6):
        sent = Utterance(str(number), "ada", f"the boat, word {number}", source="f")
        out += held.add_to_run(place, sent, answers=str(number - 1))
    out += held.close_all()
    assert [(talk.channel, len(talk.utterances)) for talk in out] == [("c/0", 4), ("c/0", 2)]


def test_silent_channels_are_released_at_the_limit(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(thread_builder, "CHANNEL_LIMIT", 2)
    held = thread_builder.ThreadBuilder()
    out = [
        talk.channel
        for number in range(4)
        for talk in held.add_to_run(
            thread_builder.Place("#c", f"c{number}"), Utterance("k/1", "ada", "hello", source="f")
        )
    ]
    assert out == ["c0/k_1", "c1/k_1"]


def test_discord_thread_of_many_days_is_one_thread(tmp_path: Path):
    [talk] = threads(discord(tmp_path / "t.json", *DISCORD, kind="GuildPublicThread"))
    assert [one.key for one in talk.utterances] == ["10", "12"]
    assert talk.channel == "t.json/2"


def until_error(found: Iterator[Thread]) -> tuple[list[Thread], str]:
    threads: list[Thread] = []
    try:
        for talk in found:
            threads.append(talk)
    except IngestionError as error:
        return threads, str(error)
    return threads, ""


def test_truncated_discord_export_gives_the_messages_before(tmp_path: Path):
    path = discord(tmp_path / "help.json", *DISCORD)
    path.write_text(path.read_text()[:-300])
    [talk], error = until_error(chats.read_discord(path, "help.json", print))
    assert talk.text.startswith("Ada: Hi @bo")
    assert error == "damaged JSON, or cut off"


def test_mattermost_posts_with_replies_are_threads(tmp_path: Path):
    path = write_lines(
        tmp_path / "bulk.jsonl",
        {"type": "version", "version": 1},
        {"type": "channel", "channel": {"team": "t", "name": "town", "display_name": "Town"}},
        {"type": "user", "user": {"username": "ada", "first_name": "Ada", "last_name": "L."}},
        {"type": "post", "post": {"team": "t", "channel": "town", "user": "ada",
         "message": "Who has the key?" + LONG, "create_at": 1714550400000,
         "replies": [{"user": "bo", "message": "I do.", "create_at": 1714636800000}]}},
        {"type": "post", "post": {"team": "t", "channel": "town", "user": "bo",
         "message": "Lunch?", "create_at": 1714723200000,
         "attachments": [{"path": "data/menu.pdf"}]}},
    )  # fmt: skip
    first, second = threads(path)
    assert first.text == f"Ada L.: Who has the key?{LONG}\nbo: I do."
    assert [one.key for one in first.utterances] == ["4", "4.1"]
    assert (first.title, first.channel) == ("#Town", "bulk.jsonl/town/4")
    assert second.text == "bo: Lunch?\n[attachment: menu.pdf]"
    assert second.utterances[0].time is not None
    assert second.utterances[0].time.isoformat() == "2024-05-03T08:00:00+00:00"


def test_json_lines_of_any_tool_are_read(tmp_path: Path):
    path = write_lines(
        tmp_path / "log.jsonl",
        {"speaker": "Ada", "time": "2024-05-01T10:00:00", "text": "One." + LONG, "thread": "a"},
        {"speaker": "Bo", "time": "2024-05-01T10:01:00", "text": "Two." + LONG, "thread": "b"},
        {"author": {"name": "Cy"}, "ts": 1714550400, "content": "Three.", "thread": "a"},
        {"speaker": "Di", "text": "Loose."},
        {"speaker": "Di", "text": ""},
        7,
    )
    problems: list[Problem] = []
    found = threads(path, problems)
    assert [[one.speaker for one in talk.utterances] for talk in found] == [
        ["Bo"],
        ["Ada", "Cy"],
        ["Di"],
    ]
    assert found[1].channel == "log.jsonl/a"
    assert found[1].source == "log.jsonl#1"
    assert found[1].utterances[1].key == "1714550400"
    assert [problem.reason for problem in problems] == [
        "lines that are no JSON objects were left out: 1, the first is line 6"
    ]


XML = """<slack><channel_name>general</channel_name>
<message conversation_id="1"><ts>2019-01-01T10:00:00.1</ts><user>Fred</user>
<text>&lt;@Ada&gt; 1 &amp;lt; 2? LONG</text></message>
<message conversation_id="2"><ts>2019-01-01T10:01:00.2</ts><user>Bo</user><text>Hm. LONG</text>
</message>
<message conversation_id="1"><ts>2019-01-01T10:02:00.3</ts><user>Ada</user><text>Yes.</text>
</message></slack>"""


def test_xml_with_conversation_ids_gives_a_thread_for_each(tmp_path: Path):
    (tmp_path / "c.xml").write_text(XML.replace("LONG", LONG))
    second, first = threads(tmp_path / "c.xml")
    assert first.text == f"Fred: @Ada 1 < 2? {LONG}\nAda: Yes."
    assert (first.title, first.channel) == ("#general", "c.xml/1")
    assert first.source == "c.xml#2019-01-01T10:00:00.1"
    assert second.channel == "c.xml/2"


def test_xml_with_entities_or_truncated_is_refused(tmp_path: Path):
    (tmp_path / "bomb.xml").write_text('<!DOCTYPE slack [<!ENTITY a "a">]><slack></slack>')
    with pytest.raises(IngestionError, match="declares a document type"):
        list(xml_export.read(tmp_path / "bomb.xml", "bomb.xml", print))
    (tmp_path / "c.xml").write_text(XML[:-20])
    [talk], error = until_error(xml_export.read(tmp_path / "c.xml", "c.xml", print))
    assert talk.text == "Fred: @Ada 1 < 2? LONG\n\nBo: Hm. LONG"
    assert error == "cut off; what came before was read"


def cut_in_half(path: Path, content: str) -> Path:
    """A packed file of which only the first half is there."""
    packed = gzip.compress(content.encode())
    path.write_bytes(packed[: len(packed) // 2])
    return path


NUMBERS = random.Random(1)
DIGITS = [str(NUMBERS.getrandbits(1_000)) for _ in range(400)]  # which hardly shrink when packed


def test_truncated_packed_json_lines_give_the_messages_before(tmp_path: Path):
    content = "".join(
        json.dumps({"speaker": "Ada", "text": digits, "thread": str(number // 10)}) + "\n"
        for number, digits in enumerate(DIGITS)
    )
    path = cut_in_half(tmp_path / "log.jsonl.gz", content)
    found, error = until_error(chats.read_lines(path, "log.jsonl.gz", print))
    read_texts = [one.text for talk in found for one in talk.utterances]
    assert read_texts == DIGITS[: len(read_texts)]
    assert len(read_texts) > 150
    assert error == "cut off: its compressed content ends too early"


def test_truncated_packed_xml_gives_the_messages_before(tmp_path: Path):
    content = "".join(
        f'<message conversation_id="{number // 10}"><ts>2019-01-01T10:00:00.{number:03}</ts>'
        f"<user>Ada</user><text>{digits}</text></message>"
        for number, digits in enumerate(DIGITS)
    )
    path = cut_in_half(tmp_path / "c.xml.gz", f"<slack>{content}</slack>")
    found, error = until_error(xml_export.read(path, "c.xml.gz", print))
    read_texts = [one.text for talk in found for one in talk.utterances]
    assert read_texts == DIGITS[: len(read_texts)]
    assert len(read_texts) > 150
    assert error == "cut off: its compressed content ends too early"


def test_time_before_all_others_is_harmless(tmp_path: Path):
    path = write_lines(
        tmp_path / "log.jsonl",
        {"speaker": "Ada", "time": "2024-05-01T10:00:00", "text": "One." + LONG},
        {"speaker": "Bo", "time": "0001-01-01T00:00:00", "text": "Two." + LONG},
    )
    sent = [one for talk in threads(path) for one in talk.utterances]
    assert sorted(one.speaker for one in sent) == ["Ada", "Bo"]


def test_builder_is_bounded_and_late_messages_make_a_new_thread():
    held = thread_builder.ThreadBuilder(held_limit=2)
    place = thread_builder.Place("#c", "c")
    out: list[Thread] = []
    for number, thread in enumerate(["a", "b", "b", "a"]):
        sent = Utterance(str(number), "Ada", f"word {number}", source="f")
        out += held.add(place._replace(thread=thread), sent)
    out += held.close_all()
    assert [(talk.channel, [one.key for one in talk.utterances]) for talk in out] == [
        ("c/a", ["0"]),
        ("c/b", ["1", "2"]),
        ("c/a", ["3"]),
    ]


@pytest.mark.parametrize("chunk", [1, 3, 1 << 18])
def test_json_is_streamed_with_any_chunk_size(
    tmp_path: Path, chunk: int, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(json_stream, "_CHUNK", chunk)
    content = {"a": {"b": [1]}, "messages": [1234, 'é\\"', {"x": [None]}], "n": 12}
    (tmp_path / "a.json").write_text(json.dumps(content, ensure_ascii=False))
    with (tmp_path / "a.json").open("rb") as stream:
        assert list(json_stream.fields(stream, "messages")) == [
            ("a", {"b": [1]}),
            ("messages", 1234),
            ("messages", 'é\\"'),
            ("messages", {"x": [None]}),
            ("n", 12),
        ]


@pytest.mark.skipif("SEMINAR_DATA" not in os.environ, reason="needs the published channels")
def test_published_channels_are_read_whole():
    folder = Path(os.environ["SEMINAR_DATA"]) / "slack_disentangled"
    for path in sorted(folder.rglob("*.xml"))[:1]:
        messages = path.read_bytes().count(b"<message ")
        found = list(xml_export.read(path, path.name, print))
        assert sum(len(talk.utterances) for talk in found) > 0.97 * messages


def test_thread_above_the_limit_is_cut():
    held = thread_builder.ThreadBuilder()
    place = thread_builder.Place("#c", "c", "a")
    long = "word " * 30_000
    out = [
        talk
        for number in range(20)
        for talk in held.add(place, Utterance(str(number), "Ada", long, source="f"))
    ]
    assert [len(talk.utterances) for talk in out] == [14]
    assert [len(talk.utterances) for talk in held.close_all()] == [6]
