"""PragmatiCQA's target, `span </lit> ... span </prag> ... answer </s>`, written and read back.

What a network generates may be malformed: a marker broken by white space, cut off, or out of its
order. Reading never fails; each stretch goes by the marker that ends it, the rest is the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from seminar.types import Affirmation, Hit, Pragmatic, Query, Reply, Span

LITERAL, PRAGMATIC, END = "</lit>", "</prag>", "</s>"
UNKNOWN = "I don't know"  # what a teacher answers literally where no page has the answer
AFFIRMATIONS: dict[str, Affirmation] = {"yes": "yes", "no": "no"}

_MARKER = re.compile(r"<\s*/\s*(lit|prag|s)\s*>", re.IGNORECASE)
_BROKEN_MARKER = re.compile(r"<\s*(?:/\s*(?:l|li|lit|p|pr|pra|prag|s)?\s*)?$", re.IGNORECASE)
_WORD = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class PragmaticTarget:
    """The words of the literal spans, of the pragmatic spans, and of the final answer."""

    literal: tuple[str, ...] = ()
    pragmatic: tuple[str, ...] = ()
    answer: str = ""


def write_target(target: PragmaticTarget) -> str:
    """The text that a network learns to generate; what ends it is the tokenizer's to add.

    >>> write_target(PragmaticTarget(("ice",), ("at its poles",), "Yes, at its poles."))
    'ice </lit> at its poles </prag> Yes, at its poles.'
    """
    spans = [f"{one} {LITERAL}" for one in target.literal]
    leads = [f"{one} {PRAGMATIC}" for one in target.pragmatic]
    return " ".join([*spans, *leads, target.answer]).strip()


def read_target(text: str) -> PragmaticTarget:
    """The parts of what was generated; nothing is too malformed.

    >>> read_target("ice < /lit> at its poles </prag> Yes, at its po")
    PragmaticTarget(literal=('ice',), pragmatic=('at its poles',), answer='Yes, at its po')
    """
    found: dict[str, list[str]] = {"lit": [], "prag": [], "s": []}
    start = 0
    for marker in _MARKER.finditer(text):
        found[marker[1].lower()].append(text[start : marker.start()].strip())
        start = marker.end()
        if marker[1].lower() == "s":  # what follows the end was never meant
            break
    else:
        found["s"].append(_BROKEN_MARKER.sub("", text[start:]).strip())
    literal, pragmatic, answer = (
        tuple(dict.fromkeys(filter(None, found[name]))) for name in ("lit", "prag", "s")
    )
    return PragmaticTarget(literal, pragmatic, " ".join(answer))


def reply_of(text: str, query: Query, hits: Sequence[Hit]) -> Reply:
    """What was generated as a reply: only spans whose words stand in a passage are cited.

    A literal "yes", "no" or "I don't know" is no span. The form doesn't tell answers to a next
    question from leads; the dataset has more of the former, so all are taken for those.
    """
    target = read_target(text)
    literal_words = {_words(text) for text in target.literal}
    affirmation: Affirmation = next(
        (value for word, value in AFFIRMATIONS.items() if (word,) in literal_words), "neither"
    )
    literal = tuple(_located(target.literal, hits))
    leads = [span for span in _located(target.pragmatic, hits) if span not in literal]
    unknown = _words(UNKNOWN) in literal_words
    return Reply(
        text=target.answer,
        query=query,
        hits=tuple(hits),
        answerable=bool(literal or affirmation != "neither") and not unknown,
        literal=literal,
        pragmatic=tuple(Pragmatic(span, "next question") for span in leads),
        affirmation=affirmation,
    )


def locate(words: str, hits: Sequence[Hit]) -> Span | None:
    """Where the best passage holds these words, but for case, white space and missing marks.

    A tokenizer may put a space before a comma or lose a capital; what is cited are always the
    passage's own characters.
    """
    parts = _WORD.findall(words)
    if not parts:
        return None
    pattern = re.compile(r"\s*".join(map(re.escape, parts)), re.IGNORECASE)
    for hit in hits:
        found = _whole_words(pattern, hit.passage.text)
        if found:
            return Span(hit.passage, *found)
    return None


def _whole_words(pattern: re.Pattern[str], text: str) -> tuple[int, int] | None:
    """The first place where the pattern doesn't begin or end within a word."""
    for match in pattern.finditer(text):
        start, end = match.span()
        before = start > 0 and text[start - 1].isalnum() and text[start].isalnum()
        after = end < len(text) and text[end].isalnum() and text[end - 1].isalnum()
        if not (before or after):
            return start, end
    return None


def _located(texts: Iterable[str], hits: Sequence[Hit]) -> list[Span]:
    places = (locate(text, hits) for text in texts)
    return list(dict.fromkeys(span for span in places if span))


def _words(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\w+", text.lower()))
