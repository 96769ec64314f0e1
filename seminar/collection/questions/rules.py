"""The rules of form for questions and answers about conversations (QAConv, section 2.1.3)."""

from __future__ import annotations

import re
from collections.abc import Callable

from seminar.text import count_words, words

LEAST_WORDS = 7  # of a question: more than 6
MOST_WORDS = 19  # of an answer: less than 20

_PERSON = re.compile(
    r"\b(I|me|my|mine|myself|we|us|our|ours|ourselves|you|your|yours|yourself|yourselves)\b"
    r"|\b(I|we|you)['’](m|ve|ll|d|re)\b",
    re.IGNORECASE,
)
_COUNTRY = re.compile(r"\b(?:US|U\.S\.)(?!\w)")  # no pronoun, if in capitals


def _has_words(question: str, answer: str, source: str) -> bool:
    return count_words(question) >= LEAST_WORDS


def _asks(question: str, answer: str, source: str) -> bool:
    return question.rstrip().endswith("?")


def _is_impersonal(question: str, answer: str, source: str) -> bool:
    return not _PERSON.search(_COUNTRY.sub("", f"{question} {answer}"))


def _is_answered(question: str, answer: str, source: str) -> bool:
    return bool(words(answer))


def _is_brief(question: str, answer: str, source: str) -> bool:
    return count_words(answer) <= MOST_WORDS


def _stands_in_source(question: str, answer: str, source: str) -> bool:
    return _bag(answer) <= _bag(source)


def _bag(text: str) -> set[str]:
    return {text[start:end].casefold() for start, end in words(text)}


RULES: dict[str, Callable[[str, str, str], bool]] = {
    "more than 6 words in the question": _has_words,
    "a question mark at its end": _asks,
    "no first or second person": _is_impersonal,
    "an answer": _is_answered,
    "less than 20 words in the answer": _is_brief,
    "all words of the answer in the source": _stands_in_source,
}


def broken_rules(question: str, answer: str, source: str) -> tuple[str, ...]:
    """The names of the rules that a question and its answer break, in their order.

    >>> broken_rules("Who has your key", "Bo", "Ada: Bo has it.")
    ('more than 6 words in the question', 'a question mark at its end', 'no first or second person')
    """
    return tuple(name for name, holds in RULES.items() if not holds(question, answer, source))
