"""Training data: files in Fusion-in-Decoder's form, PragmatiCQA, and synthetic questions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from seminar.datasets.catalog import load
from seminar.datasets.dialogues.pragmaticqa import community_passages, page_failed
from seminar.datasets.files import read_json_lines
from seminar.datasets.records import Record
from seminar.errors import ConfigurationError
from seminar.examples import Example
from seminar.networks.papers.fusion.pragmatic_targets import PragmaticTarget, write_target
from seminar.networks.papers.fusion.reader import question_with_history
from seminar.training.papers.fusion.examples import FusionExample
from seminar.training.papers.fusion.synthetic import SYNTHETIC
from seminar.training.reader.negatives import search
from seminar.types import Passage, Query

PRAGMATICQA = "pragmaticqa"


def load_examples(name: str, *, passages: int) -> list[FusionExample]:
    """Examples by name: `pragmaticqa/SPLIT`, `synthetic/PART`, or a file of JSON lines."""
    if name in SYNTHETIC:
        return SYNTHETIC[name]()
    dataset, _, split = name.partition("/")
    if dataset == PRAGMATICQA and split:
        return pragmatic_examples(list(load(name)), passages=passages)
    if not Path(name).is_file():
        raise ConfigurationError(
            f"{name!r} is neither {PRAGMATICQA}/SPLIT, nor {', '.join(SYNTHETIC)}, nor a file of "
            f"JSON lines with 'question', 'answers' and 'ctxs'"
        )
    return list(read_examples(Path(name)))


def read_examples(path: Path) -> Iterator[FusionExample]:
    """Fusion-in-Decoder's files: `question`, `answers` and `ctxs` with `title` and `text`.

    `answers` are the aliases of one answer or, as lists, several answers; `target` may say what
    to generate instead.
    """
    for number, record in enumerate(read_json_lines(path)):
        contexts = [_passage(one) for one in record.items("ctxs")]
        yield FusionExample(
            id=record.name("id") if record.has("id") else f"{path.stem}-{number}",
            question=record.text("question"),
            passages=tuple(contexts),
            answers=tuple(_answers(record)),
            target=record.text_or_empty("target"),
        )


def _passage(record: Record) -> str:
    title = record.text_or_empty("title")
    return f"{title}\n{record.text('text')}" if title else record.text("text")


def _answers(record: Record) -> list[tuple[str, ...]]:
    found = list(record.items("answers"))
    if all(isinstance(one.value, str) for one in found):
        return [tuple(one.as_text() for one in found)] if found else []
    return [tuple(alias.as_text() for alias in one.items()) for one in found]


def pragmatic_examples(examples: list[Example], *, passages: int) -> list[FusionExample]:
    """PragmatiCQA's turns over the passages of their community, in the paper's target form.

    The pages aren't released, so the passages are the blocks that the split's spans come from.
    """
    loaded = [one for one in examples if not page_failed(one)]
    corpora = community_passages(loaded)
    by_community: dict[str, list[Example]] = defaultdict(list)
    for one in loaded:
        by_community[one.sources[0]].append(one)
    return [
        example
        for community, questions in by_community.items()
        for example in _over(questions, corpora.get(community, []), passages)
    ]


def _over(asked: list[Example], corpus: list[Passage], depth: int) -> Iterator[FusionExample]:
    questions = [f"{one.title} {one.question}" for one in asked]
    depth = min(depth, len(corpus))
    rankings = search(questions, [one.searched for one in corpus], depth=depth) if depth else []
    for one, ranking in zip(asked, rankings or [[]] * len(asked), strict=True):
        target = PragmaticTarget(
            tuple(" ".join(span.text.split()) for span in one.gold.literal),
            tuple(" ".join(span.text.split()) for span in one.gold.pragmatic),
            one.gold.answers[0],
        )
        yield FusionExample(
            id=one.id,
            question=question_with_history(Query(one.question, one.question, history=one.history)),
            passages=tuple(corpus[at].searched for at in ranking),
            answers=(one.gold.answers,),
            target=write_target(target),
        )
