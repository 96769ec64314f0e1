"""TopiOCQA's bounds and its retrieval baseline (Adlakha et al., 2022)."""

from __future__ import annotations

from collections.abc import Sequence

from seminar.examples import Example
from seminar.metrics.measures.answer_spans import best_span
from seminar.metrics.measures.overlap import TurnScore, score_humans, score_turn
from seminar.metrics.official.topiocqa import TopiocqaPassage, TopiocqaRanking
from seminar.protocols import Retriever
from seminar.types import SEPARATOR, Hit, Query

UNANSWERABLE = "UNANSWERABLE"


def human(examples: Sequence[Example]) -> list[TurnScore]:
    """Exact match and F1 of people on each turn: every reference against the others, averaged."""
    return [score_humans(example.gold.answers) for example in examples]


def extractive_bound(examples: Sequence[Example]) -> list[str]:
    """The best answer that a span of the gold passage can give, or UNANSWERABLE where it is gold.

    For each reference the span of highest F1; of these the one with the highest score.
    """
    return [_bound(example) for example in examples]


def _bound(example: Example) -> str:
    references = example.gold.answers
    if not example.gold.answerable:
        return UNANSWERABLE
    spans = [
        passage.text[span.start : span.end]
        for passage in example.gold.evidence
        for reference in references
        if (span := best_span(passage.text, reference))
    ]

    def worth(span: str) -> tuple[float, float]:
        score = score_turn(span, references)
        return score.f1, score.exact

    return max(spans, key=worth, default="")


def rank_passages(
    examples: Sequence[Example], queries: Sequence[Query], retriever: Retriever, k: int = 100
) -> list[TopiocqaRanking]:
    """The k best passages for each turn in the form of the official result files.

    The paper's rows are BM25 (k1 = 0.9, b = 0.4) with the question alone, with all history, or
    with the rewritten question as the query.
    """
    return [
        TopiocqaRanking(
            conv_id=example.dialogue_id,
            turn_id=str(example.turn),
            ctxs=[_context(hit) for hit in hits],
        )
        for example, hits in zip(examples, retriever.search(queries, k), strict=True)
    ]


def _context(hit: Hit) -> TopiocqaPassage:
    passage = hit.passage
    heading = f"{passage.title}{SEPARATOR}{passage.section}"
    return TopiocqaPassage(id=passage.source, title=heading, text=passage.text)
