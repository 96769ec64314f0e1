"""Lexical evidence that a sentence answers a question: shared terms and the expected kind."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence

_NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|twenty|thirty|"
    r"forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|half|twice|once)\b",
    re.IGNORECASE,
)
_DATE = re.compile(
    r"\b(?:1\d{3}|20\d\d|January|February|March|April|May|June|July|August|September|October|"
    r"November|December|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|spring|summer|"
    r"autumn|winter|century|noon|midnight|\d{1,2}(?:st|nd|rd|th)|\d{1,2}[.:]\d\d)\b"
)
_NAME = re.compile(r"(?<![.!?\"“] )(?<!^)\b[A-Z][a-z]+")

# Patterns of questions, and what a sentence that answers them must contain.
_KINDS = (
    (re.compile(r"\bwhen\b|\b(?:what|which) (?:year|date|day|month|century|time)\b"), _DATE),
    (re.compile(r"\bhow (?:many|much|long|old|far|large|tall|often|big|high|deep)\b"), _NUMBER),
    (re.compile(r"\bwho(?:m|se)?\b"), _NAME),
)


def inverse_document_frequencies(texts: Sequence[set[str]]) -> dict[str, float]:
    """The inverse document frequency of each term of some texts: log(1 + n / (n with the term))."""
    counts = Counter(term for text in texts for term in text)
    return {term: math.log(1 + len(texts) / count) for term, count in counts.items()}


def coverage(question: set[str], text: set[str], idf: Mapping[str, float]) -> float:
    """The share of the question's terms that the text contains, weighted by `idf`."""
    rarest = max(idf.values(), default=1.0)
    weight = {term: idf.get(term, rarest) for term in question}
    total = sum(weight.values())
    return sum(weight[term] for term in question & text) / total if total else 0.0


def kind_agreement(question: str, sentence: str) -> float:
    """1 if the sentence contains the expected kind (date, number, name), -1 if not, 0 if unknown.

    >>> kind_agreement("When did it open?", "It opened in 1893.")
    1.0
    >>> kind_agreement("Who opened it?", "It rained all day.")
    -1.0
    """
    lowered = question.lower()
    for question_pattern, kind_pattern in _KINDS:
        if question_pattern.search(lowered):
            return 1.0 if kind_pattern.search(sentence) else -1.0
    return 0.0
