"""The two retrieval tasks: which passages are searched, and which one each question is after."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from seminar.datasets.catalog import documents, load
from seminar.examples import Example
from seminar.ingestion.passages import split
from seminar.types import Passage


@dataclass(frozen=True)
class Task:
    """Questions over passages; `gold` holds the id of the passage that each question is after."""

    name: str
    passages: list[Passage]
    questions: list[str]
    gold: list[str]


def squad(split_name: str = "dev") -> Task:
    """SQuAD 1.1 questions over all paragraphs of train and dev."""
    paragraphs: dict[tuple[str, str], Passage] = {}
    asked: list[Example] = []
    for part in ("train", "dev"):
        examples = list(load(f"squad/{part}"))
        paragraphs |= _paragraphs(examples)
        if part == split_name:
            asked = examples
    return _task(f"SQuAD 1.1 {split_name}", paragraphs, asked, list(paragraphs.values()))


def natural_questions(split_name: str = "oracle") -> Task:
    """NQ questions with gold passages, over those passages and the Wikispeedia articles."""
    asked = list(load(f"nq_gold_passages/{split_name}"))
    paragraphs = _paragraphs(asked)
    wikispeedia = [one for document in documents("wikispeedia") for one in split(document)]
    name = f"NQ gold passages ({split_name}) + Wikispeedia"
    return _task(name, paragraphs, asked, [*paragraphs.values(), *wikispeedia])


def _paragraphs(examples: Iterable[Example]) -> dict[tuple[str, str], Passage]:
    found: dict[tuple[str, str], Passage] = {}
    for one in examples:
        key = (one.title, one.context)
        if key not in found:
            title = one.title.replace("_", " ")
            found[key] = Passage(one.sources[0], 0, len(one.context), one.context, title)
    return found


def _task(
    name: str,
    paragraphs: dict[tuple[str, str], Passage],
    asked: list[Example],
    passages: list[Passage],
) -> Task:
    gold = [paragraphs[one.title, one.context].id for one in asked]
    return Task(name, passages, [one.question for one in asked], gold)


TASKS: dict[str, Callable[[], Task]] = {"squad": squad, "nq": natural_questions}
TUNING: dict[str, Callable[[], Task]] = {
    "squad": lambda: squad("train"),
    "nq": lambda: natural_questions("openbook"),
}
