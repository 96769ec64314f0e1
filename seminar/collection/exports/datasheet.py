"""A datasheet in Markdown (Gebru et al., 2021), as far as the study's records tell it."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping
from datetime import timedelta

from seminar.collection.exports.conversations import Conversation, conversations
from seminar.collection.pay.amounts import decimal_amount
from seminar.collection.pay.ledger import balances
from seminar.collection.records import ASSISTANT, StudyRecords
from seminar.collection.reports.agreement import Agreement, agreement
from seminar.text import count_words

PAPERS = {
    "quac": "QuAC (Choi et al., 2018)",
    "topiocqa": "TopiOCQA (Adlakha et al., 2022)",
    "pragmaticqa": "PragmatiCQA (Qi et al., 2023)",
    "qaconv": "QAConv (Wu et al., 2022)",
}
_OPEN = {
    "Motivation": (
        "For what purpose was the dataset created, by whom, and who funded it?",
        "Was the collection reviewed for its ethics?",
    ),
    "Uses": (
        "What can the dataset be used for, and what should it not be used for?",
        "Could anything in it harm people or groups?",
    ),
    "Distribution and maintenance": (
        "Under which licence is it given out, and under which are the texts that were read?",
        "Who maintains it, and how are errors reported?",
    ),
}
Row = tuple[str, str]


def datasheet(records: StudyRecords, splits: Mapping[str, int] | None = None) -> str:
    """The datasheet of a study: what was counted, and the questions that its authors must answer.

    `splits` has how many dialogs are in each.
    """
    dialogs = conversations(records)
    parts = [
        f"# Datasheet of {_line(records.name)}",
        _table("Composition", _composition(records, dialogs, splits or {})),
        _table("Collection", _collection(records, dialogs)),
        _table("Agreement", map(_agreement, agreement(records))),
        *(_questions(title, open_questions) for title, open_questions in _OPEN.items()),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _composition(
    records: StudyRecords, dialogs: list[Conversation], splits: Mapping[str, int]
) -> Iterable[Row]:
    turns = [turn for conversation in dialogs for turn in conversation.turns]
    questions = [count_words(turn.question) for turn in turns]
    subjects = {conversation.dialog.subject for conversation in dialogs}
    annotated = sum(
        1
        for conversation in dialogs
        for several in conversation.annotations.values()
        if any(not one.option for one in several)
    )
    yield "form", PAPERS.get(records.protocol, records.protocol)
    yield "dialogs", f"{len(dialogs):,}"
    for split, count in splits.items():
        yield f"dialogs in {split}", f"{count:,}"
    yield "questions", f"{len(turns):,}"
    yield "questions per dialog", _mean([len(one.turns) for one in dialogs])
    yield "words per question", _mean(questions)
    yield "subjects", f"{len(subjects):,}"
    yield "questions with further annotations", f"{annotated:,}"
    assisted = sum(conversation.dialog.assisted for conversation in dialogs)
    yield "dialogs in which a program drafted answers", f"{assisted:,}"


def _collection(records: StudyRecords, dialogs: list[Conversation]) -> Iterable[Row]:
    workers = {
        seat.worker for one in dialogs for seat in one.dialog.seats if seat.worker != ASSISTANT
    }
    ended = [one for one in records.dialogs if one.state == "ended" and one.task == "dialog"]
    yield "people who joined", f"{len(records.workers):,}"
    yield "people in these dialogs", f"{len(workers):,}"
    yield "came from", ", ".join(sorted({one.platform or "a link" for one in records.workers}))
    if dialogs:
        first = min(one.dialog.began for one in dialogs)
        last = max(one.dialog.ended or one.dialog.began for one in dialogs)
        yield "collected", f"{first:%Y-%m-%d} to {last:%Y-%m-%d}"
    discarded = sum(not one.kept for one in ended if not one.practice)
    yield "discarded for too few turns", f"{discarded:,}"
    yield "rejected by the study's team", f"{sum(one.review == 'rejected' for one in ended):,}"
    yield from _pay(records)
    yield "personal data", "workers have random ids; who withdrew is in no file"


def _pay(records: StudyRecords) -> Iterable[Row]:
    total = sum(balances(records.pay).values())
    yield "paid in all", f"{decimal_amount(total, records.currency)} {records.currency}"
    of_dialog = {dialog.id: dialog for dialog in records.dialogs}
    time, paid = timedelta(), 0
    seen: set[tuple[str, str]] = set()
    for entry in records.pay:
        dialog = of_dialog.get(entry.dialogue)
        if dialog is None or dialog.ended is None:
            continue
        paid += entry.amount
        if (entry.dialogue, entry.worker) not in seen:
            seen.add((entry.dialogue, entry.worker))
            time += dialog.ended - dialog.began
    if time:
        hourly = round(paid / (time / timedelta(hours=1)))
        amount = decimal_amount(hourly, records.currency)
        yield "paid per hour of work", f"{amount} {records.currency}"


def _agreement(measure: Agreement) -> Row:
    value = "none yet" if measure.value is None else f"{measure.value:.2f}"
    return measure.name, f"{value} ({measure.turns:,} questions)"


def _table(title: str, rows: Iterable[Row]) -> str:
    lines = [f"| {name} | {_line(value)} |" for name, value in rows]
    return "\n".join([f"## {title}", "", "| | |", "|---|---|", *lines]) if lines else ""


def _questions(title: str, questions: Iterable[str]) -> str:
    """What no record tells, for the authors to answer."""
    lines = [f"- {question} *Not answered yet.*" for question in questions]
    return "\n".join([f"## {title}", "", *lines])


def _mean(values: list[int]) -> str:
    return f"{statistics.fmean(values):.1f}" if values else "0"


def _line(text: str) -> str:
    """A text that neither ends a table's line nor begins a column."""
    return " ".join(text.split()).replace("|", "\\|")
