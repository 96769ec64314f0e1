"""Hard negatives: paragraphs that BM25 finds for a question and that don't hold its answer."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from seminar.errors import MissingExtraError
from seminar.examples import Example, Gold

DEPTH = 10


def retrieved_negatives(
    questions: Sequence[Example], corpus: Sequence[Example], cache: Path
) -> list[Example]:
    """Each question with the best paragraph of the corpus that doesn't answer it.

    The search takes minutes, so its outcome is kept in the cache under what it was made from.
    """
    if not questions:
        return []
    paragraphs = list({example.context: example for example in corpus}.values())
    made_from = "\n".join([*(one.id for one in questions), *(one.context for one in paragraphs)])
    path = cache / f"negatives-{hashlib.sha256(made_from.encode()).hexdigest()[:16]}.json"
    if not path.exists():
        rankings = search([one.question for one in questions], [one.context for one in paragraphs])
        cache.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(rankings), encoding="utf-8")
    chosen = json.loads(path.read_text(encoding="utf-8"))
    negatives = []
    for question, ranking in zip(questions, chosen, strict=True):
        wrong = next((at for at in ranking if _is_wrong(paragraphs[at], question)), None)
        if wrong is not None:
            negatives.append(_about(question, paragraphs[wrong]))
    return negatives


def _is_wrong(paragraph: Example, question: Example) -> bool:
    """Whether a paragraph has none of the answers; for a yes or no, is of another article."""
    if question.gold.affirmation in ("yes", "no"):
        return (paragraph.title or paragraph.context) != (question.title or question.context)
    return not holds(paragraph.context, question)


def holds(paragraph: str, question: Example) -> bool:
    """Whether a paragraph has one of the question's answers in it, in any case."""
    lowered = paragraph.lower()
    return any(answer.lower() in lowered for answer in question.gold.answers)


def _about(question: Example, paragraph: Example) -> Example:
    return replace(
        question,
        gold=Gold(answerable=False),
        context=paragraph.context,
        title=paragraph.title,
        sources=paragraph.sources,
    )


def search(
    questions: Sequence[str], paragraphs: Sequence[str], *, depth: int = DEPTH
) -> list[list[int]]:
    """The best paragraphs for each question by BM25, by their places in the list."""
    try:
        import bm25s
    except ImportError as error:
        raise MissingExtraError("mining hard negatives", "train") from error
    index = bm25s.BM25(k1=0.9, b=0.4)
    index.index(bm25s.tokenize(list(paragraphs), show_progress=False), show_progress=False)
    words = bm25s.tokenize(list(questions), show_progress=False, return_ids=False)
    found, _ = index.retrieve(words, k=depth, show_progress=False, n_threads=1)
    return [[int(at) for at in row] for row in found]
