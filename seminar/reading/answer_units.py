"""Complete an answer by the form of its question: a clause for why and how, a whole list."""

from __future__ import annotations

import re

from seminar.text import count_words, sentences
from seminar.types import Passage, Span

_EXPLAIN = re.compile(
    r"\b(?:why|how come|how(?! (?:many|much|long|old|far|large|tall|often|big|high|deep|fast|wide"
    r"|heavy|late|soon|early|few)\b))\b",
    re.IGNORECASE,
)
_LIST = re.compile(
    r"\b(?:list|name)\s+(?:all|every|the|each)\b|\b(?:what|which)\s+(?:\w+\s+){0,3}?are\b"
    r"|\bwhat\s+(?:kinds|types|sorts|options|steps|ways|items)\b",
    re.IGNORECASE,
)
_CODE = re.compile(r"[{};=<>]|\w\(|::|->|^\s*[$#@]|--\w")
SHORTEST_EXPLANATION = 4  # words; a shorter span for why or how becomes its sentence
LONGEST_UNIT = 600  # characters


def asks_to_explain(question: str) -> bool:
    """Whether a question asks why or how something is so.

    >>> asks_to_explain("How did it end?"), asks_to_explain("How many came?")
    (True, False)
    """
    return bool(_EXPLAIN.search(question))


def asks_for_list(question: str) -> bool:
    """Whether a question asks for all items of a list.

    >>> asks_for_list("What are the opening hours?"), asks_for_list("What is the fare?")
    (True, False)
    """
    return bool(_LIST.search(question))


def complete(question: str, span: Span) -> Span:
    """Extend a span to the unit that the form of the question asks for.

    Why and how get at least a clause, with the list or code after its colon; a question for all
    items gets the whole list that contains its answer.
    """
    if asks_to_explain(question):
        return _with_block_after_colon(_explanation(span))
    if asks_for_list(question):
        return _with_block_after_colon(_whole_list(span))
    return span


def _explanation(span: Span) -> Span:
    if count_words(span.text) >= SHORTEST_EXPLANATION:
        return span
    sentence = _sentence(span)
    return sentence if len(sentence.text) <= LONGEST_UNIT else span


def _sentence(span: Span) -> Span:
    places = sentences(span.passage.text)
    start, end = next(place for place in places if span.start < place[1])
    return Span(span.passage, min(start, span.start), max(end, span.end))


def _with_block_after_colon(span: Span) -> Span:
    """The span with the block that follows it if it ends with a colon."""
    text = span.passage.text
    end = span.end + 1 if text[span.end : span.end + 1] == ":" else span.end
    if not text[span.start : end].endswith(":"):
        return span
    blocks = (block for block in _blocks(span.passage) if block[0] >= end)
    following = next(blocks, None)
    if following is None or following[1] - span.start > LONGEST_UNIT:
        return span
    return Span(span.passage, span.start, following[1])


def _whole_list(span: Span) -> Span:
    """The block of lines around a span if it is a list; messages are not items of one."""
    if span.passage.utterances:
        return span
    for start, end in _blocks(span.passage):
        inside = start <= span.start and span.end <= end
        several = "\n" in span.passage.text[start:end].strip()
        if inside and several and end - start <= LONGEST_UNIT:
            return Span(span.passage, start, end)
    return span


def _blocks(passage: Passage) -> list[tuple[int, int]]:
    """The blocks of text between blank lines."""
    return [match.span() for match in re.finditer(r"\S(?:.|\n(?!\n))*", passage.text)]


def is_quotable(span: Span) -> bool:
    """Whether a span can be an answer: not in a heading, a question or code."""
    sentence = _sentence(span).text.strip()
    passage = span.passage
    if sentence in (passage.title, *passage.section.split(" > ")):
        return False
    if sentence.endswith("?"):
        return False
    return len(_CODE.findall(sentence)) < 3
