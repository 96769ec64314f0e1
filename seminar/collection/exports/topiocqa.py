"""A study in TopiOCQA's official form: a list of turns, each with the dialog before it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from seminar.collection.corpus.lookup import CorpusIndex
from seminar.collection.corpus.records import Page
from seminar.collection.exports.conversations import Conversation
from seminar.collection.records import CorpusSpan, FreeAnswer, StudyRecords
from seminar.collection.rules.topiocqa import ANNOTATIONS
from seminar.datasets.dialogues.topiocqa import UNANSWERABLE
from seminar.types import SEPARATOR, Section

FILES = {
    "train": "topiocqa_train.json",
    "dev": "topiocqa_dev.json",
    "test": "topiocqa_test.json",
}
INTRODUCTION = "Introduction"


def split_files(
    records: StudyRecords, splits: Mapping[str, Sequence[Conversation]]
) -> dict[str, object]:
    """The official file of each split, by its name; conversations are numbered from 1 in each."""
    index = CorpusIndex(records.corpus)
    given = {(one.page, one.question) for one in records.corpus.first_questions}
    return {
        FILES[name]: [
            turn
            for number, conversation in enumerate(dialogs, start=1)
            for turn in _turns(index, conversation, number, given)
        ]
        for name, dialogs in splits.items()
    }


def _turns(
    index: CorpusIndex, conversation: Conversation, number: int, given: set[tuple[str, str]]
) -> list[dict[str, Any]]:
    before: list[str] = []
    turns = []
    for turn in conversation.turns:
        first = _free_answer(turn.answer)
        others = [
            one.answer
            for one in conversation.annotations.get(turn.number, ())
            if isinstance(one.answer, FreeAnswer)
        ][:ANNOTATIONS]
        asked = (conversation.dialog.subject, turn.question)
        record = {
            "Conversation_no": number,
            "Turn_no": turn.number,
            "Question": turn.question,
            "is_nq": turn.number == 1 and asked in given,
            "Context": list(before),
            **_answer(index, first),
        }
        if others or conversation.is_annotated:
            record["Additional_answers"] = [_answer(index, answer) for answer in others]
        if first.rationale:
            record["Gold_passage"] = _passage(index, first.rationale)
        turns.append(record)
        before += [turn.question, str(record["Answer"])]
    return turns


def _answer(index: CorpusIndex, answer: FreeAnswer) -> dict[str, str]:
    if answer.rationale is None:
        return {"Answer": UNANSWERABLE, "Topic": "", "Topic_section": "", "Rationale": ""}
    page = index.pages[answer.rationale.page]
    return {
        "Answer": answer.text,
        "Topic": page.title,
        "Topic_section": _section_title(_section(page, answer.rationale)),
        "Rationale": answer.rationale.text,
    }


def _passage(index: CorpusIndex, rationale: CorpusSpan) -> dict[str, str]:
    """The section that holds the rationale, or most of it; the official files have its passage."""
    page = index.pages[rationale.page]
    section = _section(page, rationale)
    start, end = (section.start, section.end) if section else (0, len(page.text))
    return {
        "id": f"{page.id}#{start}-{end}",
        "title": f"{page.title}{SEPARATOR}{_section_title(section)}",
        "text": page.text[start:end].strip(),
    }


def _section(page: Page, span: CorpusSpan) -> Section | None:
    overlaps = {
        section: min(section.end, span.end) - max(section.start, span.start)
        for section in page.sections
    }
    best = max(overlaps, key=lambda section: overlaps[section], default=None)
    return best if best is not None and overlaps[best] > 0 else None


def _section_title(section: Section | None) -> str:
    return (section.title.rpartition(" > ")[2] if section else "") or INTRODUCTION


def _free_answer(answer: object) -> FreeAnswer:
    if not isinstance(answer, FreeAnswer):
        raise TypeError(f"a turn of TopiOCQA has a free answer, not {type(answer).__name__}")
    return answer
