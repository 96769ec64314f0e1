"""Entailment, negation and answerability as questions about a text, to train the answer type.

A statement that a premise entails is a question answered yes, one that it contradicts is answered
no, and one that it leaves open is not answered there.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from seminar.datasets.catalog import ROOT_VARIABLE
from seminar.datasets.files import read_json_lines
from seminar.datasets.records import Record
from seminar.errors import ConfigurationError
from seminar.examples import Example, Gold
from seminar.metrics.measures.answer_spans import answer_spans
from seminar.reading.statements import as_question
from seminar.training.reader.examples import CANNOT_ANSWER
from seminar.training.samples import rank
from seminar.types import Affirmation

FOLDER = "verification"
LONGEST_EVIDENCE = 40  # words
LEAST_F1 = 0.6  # from which words of a passage stand for a free-form answer
AFFIRMATIONS: dict[str, Affirmation | None] = {
    "entailment": "yes",
    "supports": "yes",
    "YES": "yes",
    "contradiction": "no",
    "refutes": "no",
    "NO": "no",
    "neutral": None,
    "not_enough_info": None,
    "DON'T KNOW": None,
}


def verification_examples(limit: int, root: Path | None = None) -> list[Example]:
    """A fixed sample of at most `limit` examples of each source."""
    folder = verification_folder(root)
    examples = []
    for name, read in SOURCES.items():
        ordered = sorted(read(folder / name), key=lambda example: rank(example.id))
        examples += ordered[:limit]
    return examples


def verification_folder(root: Path | None = None) -> Path:
    """The folder of the sources, below the root of the datasets."""
    if root is None and not os.environ.get(ROOT_VARIABLE):
        raise ConfigurationError(f"no folder of datasets: set {ROOT_VARIABLE}")
    return (root or Path(os.environ[ROOT_VARIABLE])) / FOLDER


def _pairs(premise: str, hypothesis: str) -> Callable[[Path], Iterator[Example]]:
    """A function that reads pairs of sentences with a label of entailment."""

    def read(path: Path) -> Iterator[Example]:
        for number, record in enumerate(read_json_lines(path)):
            label = record.text("label")
            if label not in AFFIRMATIONS or not _is_allowed(record):
                continue
            text = untokenised(record.text(premise))
            question = as_question(untokenised(record.text(hypothesis)))
            yield _yes_no(f"{path.parent.name}-{number}", question, text, AFFIRMATIONS[label])

    return read


def _is_allowed(record: Record) -> bool:
    """Only SciTail's training part may be trained on."""
    return not record.has("official_split") or record.text("official_split") == "train"


def untokenised(text: str) -> str:
    """Space-tokenised text as people write it.

    >>> untokenised("It wo n't sail ( today ) , he said .")
    "It won't sail (today), he said."
    """
    text = text.replace("`` ", '"').replace(" ''", '"').replace(" n't", "n't").replace(" 's", "'s")
    text = re.sub(r" ([,.;:?!%)\]])", r"\1", text)
    return re.sub(r"([(\[]) ", r"\1", text)


def _yes_no(name: str, question: str, text: str, answer: Affirmation | None) -> Example:
    """A yes-or-no question about a text; a short text is its evidence as a whole."""
    gold = Gold(answerable=False)
    if answer:
        spans = ((0, len(text)),) if len(text.split()) <= LONGEST_EVIDENCE else ()
        gold = Gold((answer,), spans=spans, affirmation=answer)
    return Example(name, name, question, gold, context=text)


def _condaqa(path: Path) -> Iterator[Example]:
    for record in read_json_lines(path):
        label = record.text("label")
        if label in AFFIRMATIONS:
            name = f"condaqa-{record.text('id')}"
            passage = record.text("passage")
            answer = AFFIRMATIONS[label]
            gold = Gold((answer,), affirmation=answer) if answer else Gold(answerable=False)
            yield Example(name, name, record.text("question"), gold, context=passage)


def _doqa(path: Path) -> Iterator[Example]:
    for number, record in enumerate(read_json_lines(path)):
        if record.text("label") == "answerable" and not record.has("answers"):
            continue
        texts = [turn.text("text") for turn in record.items("history")]
        history = tuple(zip(texts[::2], map(_reply, texts[1::2]), strict=False))
        yield Example(
            f"doqa-{number}",
            f"doqa-{number}",
            record.text("question"),
            _located(record),
            history,
            context=record.text("passage"),
        )


def _reply(text: str) -> str:
    return CANNOT_ANSWER if text in ("CANNOTANSWER", "I don't know") else text


def _located(record: Record) -> Gold:
    if record.text("label") != "answerable":
        return Gold(answerable=False)
    answer = next(record.items("answers"))
    start, text = answer["answer_start"].as_integer(), answer.text("text")
    return Gold((text,), spans=((start, start + len(text)),))


def _fairytales(path: Path) -> Iterator[Example]:
    """Questions whose answer occurs in one place of the story, in about the same words."""
    for number, record in enumerate(read_json_lines(path)):
        passage = " ".join(record.text("passage").split())
        answers = tuple(answer.text("text") for answer in record.items("answers"))
        found = answer_spans(passage, answers, most=2)
        if len(found) == 1 and found[0].f1 >= LEAST_F1:
            gold = Gold(answers, spans=((found[0].start, found[0].end),))
            name = f"fairytale-{number}"
            yield Example(name, name, record.text("question"), gold, context=passage)


SOURCES: Mapping[str, Callable[[Path], Iterator[Example]]] = {
    "mnli/mnli_3way.jsonl.gz": _pairs("premise", "hypothesis"),
    "cad_nli/train.jsonl.gz": _pairs("premise", "hypothesis"),
    "scone_nli/train.jsonl.gz": _pairs("premise", "hypothesis"),
    "scitail/scitail.jsonl.gz": _pairs("premise", "hypothesis"),
    "fever_dev/fever_dev_claims.jsonl.gz": _pairs("evidence", "claim"),
    "fever_dev/fever_dev_nei.jsonl.gz": _pairs("evidence", "claim"),
    "condaqa/test.jsonl.gz": _condaqa,
    "doqa/doqa_part.jsonl.gz": _doqa,
    "fairytaleqa/train.jsonl.gz": _fairytales,
}
