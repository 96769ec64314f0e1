"""Train, dev and test without a common topic (PragmatiCQA, section 3.5; QuAC, section 4)."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

from seminar.collection.exports.conversations import Conversation
from seminar.collection.records import StudyRecords
from seminar.errors import ConfigurationError

Split = Literal["train", "dev", "test"]
SPLITS: tuple[Split, ...] = ("train", "dev", "test")
SHARES = (80, 10, 10)  # percent


def disjoint_splits(
    records: StudyRecords,
    dialogs: Sequence[Conversation],
    *,
    shares: tuple[int, int, int] = SHARES,
    seed: int = 0,
) -> dict[str, Split]:
    """The split of each dialog; two dialogs about one topic are always in the same.

    A topic is QuAC's or TopiOCQA's first page, PragmatiCQA's community, QAConv's conversation.
    Topics with dialogs that several people annotated go to dev and test, if there are any. The
    rest is dealt out at random, each to the split that lacks most of its share of the dialogs.
    """
    if sum(shares) != 100 or min(shares) < 0:
        raise ConfigurationError(f"shares {shares} are no percentages that sum up to 100")
    by_topic: defaultdict[str, list[Conversation]] = defaultdict(list)
    topic_of = _TOPICS.get(records.protocol, _by_subject)(records)
    for conversation in dialogs:
        by_topic[topic_of(conversation)].append(conversation)
    order = sorted(by_topic, key=lambda topic: _rank(topic, seed))
    wanted = dict(zip(SPLITS, (share * len(dialogs) / 100 for share in shares), strict=True))
    evaluated: list[Split] = [name for name in SPLITS[1:] if wanted[name]]
    annotated = {topic for topic in order if any(one.is_annotated for one in by_topic[topic])}
    split: dict[str, Split] = {}
    for topic in sorted(order, key=lambda topic: topic not in annotated):
        open_ones = evaluated if topic in annotated and evaluated else SPLITS
        chosen = max(open_ones, key=lambda name: wanted[name])
        wanted[chosen] -= len(by_topic[topic])
        split.update((conversation.dialog.id, chosen) for conversation in by_topic[topic])
    return split


TopicOf = Callable[[Conversation], str]


def _by_subject(records: StudyRecords) -> TopicOf:
    return lambda conversation: conversation.dialog.subject


def _by_page(records: StudyRecords) -> TopicOf:
    return lambda conversation: conversation.dialog.subject.rpartition("#")[0]


def _by_source(records: StudyRecords) -> TopicOf:
    sources = {chunk.id: chunk.source for chunk in records.corpus.chunks}
    return lambda conversation: sources.get(
        conversation.dialog.subject, conversation.dialog.subject
    )


_TOPICS: dict[str, Callable[[StudyRecords], TopicOf]] = {
    "quac": _by_page,
    "topiocqa": _by_subject,
    "pragmaticqa": _by_subject,
    "qaconv": _by_source,
}


def _rank(topic: str, seed: int) -> str:
    """A random order that a topic keeps when others are added."""
    return hashlib.sha256(f"{seed}/{topic}".encode()).hexdigest()


def in_split(
    dialogs: Iterable[Conversation], splits: Mapping[str, Split], name: Split
) -> list[Conversation]:
    """The dialogs of one split, in order."""
    return [conversation for conversation in dialogs if splits[conversation.dialog.id] == name]
