"""Transcripts as JSON: radio interviews (MediaSum), conversations by name (QAConv)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from seminar.ingestion.conversations.messages import compose, from_text, name, words
from seminar.ingestion.streams.compressed import open_stream
from seminar.ingestion.streams.decoding import Notify
from seminar.ingestion.streams.fields import text_of
from seminar.ingestion.streams.json_stream import elements, fields
from seminar.types import Thread, Utterance

_NAMED = re.compile(rb'\s*\{\s*"[^"]{1,200}"\s*:\s*\[\s*\{[^{}]{0,500}"speaker"\s*:')


def recognises_radio(head: bytes) -> bool:
    """Whether a file begins with an interview as a list of texts and a list of speakers."""
    return head.lstrip().startswith(b"[") and b'"utt"' in head and b'"speaker"' in head


def read_radio(path: Path, source: str, notify: Notify) -> Iterator[Thread]:
    """A thread for each interview; messages are cited as file#interview.number."""
    with open_stream(path) as stream:
        for number, record in enumerate(elements(stream), start=1):
            if not isinstance(record, dict):
                continue
            key = name(text_of(record, "id")) or str(number)
            texts, speakers = record.get("utt"), record.get("speaker")
            if not isinstance(texts, list) or not isinstance(speakers, list):
                notify(f"interview {key} has no words and speakers; left out")
                continue
            time = from_text(record.get("date"))
            messages = [
                Utterance(f"{key}.{turn}", name(str(speaker)), spoken, time, source=source)
                for turn, (speaker, text) in enumerate(zip(speakers, texts, strict=False), start=1)
                if (spoken := words(str(text)))
            ]
            title = name(text_of(record, "title", "program")) or key
            if messages:
                yield compose(messages, title=title, channel=f"{source}/{key}")


def recognises_named(head: bytes) -> bool:
    """Whether a file begins with a named conversation: a list of records with a speaker."""
    return _NAMED.match(head) is not None


def read_named(path: Path, source: str, notify: Notify) -> Iterator[Thread]:
    """A thread for each name; messages are cited as file#name.id."""
    with open_stream(path) as stream:
        for key, content in fields(stream, ""):
            place = name(key)
            records = content if isinstance(content, list) else []
            messages = [
                Utterance(
                    f"{place}.{name(text_of(record, 'id')) or number}",
                    name(text_of(record, "speaker")),
                    spoken,
                    from_text(record.get("time")),
                    source=source,
                )
                for number, record in enumerate(records, start=1)
                if isinstance(record, dict) and (spoken := words(text_of(record, "text")))
            ]
            if messages:
                yield compose(messages, title=place, channel=f"{source}/{place}")
