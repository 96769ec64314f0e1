"""Conversations through the main job: from an export to a cited message, and updates of exports."""

import json
import mailbox
from email.message import EmailMessage
from pathlib import Path

import pytest

from seminar.answering.records import span_record
from seminar.assembly import create_index
from seminar.indexing import Outcome, update
from seminar.ingestion.read_options import ReadOptions
from seminar.models.encoders.registry import load_encoder
from seminar.retrieval.file_index import FileIndex
from seminar.types import Passage, Query, Span

ENCODER = load_encoder("static")
LONG = " It is a long story." * 40  # keeps a thread from being combined with others


@pytest.fixture
def store(tmp_path: Path) -> FileIndex:
    place = tmp_path / "index"
    return create_index(place, ENCODER)


@pytest.fixture
def export(tmp_path: Path) -> Path:
    root = tmp_path / "export"
    for channel in ("general", "random"):
        (root / channel).mkdir(parents=True)
    people = [{"id": "U1", "name": "ada", "real_name": "Ada"}, {"id": "U2", "name": "bo"}]
    (root / "users.json").write_text(json.dumps(people))
    write_day(root / "general" / "2024-05-01.json", ("100.1", "U1", "Who has the key?" + LONG, ""))
    write_day(root / "random" / "2024-05-01.json", ("200.1", "U2", "Soup today.", ""))
    return root


def write_day(path: Path, *messages: tuple[str, str, str, str]) -> None:
    records = [
        {"type": "message", "ts": ts, "user": user, "text": text, "thread_ts": thread}
        for ts, user, text, thread in messages
    ]
    path.write_text(json.dumps(records))


def best(store: FileIndex, words: str, scope: str | None = None) -> Passage | None:
    [hits] = store.search_text([Query(words, scope=scope)], k=1)
    return hits[0].passage if hits else None


def cite(passage: Passage | None, words: str) -> dict[str, object]:
    assert passage is not None
    start = passage.text.index(words)
    return span_record(Span(passage, start, start + len(words)))


def test_message_of_an_export_is_cited_with_speaker_time_and_channel(
    store: FileIndex, export: Path
):
    assert update(store, [export], ENCODER) == Outcome(read=2, removed=0, kept=0, problems=())
    cited = cite(best(store, "soup"), "Soup today.")
    assert cited == {
        "text": "Soup today.",
        "id": "random/2024-05-01.json#200.1#4-15",
        "source": "random/2024-05-01.json#200.1",
        "document": "random/2024-05-01.json#200.1",
        "start": 4,
        "end": 15,
        "title": "#random",
        "section": "",
        "page": None,
        "place": None,
        "line": None,
        "column": None,
        "speaker": "bo",
        "time": "1970-01-01T00:03:20.100000+00:00",
    }


def test_late_reply_reads_its_channel_again_and_joins_its_thread(store: FileIndex, export: Path):
    update(store, [export], ENCODER)
    write_day(
        export / "general" / "2024-05-01.json",
        ("100.1", "U1", "Who has the key?" + LONG, "100.1"),
    )
    write_day(export / "general" / "2024-06-09.json", ("900.1", "U2", "It hangs there.", "100.1"))
    assert update(store, [export], ENCODER) == Outcome(read=1, removed=0, kept=1, problems=())
    found = best(store, "hangs")
    assert cite(found, "It hangs there.")["source"] == "general/2024-06-09.json#900.1"
    assert found is not None
    assert found.source == "general/2024-05-01.json#100.1"
    assert found.scope == "general/100.1"


def test_changed_list_of_people_reads_every_channel_again(store: FileIndex, export: Path):
    update(store, [export], ENCODER)
    people = [{"id": "U2", "name": "bo", "profile": {"display_name": "Bo Berg"}}]
    (export / "users.json").write_text(json.dumps(people))
    assert update(store, [export], ENCODER).read == 2
    assert cite(best(store, "soup"), "Soup")["speaker"] == "Bo Berg"


def test_removed_channel_is_removed_and_scopes_are_channels(store: FileIndex, export: Path):
    update(store, [export], ENCODER)
    assert best(store, "soup", scope="general") is None
    assert best(store, "soup", scope="random") is not None
    (export / "random" / "2024-05-01.json").unlink()
    assert update(store, [export], ENCODER) == Outcome(read=0, removed=1, kept=1, problems=())
    assert best(store, "soup") is None


def test_broken_day_is_reported_and_the_rest_is_searchable(store: FileIndex, export: Path):
    (export / "random" / "2024-05-02.json").write_text("[{")
    outcome = update(store, [export], ENCODER)
    assert [str(problem) for problem in outcome.problems] == [
        "random: 2024-05-02.json: not JSON, or cut off; left out"
    ]
    assert best(store, "soup") is not None


def test_mail_is_cited_by_its_id_and_its_thread_is_a_scope(store: FileIndex, tmp_path: Path):
    box = mailbox.mbox(tmp_path / "mail.mbox")
    for key, subject in (("a@x", "The budget"), ("b@x", "Lunch")):
        message = EmailMessage()
        message["Message-ID"], message["Subject"] = f"<{key}>", subject
        message["From"], message["Date"] = "Ada <a@x>", "Wed, 01 May 2024 10:00:00 +0000"
        message.set_content("It is 400 euros." if key == "a@x" else "Soup for 4 euros.")
        box.add(message)
    box.close()
    update(store, [tmp_path / "mail.mbox"], ENCODER)
    cited = cite(best(store, "euros", scope="mail.mbox/a@x"), "400 euros")
    assert (cited["source"], cited["title"], cited["speaker"], cited["time"]) == (
        "mail.mbox#a@x",
        "The budget",
        "Ada",
        "2024-05-01T10:00:00+00:00",
    )


def test_turning_threads_off_reads_files_again(store: FileIndex, export: Path):
    update(store, [export], ENCODER)
    assert update(store, [export], ENCODER, options=ReadOptions(threads=False)).read == 2
    assert update(store, [export], ENCODER, options=ReadOptions(threads=False)).kept == 2
    assert best(store, "soup").scope == "random"
    update(store, [export], ENCODER)
    assert best(store, "soup").scope == "random/200.1"
