"""SQuAD 1.1 and 2.0: questions about paragraphs of Wikipedia (Rajpurkar et al., 2016, 2018)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from seminar.datasets.files import Split, find, read_json, read_json_lines
from seminar.datasets.records import Record
from seminar.examples import Example, Gold

TITLE = "SQuAD"
SIGNATURE = ("paragraphs", "qas", "context")


def read(path: Path) -> Iterator[Example]:
    """Every question of an official file, 1.1 or 2.0."""
    for article in read_json(path).items("data"):
        title = article.text("title")
        for number, paragraph in enumerate(article.items("paragraphs")):
            context = paragraph.text("context")
            for qa in paragraph.items("qas"):
                yield Example(
                    id=qa.text("id"),
                    dialogue_id=qa.text("id"),
                    question=qa.text("question"),
                    gold=gold(qa),
                    context=context,
                    title=title,
                    sources=(f"{title}/{number}",),
                )


def gold(qa: Record) -> Gold:
    """Answers with their offsets; none where 2.0 marks the question as impossible."""
    answers = [
        (answer.text("text"), answer.integer("answer_start")) for answer in qa.items("answers")
    ]
    return Gold(
        answers=tuple(text for text, _ in answers),
        answerable=not (qa.has("is_impossible") and qa.flag("is_impossible")),
        spans=tuple((start, start + len(text)) for text, start in answers),
    )


def read_unanswerable(path: Path) -> Iterator[Example]:
    """The unanswerable train questions of 2.0, joined to the paragraphs of 1.1 beside them."""
    paragraphs = _paragraphs(find(path.parent, ("train-v1.1.json",)))
    for record in read_json_lines(path):
        title, number = record.text("title"), record.integer("paragraph")
        if not 0 <= number < len(paragraphs.get(title, ())):
            raise record.fault(f"no paragraph {number} under '{title}' in train-v1.1.json")
        yield Example(
            id=record.text("id"),
            dialogue_id=record.text("id"),
            question=record.text("question"),
            gold=Gold(answerable=False),
            context=paragraphs[title][number],
            title=title,
            sources=(f"{title}/{number}",),
        )


def _paragraphs(path: Path) -> dict[str, list[str]]:
    return {
        article.text("title"): [
            paragraph.text("context") for paragraph in article.items("paragraphs")
        ]
        for article in read_json(path).items("data")
    }


SPLITS = {
    "train": Split(("train-v1.1.json",), read),
    "dev": Split(("dev-v1.1.json",), read),
    "train-v2": Split(("train-v2.0.json",), read),
    "dev-v2": Split(("dev-v2.0.json",), read),
    "train-v2-unanswerable": Split(("train-v2.0-unanswerable.jsonl",), read_unanswerable),
}
