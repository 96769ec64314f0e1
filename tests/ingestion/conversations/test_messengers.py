"""Exports of Telegram, Teams and Signal."""

import json
from pathlib import Path

import pytest

from seminar.errors import IngestionError
from seminar.ingestion.formats import choose
from seminar.types import Thread

TELEGRAM_CHAT = {
    "name": "Crew",
    "type": "private_group",
    "id": 7,
    "messages": [
        {"id": 1, "type": "service", "date": "2024-05-01T09:00:00", "action": "create_group"},
        {
            "id": 2,
            "type": "message",
            "date": "2024-05-01T10:00:00",
            "from": "Ada",
            "text": ["When does ", {"type": "bold", "text": "the boat"}, " leave?"],
        },
        {
            "id": 3,
            "type": "message",
            "date": "2024-05-01T10:01:00",
            "from": "Bo",
            "reply_to_message_id": 2,
            "text": "At nine.",
            "photo": "photos/pier.jpg",
        },
    ],
}
GRAPH = {
    "value": [
        {
            "id": "12",
            "replyToId": "11",
            "messageType": "message",
            "createdDateTime": "2024-05-01T10:01:00.5Z",
            "from": {"user": {"displayName": "Bo"}},
            "body": {"contentType": "html", "content": "<p>At <b>nine</b> &amp; ten.</p>"},
            "channelIdentity": {"channelId": "19:a"},
            "attachments": [{"name": "plan.docx"}],
        },
        {
            "id": "11",
            "messageType": "message",
            "createdDateTime": "2024-05-01T10:00:00Z",
            "subject": "Boat",
            "from": {"user": {"displayName": "Ada"}},
            "body": {"contentType": "text", "content": "When does it leave?"},
            "channelIdentity": {"channelId": "19:a"},
        },
        {"id": "10", "messageType": "systemEventMessage", "body": {"content": "x"}},
        {
            "id": "9",
            "messageType": "message",
            "deletedDateTime": "2024-05-01T10:00:00Z",
            "body": {"content": "gone"},
        },
    ]
}
ACCOUNT = {
    "userId": "8:ada",
    "exportDate": "2024-06-01T12:00",
    "conversations": [
        {
            "id": "19:crew@thread.v2",
            "displayName": "Crew",
            "MessageList": [
                {
                    "id": "2",
                    "displayName": "Bo",
                    "originalarrivaltime": "2024-05-01T10:01:00.000Z",
                    "messagetype": "RichText/Html",
                    "content": "<p>At nine.</p>",
                },
                {
                    "id": "1",
                    "displayName": "Ada",
                    "originalarrivaltime": "2024-05-01T10:00:00.000Z",
                    "messagetype": "Text",
                    "content": "When?",
                },
                {"id": "0", "messagetype": "ThreadActivity/AddMember", "content": "<x/>"},
            ],
        },
        {"id": "8:bo", "displayName": None, "MessageList": []},
    ],
}
SIGNAL = [
    {"version": 1, "backupTimeMs": "1714557600000"},
    {"account": {"givenName": "Ada"}},
    {"recipient": {"id": "1", "self": {}}},
    {"recipient": {"id": "2", "contact": {"systemGivenName": "Bo", "systemFamilyName": "Lee"}}},
    {"recipient": {"id": "3", "group": {"snapshot": {"title": {"title": "Crew"}}}}},
    {"chat": {"id": "10", "recipientId": "3"}},
    {
        "chatItem": {
            "chatId": "10",
            "authorId": "1",
            "dateSent": "1714557600000",
            "standardMessage": {"text": {"body": "When?"}},
        }
    },
    {
        "chatItem": {
            "chatId": "10",
            "authorId": "2",
            "dateSent": "1714557660000",
            "standardMessage": {
                "text": {"body": "At nine."},
                "quote": {"targetSentTimestamp": "1714557600000"},
                "attachments": [{"pointer": {"fileName": "pier.jpg"}}],
            },
        }
    },
    {"chatItem": {"chatId": "10", "authorId": "2", "dateSent": "3", "updateMessage": {}}},
]


def threads(path: Path, content: object, form: str) -> list[Thread]:
    path.write_text(content if isinstance(content, str) else json.dumps(content, indent=1))
    assert choose(path).name == form
    return list(choose(path).read(path, path.name, pytest.fail))


def said(thread: Thread) -> list[tuple[str, str, str]]:
    return [(message.key, message.speaker, message.text) for message in thread.utterances]


def test_chat_of_telegram(tmp_path: Path):
    [thread] = threads(tmp_path / "result.json", TELEGRAM_CHAT, "telegram")
    assert (thread.title, thread.channel) == ("Crew", "result.json/2")
    assert said(thread) == [
        ("2", "Ada", "When does the boat leave?"),
        ("3", "Bo", "At nine.\n[attachment: pier.jpg]"),
    ]
    assert str(thread.utterances[1].time) == "2024-05-01 10:01:00"


def test_account_of_telegram_keeps_its_chats_apart(tmp_path: Path):
    other = {**TELEGRAM_CHAT, "name": None, "type": "saved_messages", "id": 8}
    account = {
        "about": "Here is the data you requested. Telegram",
        "personal_information": {"user_id": 1},
        "chats": {"about": "This page lists chats", "list": [TELEGRAM_CHAT, other]},
        "left_chats": {"about": "", "list": [{**TELEGRAM_CHAT, "name": "Old", "id": 9}]},
    }
    found = threads(tmp_path / "result.json", account, "telegram")
    assert [(thread.title, thread.channel, thread.utterances[0].key) for thread in found] == [
        ("Crew", "result.json/7/7_2", "7/2"),
        ("result", "result.json/8/8_2", "8/2"),
        ("Old", "result.json/9/9_2", "9/2"),
    ]


@pytest.mark.parametrize("wrapped", [True, False])
def test_posts_of_teams_are_threads_with_their_replies(tmp_path: Path, wrapped: bool):
    content = GRAPH if wrapped else GRAPH["value"]
    [thread] = threads(tmp_path / "channel.json", content, "teams")
    assert thread.channel == "channel.json/19:a/11"
    assert said(thread) == [
        ("11", "Ada", "Boat\nWhen does it leave?"),
        ("12", "Bo", "At nine & ten.\n[attachment: plan.docx]"),
    ]


def test_account_of_teams_is_read_in_the_order_of_time(tmp_path: Path):
    [thread] = threads(tmp_path / "messages.json", ACCOUNT, "teams")
    assert thread.title == "Crew"
    assert said(thread) == [
        ("19:crew@thread.v2/1", "Ada", "When?"),
        ("19:crew@thread.v2/2", "Bo", "At nine."),
    ]


def test_chat_history_of_signal(tmp_path: Path):
    lines = "\n".join(map(json.dumps, SIGNAL))
    [thread] = threads(tmp_path / "main.jsonl", lines, "signal")
    assert thread.title == "Crew"
    assert said(thread) == [
        ("10/1714557600000", "Ada", "When?"),
        ("10/1714557660000", "Bo Lee", "At nine.\n[attachment: pier.jpg]"),
    ]
    assert [message.lines[0].line for message in thread.utterances] == [7, 8]


def test_json_lines_of_other_tools_may_end_in_json(tmp_path: Path):
    lines = '{"date": "2024-05-01T10:00:00", "sender": "Ada", "body": "When?"}\n'
    [thread] = threads(tmp_path / "data.json", lines, "json lines")
    assert said(thread) == [("1", "Ada", "When?")]


@pytest.mark.parametrize(
    ("name", "content"),
    [("result.json", TELEGRAM_CHAT), ("channel.json", GRAPH), ("messages.json", ACCOUNT)],
)
def test_truncated_export_gives_what_came_before_and_an_error(
    tmp_path: Path, name: str, content: object
):
    whole = json.dumps(content, indent=1)
    path = tmp_path / name
    path.write_text(whole[: int(len(whole) * 0.9)])
    found: list[Thread] = []
    with pytest.raises(IngestionError, match=r"^(cut off|damaged JSON)"):
        found.extend(choose(path).read(path, name, pytest.fail))
