"""Messages between pool and worker arrive unchanged, or are refused with a clear error."""

import os
import pickle
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from seminar.errors import IngestionError
from seminar.ingestion.sandbox.wire import (
    DocumentReply,
    EndReply,
    NoticeReply,
    PassagesReply,
    Reply,
    Request,
    ThreadReply,
    decode_reply,
    decode_request,
    encode,
)
from seminar.types import (
    Document,
    Element,
    LineMark,
    Link,
    Page,
    Passage,
    Section,
    Thread,
    Utterance,
)

DOCUMENT = Document(
    "ä.html",
    "Tïtle",
    "line\nends \x00 \u2028 \U0001f600",
    (Section("A", 0, 4),),
    (Link(0, 4, "x"),),
    (Element("k", 0, 4),),
    (Page(1, 0, 4),),
    (LineMark(0, 1), LineMark(5, 2)),
)
UTTERANCE = Utterance(
    "1",
    "Zoë",
    "naïve",
    datetime(2024, 5, 1, 12, 0, 0, 5, tzinfo=timezone(timedelta(hours=5, minutes=30))),
    0,
    5,
    "a.mbox",
    (LineMark(0, 12),),
)
PASSAGE = Passage("a", 5, 11, "naïve", utterances=(UTTERANCE,), lines=(LineMark(0, 3),))


@pytest.mark.parametrize(
    "reply",
    [
        DocumentReply(DOCUMENT),
        ThreadReply(Thread("a.mbox#1", "T", "naïve", (UTTERANCE,), "a.mbox/1")),
        PassagesReply(
            (Passage("a", 5, 11, "naïve", utterances=(UTTERANCE,), lines=(LineMark(0, 3),)),)
        ),
        NoticeReply("not UTF-8"),
        EndReply("damaged"),
    ],
    ids=lambda reply: type(reply).__name__,
)
def test_reply_arrives_unchanged_on_one_line(reply: Reply):
    line = encode(reply)
    assert line.index(b"\n") == len(line) - 1
    assert decode_reply(line) == reply


@pytest.mark.parametrize("time", [datetime(2024, 5, 1), datetime(2024, 5, 1, tzinfo=UTC)])
def test_time_keeps_its_zone_or_the_lack_of_one(time: datetime):
    thread = Thread("a#1", "T", "x", (Utterance("1", "Ada", "x", time),))
    reply = decode_reply(encode(ThreadReply(thread)))
    assert reply == ThreadReply(thread)
    assert isinstance(reply, ThreadReply)
    assert str(reply.content.utterances[0].time) == str(time)


def test_path_that_is_no_text_arrives_unchanged():
    path = Path(os.fsdecode(b"caf\xe9.txt"))
    request = decode_request(encode(Request("items", os.fsencode(path), "caf\ufffd.txt")))
    assert request.path == path


@pytest.mark.parametrize("text", ["\ud800", "half a \udc00 pair"])
def test_lone_surrogate_is_refused(text: str):
    with pytest.raises(IngestionError, match="half of a surrogate pair"):
        encode(DocumentReply(Document("a.txt", "A", text)))


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"rubbish\n", "invalid character"),
        (b"\n", "truncated"),
        (b'{"type":"document"\n', "truncated"),
        (b'{"type":"shell","content":"ls"}\n', "Invalid value 'shell'"),
        (b'{"type":"document","content":{"source":1}}\n', "Expected `str`, got `int`"),
        (b'{"type":"passages","content":"all"}\n', "Expected `array`, got `str`"),
        (b'{"type":"notice","content":"\xff"}\n', "can't decode byte 0xff"),
        (b"[" * 100_000 + b"\n", "Expected `object`, got `array`"),
        (b'{"type":"notice","more":' + b"[" * 100_000 + b"\n", "recursion"),
        (pickle.dumps(DOCUMENT), ""),
    ],
)
def test_malformed_reply_is_a_clear_error(line: bytes, reason: str):
    with pytest.raises(IngestionError, match=f"^its reader sent a malformed reply: .*{reason}"):
        decode_reply(line)
