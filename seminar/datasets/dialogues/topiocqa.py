"""TopiOCQA: open-domain conversations that switch topics (Adlakha et al., 2022)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from seminar.datasets.dialogues.turn_records import example_of
from seminar.datasets.files import Split, find, read_json, read_records, read_rows
from seminar.datasets.records import Record
from seminar.examples import Evidence, Example, Gold
from seminar.types import SEPARATOR, Passage

TITLE = "TopiOCQA"
SIGNATURE = ("Conversation_no", "Topic")
UNANSWERABLE = "UNANSWERABLE"


def read(path: Path) -> Iterator[Example]:
    """The turns of an official file, with the gold passage and additional answers it has."""
    for record in read_records(path):
        yield example_of(record, _gold(record))


def _gold(record: Record) -> Gold:
    answers = [record.text("Answer")]
    if record.has("Additional_answers"):
        answers += [answer.text("Answer") for answer in record.items("Additional_answers")]
    return Gold(
        answers=tuple(answers),
        answerable=answers[0] != UNANSWERABLE,
        topic=record.text_or_empty("Topic"),
        section=record.text_or_empty("Topic_section"),
        evidence=(_passage(record["Gold_passage"]),) if record.has("Gold_passage") else (),
    )


def _passage(record: Record) -> Evidence:
    source = record.name("id") if record.has("id") else record.text_or_empty("passage_id")
    return Evidence(record.text("text"), source, record.text("title"))


def read_retrieval(path: Path) -> Iterator[Example]:
    """The turns of a retriever file: the question in one of three forms, and its gold passages."""
    for record in read_json(path).items():
        conversation, turn = record.name("conv_id"), record.integer("turn_id")
        answers = record.texts("answers")
        yield Example(
            id=f"{conversation}_{turn}",
            dialogue_id=conversation,
            question=record.text("question"),
            gold=Gold(
                answers=answers,
                answerable=UNANSWERABLE not in answers[:1],
                evidence=tuple(map(_passage, record.items("positive_ctxs"))),
            ),
            turn=turn,
        )


def passages(folder: Path) -> Iterator[Passage]:
    """The corpus `full_wiki_segments.tsv`: id, text, and 'title [SEP] section'."""
    corpus = find(folder, ("full_wiki_segments.tsv", "data/wikipedia_split/full_wiki_segments.tsv"))
    for _, (name, text, heading) in read_rows(corpus, 3):
        if name == "id":
            continue
        words = _unquoted(text)
        title, _, section = _unquoted(heading).partition(SEPARATOR)
        yield Passage(name, 0, len(words), words, title=title, section=section)


def _unquoted(cell: str) -> str:
    # The file was written by a CSV writer: a cell with quotes is quoted, its quotes doubled.
    if len(cell) > 1 and cell[0] == cell[-1] == '"':
        return cell[1:-1].replace('""', '"')
    return cell


def _retrieval(form: str, part: str) -> Split:
    names = (f"topiocqa_{form}_retriever_{part}.json", f"data/retriever/{form}/{part}.json")
    return Split(names, read_retrieval)


SPLITS = {
    "train": Split(("topiocqa_train.json", "topiocqa_train.jsonl"), read),
    "dev": Split(("topiocqa_dev.json", "topiocqa_valid.jsonl", "topiocqa_valid.json"), read),
    "test": Split(("topiocqa_test.json", "topiocqa_test.jsonl"), read),
    "train-original": _retrieval("original", "train"),
    "dev-original": _retrieval("original", "dev"),
    "train-all-history": _retrieval("all_history", "train"),
    "dev-all-history": _retrieval("all_history", "dev"),
    "train-rewrites": _retrieval("rewrites_t5_qrecc", "train"),
    "dev-rewrites": _retrieval("rewrites_t5_qrecc", "dev"),
}
