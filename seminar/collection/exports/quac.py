"""A study in QuAC's official form: one object of articles for train, one for validation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from seminar.collection.corpus.lookup import CorpusIndex, opening, section_of
from seminar.collection.exports.conversations import Conversation
from seminar.collection.records import SpanAnswer, StudyRecords, Turn
from seminar.collection.rules.quac import ANNOTATIONS
from seminar.datasets.dialogues.quac import AFFIRMATIONS, CANNOT_ANSWER, CONTINUATIONS
from seminar.types import Section

FILES = {"train": "train_v0.2.json", "dev": "val_v0.2.json", "test": "test_v0.2.json"}
_YES_NO = {act: letter for letter, act in AFFIRMATIONS.items()}
_FOLLOW_UP = {act: letter for letter, act in CONTINUATIONS.items()}


def split_files(
    records: StudyRecords, splits: Mapping[str, Sequence[Conversation]]
) -> dict[str, object]:
    """The official file of each split, by its name."""
    index = CorpusIndex(records.corpus)
    return {
        FILES[name]: {"data": [_article(index, conversation, name) for conversation in dialogs]}
        for name, dialogs in splits.items()
    }


def _article(index: CorpusIndex, conversation: Conversation, split: str) -> dict[str, Any]:
    page, section = section_of(index, conversation.dialog.subject)
    text = _one_line(page.text[section.start : section.end])
    context = f"{text} {CANNOT_ANSWER}"
    name = f"C_{conversation.dialog.id}"
    qas = [
        _question(conversation, turn, section, context) | {"id": f"{name}_q#{turn.number - 1}"}
        for turn in conversation.turns
    ]
    if split == "train":
        qas = [question | {"answers": [question["orig_answer"]]} for question in qas]
    return {
        "title": page.title,
        "background": opening(page, section),
        "section_title": section.title,
        "paragraphs": [{"context": context, "id": name, "qas": qas}],
    }


def _question(
    conversation: Conversation, turn: Turn, section: Section, context: str
) -> dict[str, Any]:
    first = _span_answer(turn.answer)
    others = [
        one.answer
        for one in conversation.annotations.get(turn.number, ())
        if isinstance(one.answer, SpanAnswer)
    ][:ANNOTATIONS]
    answers = [_answer(answer, section, context) for answer in (first, *others)]
    return {
        "question": turn.question,
        "followup": _FOLLOW_UP[first.continuation],
        "yesno": _YES_NO[first.affirmation],
        "answers": answers,
        "orig_answer": answers[0],
    }


def _answer(answer: SpanAnswer, section: Section, context: str) -> dict[str, Any]:
    if answer.span is None:
        return {"text": CANNOT_ANSWER, "answer_start": len(context) - len(CANNOT_ANSWER)}
    start, end = answer.span.start - section.start, answer.span.end - section.start
    return {"text": context[start:end], "answer_start": start}


def _span_answer(answer: object) -> SpanAnswer:
    if not isinstance(answer, SpanAnswer):
        raise TypeError(f"a turn of QuAC has a span as answer, not {type(answer).__name__}")
    return answer


def _one_line(text: str) -> str:
    """The text without line ends, as in the official files, and of the same length."""
    return text.replace("\n", " ")
