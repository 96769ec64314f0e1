import json
import zipfile
from pathlib import Path

import pytest

from seminar.errors import IngestionError
from seminar.ingestion.conversations.slack import export, zip_export
from seminar.ingestion.discover import Problem, SourceFile, discover
from seminar.ingestion.loader import read, read_passages
from seminar.ingestion.sandbox.pool import SHARED
from seminar.types import Thread

PEOPLE = [
    {"id": "U1", "name": "ada", "profile": {"display_name": "Ada", "real_name": "Ada L."}},
    {"id": "U2", "name": "bo", "profile": {"display_name": "", "real_name": "Bo Berg"}},
]
LONG = " It is a long story." * 40  # keeps a thread from being combined with others


def message(ts: str, user: str, text: str, **more: object) -> dict[str, object]:
    return {"type": "message", "ts": ts, "user": user, "text": text, **more}


DAYS = {
    "general/2024-05-01.json": [
        message("1714550400.000100", "U1", "Who has the key?" + LONG, thread_ts="1714550400.000100",
                reply_count=1),
        message("1714550500.000100", "U2", "<@U2> has joined the channel", subtype="channel_join"),
        message("1714550600.000100", "U2", "Lunch &amp; <@U1>?" + LONG),
    ],
    "general/2024-05-03.json": [
        message("1714723200.000100", "U2", "I do, sorry.", thread_ts="1714550400.000100"),
        message("1714723300.000100", "U1", "```x &lt; y```" + LONG, edited={"user": "U1"}),
    ],
    "random/2024-05-01.json": [
        {"type": "message", "subtype": "bot_message", "ts": "1714550700.000100", "username": "CI",
         "text": "", "attachments": [{"title": "Build 7", "text": "failed"}],
         "files": [{"name": "log.txt"}]},
    ],
}  # fmt: skip


def unpacked(root: Path) -> Path:
    (root / "users.json").parent.mkdir(parents=True, exist_ok=True)
    (root / "users.json").write_text(json.dumps(PEOPLE))
    (root / "channels.json").write_text("[]")
    for name, records in DAYS.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(json.dumps(records))
    return root


def zipped(path: Path, days: dict[str, object] = DAYS) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("users.json", json.dumps(PEOPLE))
        for name, records in days.items():
            content = records if isinstance(records, str | bytes) else json.dumps(records)
            archive.writestr(name, content)
    return path


def threads(file: SourceFile, problems: list[Problem] | None = None) -> list[Thread]:
    notices: list[Problem] = [] if problems is None else problems
    found = list(read(file, notices.append))
    assert all(isinstance(one, Thread) for one in found)
    return found  # type: ignore[return-value]


def test_channel_is_one_source_and_metadata_is_no_document(tmp_path: Path):
    files, problems = discover([unpacked(tmp_path / "export")])
    assert [file.source for file in files] == ["general", "random"]
    assert [path.name for path in files[0].files] == [
        "2024-05-01.json",
        "2024-05-03.json",
        "users.json",
    ]
    assert problems == []


def test_late_reply_joins_its_thread_and_is_cited_by_its_own_day(tmp_path: Path):
    [file, _] = discover([unpacked(tmp_path)])[0]
    talk = next(one for one in threads(file) if "key" in one.text)
    assert [(one.speaker, one.source, one.key) for one in talk.utterances] == [
        ("Ada", "general/2024-05-01.json", "1714550400.000100"),
        ("Bo Berg", "general/2024-05-03.json", "1714723200.000100"),
    ]
    assert talk.source == "general/2024-05-01.json#1714550400.000100"
    assert (talk.title, talk.channel) == ("#general", "general/1714550400.000100")
    assert talk.utterances[1].time is not None
    assert talk.utterances[1].time.isoformat() == "2024-05-03T08:00:00.000100+00:00"


def test_people_are_named_markup_resolved_and_joins_left_out(tmp_path: Path):
    [file, _] = discover([unpacked(tmp_path)])[0]
    messages = [one.text.removesuffix(LONG) for talk in threads(file) for one in talk.utterances]
    assert sorted(messages) == ["I do, sorry.", "Lunch & @Ada?", "Who has the key?", "```x < y```"]


def test_bots_and_files_are_named(tmp_path: Path):
    [_, file] = discover([unpacked(tmp_path)])[0]
    [talk] = threads(file)
    assert talk.text == "CI: Build 7\nfailed\n[attachment: log.txt]"


def test_zip_gives_the_same_threads_as_the_folder(tmp_path: Path):
    folder = unpacked(tmp_path / "export")
    (tmp_path / "zips").mkdir()
    files, problems = discover([zipped(tmp_path / "zips" / "export.zip")])
    assert problems == []
    [file] = files
    texts = [talk.text for one in discover([folder])[0] for talk in threads(one)]
    assert [talk.text for talk in threads(file)] == texts
    assert threads(file)[-1].source == "export.zip/random/2024-05-01.json#1714550700.000100"
    assert next(iter(read_passages(file, print))).scope.startswith("export.zip/general")


def test_zip_of_an_export_is_recognised_by_its_content(tmp_path: Path):
    zipped(tmp_path / "slack.zip")
    with zipfile.ZipFile(tmp_path / "photos.zip", "w") as archive:
        archive.writestr("a.png", b"\x89PNG")
    assert SHARED.format_of(tmp_path / "slack.zip") == "slack zip"
    assert SHARED.format_of(tmp_path / "photos.zip") == "archive"


def test_broken_day_is_reported_and_the_rest_is_read(tmp_path: Path):
    root = unpacked(tmp_path)
    (root / "general" / "2024-05-02.json").write_text('[{"ts": "171')
    (root / "users.json").write_text("{}")
    problems: list[Problem] = []
    [file, _] = discover([root])[0]
    assert len(threads(file, problems)) == 3
    assert [str(problem) for problem in problems] == [
        "general: users.json: not a list of records, as Slack writes; "
        "people are named by their ids",
        "general: 2024-05-02.json: not JSON, or cut off; left out",
    ]


def test_edits_and_deletions_of_the_day_are_applied():
    records = [
        message("1.1", "U1", "At eight."),
        message("1.2", "U1", "Oops."),
        {"subtype": "message_changed", "ts": "1.3", "message": message("1.1", "U1", "At nine.")},
        {"subtype": "message_deleted", "ts": "1.4", "deleted_ts": "1.2"},
        message("1.1", "U1", "Again the same message."),
    ]
    day = export.Day("c/2024-05-01.json", lambda: json.dumps(records).encode())
    [talk] = export.read_channel([day], "c", {"U1": "Ada"}, print)
    assert talk.text == "Ada: At nine."


def test_hostile_records_are_skipped():
    records = [
        None, 7, [], {}, {"ts": {}, "text": "no time"}, {"ts": "nan", "text": "odd time"},
        {"ts": "9" * 400, "text": ["not text"]}, {"ts": "1e999", "text": "\ud800 half"},
        {"ts": "5.5", "text": "ok", "user": ["U1"], "thread_ts": 5, "files": [{"name": None}]},
    ]  # fmt: skip
    day = export.Day("c/2024-05-01.json", lambda: json.dumps(records).encode())
    found = [
        one.text for talk in export.read_channel([day], "c", {}, print) for one in talk.utterances
    ]
    assert sorted(found) == ["odd time", "ok", "\ufffd half"]
    deep = export.Day("c/2024-05-01.json", lambda: b"[" * 100_000)
    notices: list[str] = []
    assert list(export.read_channel([deep], "c", {}, notices.append)) == []
    assert notices == ["2024-05-01.json: JSON nested too deeply; left out"]


def test_names_that_lead_out_of_the_zip_are_left_out(tmp_path: Path):
    record = [message("1.1", "U1", "Hello")]
    days = {"../../etc/2024-05-01.json": record, "/abs/2024-05-01.json": record,
            "general/2024-05-01.json": record}  # fmt: skip
    notices: list[str] = []
    found = list(zip_export.read(zipped(tmp_path / "e.zip", days), "e.zip", notices.append))
    assert [talk.source for talk in found] == ["e.zip/general/2024-05-01.json#1.1"]
    assert notices == ["2 entries whose names lead out of the export were left out"]
    assert list(tmp_path.iterdir()) == [tmp_path / "e.zip"]


@pytest.mark.parametrize("damage", [b"\xff" * 5, b"\x5d" + b"\xff" * 4], ids=["kind", "memory"])
def test_damaged_day_of_a_zip_leaves_the_other_channels_readable(tmp_path: Path, damage: bytes):
    path = tmp_path / "e.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for channel, packing in (("a", 0), ("b", zipfile.ZIP_LZMA), ("c", 0)):
            record = json.dumps([message("1.1", "U1", f"Hello {channel}")])
            archive.writestr(f"{channel}/2024-05-01.json", record, compress_type=packing)
    content = path.read_bytes()
    properties = content.index(b"b/2024-05-01.json") + len(b"b/2024-05-01.json") + 4
    path.write_bytes(content[:properties] + damage + content[properties + 5 :])
    problems: list[Problem] = []
    found = threads(SourceFile(path, "e.zip"), problems)
    assert [talk.text for talk in found] == ["U1: Hello a", "U1: Hello c"]
    assert [problem.reason for problem in problems] == [
        "b/2024-05-01.json: damaged: it can't be unpacked; left out"
    ]


def test_zip_bomb_is_refused(tmp_path: Path):
    days = {f"general/2024-05-{day:02}.json": b" " * 30_000_000 for day in range(1, 20)}
    path = zipped(tmp_path / "bomb.zip", days)
    assert path.stat().st_size < 1_000_000
    with pytest.raises(IngestionError, match="expands more than 100-fold"):
        list(zip_export.read(path, "bomb.zip", print))


def test_zip_without_export_is_refused(tmp_path: Path):
    (tmp_path / "a.zip").write_bytes(b"PK\x03\x04 broken")
    with pytest.raises(IngestionError, match="damaged, or neither a zip nor a tar"):
        list(read(SourceFile(tmp_path / "a.zip", "a.zip"), print))
    with pytest.raises(IngestionError, match="damaged, or not a zip at all"):
        list(zip_export.read(tmp_path / "a.zip", "a.zip", print))


def test_link_among_the_days_is_not_followed(tmp_path: Path):
    (tmp_path / "secret.json").write_text(json.dumps([message("1.1", "U1", "secret")]))
    channel = tmp_path / "export" / "general"
    channel.mkdir(parents=True)
    (channel / "2024-05-01.json").write_text(json.dumps([message("1.2", "U1", "open")]))
    (channel / "2024-05-02.json").symlink_to(tmp_path / "secret.json")
    [file] = discover([tmp_path / "export"])[0]
    assert [talk.text for talk in threads(file)] == ["U1: open"]


def test_oversized_list_of_people_is_left_out_with_a_notice(tmp_path: Path):
    root = unpacked(tmp_path)
    with (root / "users.json").open("wb") as file:
        file.truncate(export.DAY_LIMIT + 1)
    problems: list[Problem] = []
    [file_, _] = discover([root])[0]
    assert {one.speaker for talk in threads(file_, problems) for one in talk.utterances} == {
        "U1",
        "U2",
    }
    assert problems[0].reason == (
        "users.json: larger than 50,000,000 bytes; people are named by their ids"
    )


def test_notices_of_a_file_are_limited(tmp_path: Path):
    channel = tmp_path / "general"
    channel.mkdir()
    for number in range(80):
        (channel / f"2024-{1 + number // 28:02}-{1 + number % 28:02}.json").write_text("[")
    problems: list[Problem] = []
    [file] = discover([tmp_path])[0]
    assert threads(file, problems) == []
    assert len(problems) == 51
    assert problems[-1].reason == "there is more of this, which isn't shown"
