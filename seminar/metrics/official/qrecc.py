"""QReCC retrieval (Anantha et al., 2021): a passage is relevant if it nearly says the answer."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypedDict

from seminar.metrics.measures.normalisation import normalise, tokens
from seminar.metrics.measures.overlap import bag, bag_f1_agreeing, f1_agreeing
from seminar.metrics.strictness import check_some

RELEVANT = 0.8
SLACK = 0.05  # how much longer than the answer a window is

QreccRow = TypedDict(
    "QreccRow",
    {
        "Conversation-ID": int,
        "Turn-ID": int,
        "docid": str,
        "content": str,
        "answer": str,
        "rank": int,
    },
)


@dataclass(frozen=True, slots=True)
class Match:
    """The words of a passage that come nearest to an answer, and their F1."""

    span: str
    f1: float


@dataclass(frozen=True, slots=True)
class QreccScores:
    """Retrieval scores, 0 to 1, and every question's matches passage by passage."""

    mrr: float
    recall_at_10: float
    recall_at_100: float
    relevant_documents: int
    perfect_per_question: float
    matches: tuple[tuple[Match, ...], ...]


def closest_span(passage: str, answer: str) -> Match:
    """The words of a passage that come nearest to an answer.

    >>> closest_span("He said: 'hello, world!' twice", "hello world")
    Match(span="'hello, world!'", f1=1.0)
    """
    words = _nearest_window(passage, answer).split()
    plain = [normalise(word) for word in words]
    expected = bag(tokens(answer))
    best, start, end = 0.0, 0, len(words)
    for i in range(len(words)):
        for j in range(i + 1, len(words) + 1):
            value = bag_f1_agreeing(expected, bag([word for word in plain[i:j] if word]))
            if value > best:
                best, start, end = value, i, j
    span = " ".join(words[start:end])
    return Match(span=span, f1=f1_agreeing(answer, span))


def _nearest_window(passage: str, answer: str) -> str:
    """The answer if the passage holds it, else the window most like it, the first of the best."""
    if answer in passage:
        return answer
    matcher = difflib.SequenceMatcher(b=answer)
    best, nearest = 0.0, ""
    for window in _windows(passage.split(), len(answer.split())):
        matcher.set_seq1(window)
        likeness = matcher.quick_ratio()
        if likeness > best:
            best, nearest = likeness, window
        if likeness == 1.0:
            break
    return nearest


def _windows(words: Sequence[str], length: int) -> Iterator[str]:
    """Every run of words a little longer than the answer."""
    size = length + int(SLACK * length)
    starts = range(len(words) - size + 1) if size else ()
    return (" ".join(words[start : start + size]) for start in starts)


def score(rows: Iterable[QreccRow], *, strict: bool = False) -> QreccScores:
    """MRR and recall of retrieved passages; where there is no answer, no passage is relevant."""
    questions: dict[tuple[object, object], list[tuple[QreccRow, Match]]] = {}
    for row in rows:
        match = closest_span(row["content"], row["answer"]) if row["answer"] else Match("", 1.0)
        key = (row["Conversation-ID"], row["Turn-ID"])
        questions.setdefault(key, []).append((row, match))
    check_some(questions, "questions", strict=strict)
    best_ranks = [_best_rank(pairs) for pairs in questions.values()]
    judged = [pair for pairs in questions.values() for pair in pairs if pair[0]["answer"]]
    count = len(questions)
    return QreccScores(
        mrr=sum(1 / rank for rank in best_ranks) / count,
        recall_at_10=sum(rank <= 10 for rank in best_ranks) / count,
        recall_at_100=sum(rank <= 100 for rank in best_ranks) / count,
        relevant_documents=len({row["docid"] for row, match in judged if match.f1 >= RELEVANT}),
        perfect_per_question=sum(match.f1 >= 1.0 for _, match in judged) / count,
        matches=tuple(tuple(match for _, match in pairs) for pairs in questions.values()),
    )


def _best_rank(pairs: Sequence[tuple[QreccRow, Match]]) -> float:
    """The rank of the first relevant passage; infinite without one."""
    ranks = [row["rank"] for row, match in pairs if row["answer"] and match.f1 >= RELEVANT]
    return min(ranks, default=math.inf)
