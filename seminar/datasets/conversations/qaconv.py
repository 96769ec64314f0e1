"""QAConv: questions about mail threads, panels and work channels (Wu et al., 2022)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from seminar.datasets.conversations.lines import join_utterances
from seminar.datasets.files import Split, find, read_json
from seminar.datasets.records import Record
from seminar.examples import Evidence, Example, Gold
from seminar.types import Passage, Thread, Utterance

TITLE = "QAConv"
SIGNATURE = ("article_segment_id",)
SEGMENTS = ("article_segment.json",)
CONVERSATIONS = ("article_full.json", "article_full-part.json")


def read(path: Path) -> Iterator[Example]:
    """Every question of an official file, without what it is asked about."""
    return _questions(path, lambda record: "")


def read_chunks(path: Path) -> Iterator[Example]:
    """Every question with the chunk that it was asked about (chunk mode)."""
    chunks = read_json(find(path.parent, SEGMENTS))

    def chunk(record: Record) -> str:
        name = record.text("article_segment_id")
        return _join(chunks[name]["seg_dialog"])[0]

    return _questions(path, chunk)


def read_conversations(path: Path) -> Iterator[Example]:
    """Every question whose conversations are there, with the whole of them (full mode)."""
    conversations = read_json(find(path.parent, CONVERSATIONS))
    texts: dict[str, str] = {}

    def whole(record: Record) -> str | None:
        names = record.texts("article_full_id")
        if not all(map(conversations.has, names)):
            return None
        for name in names:
            if name not in texts:
                texts[name] = _join(conversations[name])[0]
        return "\n".join(texts[name] for name in names)

    return _questions(path, whole)


def _questions(path: Path, context: Callable[[Record], str | None]) -> Iterator[Example]:
    for record in read_json(path).items():
        text = context(record)
        if text is None:
            continue
        answers, segment = record.texts("answers"), record.text("article_segment_id")
        yield Example(
            id=record.text("id"),
            dialogue_id=record.text("id"),
            question=record.text("question"),
            gold=Gold(
                answers=answers,
                answerable=bool(answers),
                evidence=(Evidence(source=segment),),
            ),
            context=text,
            domain=segment.rpartition("-")[0],
            sources=record.texts("article_full_id"),
        )


def threads(folder: Path) -> Iterator[Thread]:
    """The whole conversations that the file holds."""
    for name, messages in read_json(find(folder, CONVERSATIONS)).fields():
        text, utterances = _join(messages, source=name)
        yield Thread(source=name, title=name, text=text, utterances=utterances, channel=scope(name))


def passages(folder: Path) -> Iterator[Passage]:
    """The chunks, each scoped to what full mode searches: its conversation or Slack channel."""
    for name, chunk in read_json(find(folder, SEGMENTS)).fields():
        text, utterances = _join(chunk["seg_dialog"])
        conversation = utterances[0].key.rpartition("-")[0] if utterances else ""
        yield Passage(
            name, 0, len(text), text, title=name, scope=scope(conversation), utterances=utterances
        )


def scope(conversation: str) -> str:
    """Where the authors search for an answer: the conversation, or for Slack its whole channel.

    >>> scope("slack-pythondevhelp-2-898"), scope("court-03-710")
    ('slack-pythondevhelp', 'court-03-710')
    """
    if conversation.startswith("slack-"):
        return "-".join(conversation.split("-")[:2])
    return conversation


def _join(messages: Record, source: str = "") -> tuple[str, tuple[Utterance, ...]]:
    lines = (
        (message.name("id"), message.text("speaker"), message.text("text"))
        for message in messages.items()
    )
    return join_utterances(lines, source=source)


SPLITS = {
    part + mode: Split((f"{part}.json",), reader)
    for part in ("trn", "val", "tst")
    for mode, reader in (("", read), ("-chunk", read_chunks), ("-full", read_conversations))
}
