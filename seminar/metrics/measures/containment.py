"""Whether a passage holds an answer, and top-k accuracy (DPR; Karpukhin et al., 2020)."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from seminar.errors import unknown
from seminar.metrics.extras import require
from seminar.metrics.measures.normalisation import normalise_marks
from seminar.metrics.strictness import fault

_TOKEN = r"[\p{L}\p{N}\p{M}]+|[^\p{Z}\p{C}]"
_GAP = "\0"  # a control character, so part of no token


@dataclass(frozen=True, slots=True)
class TopK:
    """Hits and accuracy at each depth, and every question's hits passage by passage."""

    hits: tuple[int, ...]
    accuracy: tuple[float, ...]
    by_question: tuple[tuple[bool, ...], ...]


def dpr_tokens(text: str) -> list[str]:
    """Runs of letters, numbers and marks, or single other signs, decomposed and lower-case.

    >>> dpr_tokens("John's co-founder")
    ['john', "'", 's', 'co', '-', 'founder']
    """
    tokens: list[str] = require("regex").findall(_TOKEN, unicodedata.normalize("NFD", text))
    return [token.lower() for token in tokens]


def has_answer(answers: Sequence[str], text: str) -> bool:
    """Whether the tokens of any answer occur in a row in the text; none always do."""
    return _searchable_has_answer(answers, _searchable(text))


def has_answer_pattern(answers: Sequence[str], text: str) -> bool:
    """Whether any answer, read as a regular expression, matches in the text."""
    regex = require("regex")
    flags = regex.IGNORECASE | regex.UNICODE | regex.MULTILINE
    plain = unicodedata.normalize("NFD", text)

    def matches(answer: str) -> bool:
        try:
            return regex.search(unicodedata.normalize("NFD", answer), plain, flags) is not None
        except regex.error:
            return False

    return any(matches(answer) for answer in answers)


def has_answer_kilt(answers: Sequence[str], text: str) -> bool:
    """Whether any normalised answer is a part of the normalised text (KILT)."""
    plain = normalise_marks(text)
    return any(normalise_marks(answer) in plain for answer in answers)


def reader_exact_match(prediction: str, reference: str) -> bool:
    """Exact match of the readers of DPR and FiD: marks are letters, nothing is decomposed."""
    return normalise_marks(prediction) == normalise_marks(reference)


MATCHERS: dict[str, Callable[[Sequence[str], str], bool]] = {
    "string": has_answer,
    "regex": has_answer_pattern,
    "kilt": has_answer_kilt,
}


def top_k(
    documents: Mapping[str, str | None],
    answers: Sequence[Sequence[str]],
    retrieved: Sequence[Sequence[str]],
    *,
    match: str = "string",
    strict: bool = False,
) -> TopK:
    """How often the first k retrieved passages hold an answer, for k up to the first list's length.

    A document whose text is None holds nothing. Lists beyond the answers count as misses.
    """
    if match not in MATCHERS:
        raise unknown("match", match, MATCHERS)
    if not retrieved:
        raise fault(IndexError, "no retrieved passages to score", strict=strict)
    hits = [0] * len(retrieved[0])
    by_question = []
    for aliases, ids in zip(answers, retrieved, strict=False):
        holds = partial(_holds, documents, aliases, MATCHERS[match], strict=strict)
        relevant = tuple(holds(key) for key in ids)
        by_question.append(relevant)
        first = relevant.index(True) if True in relevant else len(hits)
        for depth in range(first, len(hits)):
            hits[depth] += 1
    accuracy = tuple(count / len(retrieved) for count in hits)
    return TopK(hits=tuple(hits), accuracy=accuracy, by_question=tuple(by_question))


def _holds(
    documents: Mapping[str, str | None],
    answers: Sequence[str],
    matcher: Callable[[Sequence[str], str], bool],
    key: str,
    *,
    strict: bool,
) -> bool:
    """Whether one document holds an answer."""
    if key not in documents:
        raise fault(KeyError, f"retrieved document '{key}' isn't in the collection", strict=strict)
    text = documents[key]
    return text is not None and matcher(answers, text)


def _searchable(text: str) -> str:
    """A text's tokens with a gap around each, so that rows of tokens are found as substrings."""
    return _GAP + "".join(token + _GAP for token in dpr_tokens(text))


def _searchable_has_answer(answers: Sequence[str], searchable: str) -> bool:
    """Whether the tokens of any answer occur in a row in a searchable text."""
    return any(_searchable(answer) in searchable for answer in answers)
