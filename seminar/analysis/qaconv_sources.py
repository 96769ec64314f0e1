"""QAConv's tables 2 and 4: questions by source of conversation, and by who wrote them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from seminar.analysis.exhibits import Table, missing_table
from seminar.datasets.files import read_json
from seminar.types import Thread

_TOKEN = re.compile(r"\w+|[^\w\s]")

SOURCES = {"bc3": "BC3", "enron": "Enron", "court": "Court", "slack": "Slack"}
MEDIA = "Media"  # interviews of NPR and CNN


def source_of(conversation: str) -> str:
    """The source that a conversation's id names.

    >>> source_of("court-03-710"), source_of("npr-12")
    ('Court', 'Media')
    """
    return SOURCES.get(conversation.partition("-")[0].lower(), MEDIA)


def count_tokens(text: str) -> int:
    """Words and marks of punctuation, which the paper's lengths count too.

    >>> count_tokens("Who's there?")
    5
    """
    return len(_TOKEN.findall(text))


def by_source(frame: pd.DataFrame, threads: Sequence[Thread] = ()) -> Table:
    """QAConv, table 2: questions and dialogues of each source, words and speakers where known."""
    title = "Conversations by source (QAConv, table 2)"
    named = frame[frame["sources"].map(len) > 0]
    if named.empty:
        return missing_table("qaconv-table-2", title, "No question names its conversation.")
    first = named["sources"].map(lambda names: names[0])
    kinds = first.map(source_of)
    table = pd.DataFrame(
        {"questions": kinds.value_counts(), "dialogues asked about": first.groupby(kinds).nunique()}
    )
    known = pd.DataFrame(
        [
            (
                source_of(thread.title),
                sum(count_tokens(message.text) for message in thread.utterances),
                len({message.speaker for message in thread.utterances}),
            )
            for thread in threads
        ],
        columns=["source", "words", "speakers"],
    )
    if len(known):
        groups = known.groupby("source")
        table = table.join(
            pd.DataFrame(
                {
                    "dialogues here": groups.size(),
                    "mean tokens": groups["words"].mean(),
                    "most tokens": groups["words"].max(),
                    "mean speakers": groups["speakers"].mean(),
                    "most speakers": groups["speakers"].max(),
                }
            )
        )
    note = "Tokens are words and marks of punctuation, as the paper's lengths suggest."
    note = note if len(known) else "The conversations themselves are not here."
    table.index.name = "source"
    return Table("qaconv-table-2", title, table.reset_index(), note)


def by_writer(files: Sequence[Path]) -> Table:
    """QAConv, table 4: questions that people wrote and that a generator wrote."""
    title = "Questions by writer (QAConv, table 4)"
    rows = [
        (
            "machine generator" if record.flag("QG") else "human writer",
            count_tokens(record.text("question")),
            bool(record.texts("answers")),
        )
        for file in files
        for record in read_json(file).items()
        if record.has("QG")
    ]
    if not rows:
        return missing_table("qaconv-table-4", title, "No file says who wrote its questions.")
    frame = pd.DataFrame(rows, columns=["writer", "words", "answerable"])
    groups = frame.groupby("writer")
    table = pd.DataFrame(
        {
            "questions": groups.size(),
            "share %": 100 * groups.size() / len(frame),
            "mean tokens": groups["words"].mean(),
            "standard deviation": groups["words"].std(),
            "unanswerable %": 100 * (1 - groups["answerable"].mean()),
        }
    ).reset_index()
    note = "How fluent, complex and sure the questions are was judged by people: not in the files."
    return Table("qaconv-table-4", title, table, note)
