"""A study in PragmatiCQA's official form: one dialog a line, with spans and ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from seminar.collection.corpus.lookup import CorpusIndex
from seminar.collection.exports.conversations import Conversation
from seminar.collection.records import (
    RATINGS,
    CorpusSpan,
    LiteralAnswer,
    PragmaticAnswer,
    StudyRecords,
    Turn,
)
from seminar.datasets.dialogues.pragmaticqa import UNKNOWN

FILES = {"train": "train.jsonl", "dev": "val.jsonl", "test": "test.jsonl"}
WORST, BEST = 1, 5  # of students' ratings; in the release 1 is the best and 5 the worst
_WORDS: dict[LiteralAnswer, str] = {"yes": "Yes", "no": "No", "don't know": UNKNOWN}


def split_files(
    records: StudyRecords, splits: Mapping[str, Sequence[Conversation]]
) -> dict[str, object]:
    """The lines of the official file of each split, by its name."""
    index = CorpusIndex(records.corpus)
    return {
        FILES[name]: [_dialog(index, conversation) for conversation in dialogs]
        for name, dialogs in splits.items()
    }


def _dialog(index: CorpusIndex, conversation: Conversation) -> dict[str, Any]:
    topic = index.topics[conversation.dialog.subject]
    central = index.pages.get(topic.central)
    return {
        "topic": central.title if central else topic.title,
        "genre": topic.genre,
        "community": topic.title,
        "qas": [_question(turn) for turn in conversation.turns],
    }


def _question(turn: Turn) -> dict[str, Any]:
    answer = turn.answer
    if not isinstance(answer, PragmaticAnswer):
        raise TypeError(f"a turn of PragmatiCQA has no {type(answer).__name__}")
    literal = [_span(span) for span in answer.literal]
    if answer.literal_answer is not None:
        literal.append({"text": _WORDS[answer.literal_answer], "startKey": 0, "endKey": 0})
    pragmatic = [_span(span) for span in answer.pragmatic]
    record: dict[str, Any] = {
        "q": turn.question,
        "a_meta": {"literal_obj": literal, "pragmatic_obj": pragmatic},
        "a": answer.text,
    }
    if turn.ratings:
        record["human_eval"] = [str(BEST + WORST - turn.ratings[name]) for name in RATINGS]
    return record


def _span(span: CorpusSpan) -> dict[str, Any]:
    return {"text": span.text, "startKey": span.start_key, "endKey": span.end_key}
