"""A completion of the joint prompt as sentences, each with the numbers that it cites."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from seminar.text import sentences, whole, words
from seminar.types import Affirmation

MOST = 40  # sentences of a completion
LONGEST = 600  # characters of a sentence

_CITED = re.compile(
    r"\s*[\[(【](?:passages?\s*)?(\d{1,3}(?:\s*(?:,|;|and|&)\s*(?:passages?\s*)?\d{1,3})*)[\])】]",
    re.IGNORECASE,
)
_IMAGE = re.compile(r"!\[([^\]\n]*)\]\([^)\n]*\)?")
_LINK = re.compile(r"\[([^\]\n]*)\]\([^)\n]*\)?")
_TAG = re.compile(r"</?[A-Za-z!][^>\n]{0,500}>?")
_LEAD = re.compile(r"^\s*(?:#{1,6}\s+|>\s*|(?:[-*•+]|\d{1,2}[.)])\s+)+", re.MULTILINE)
_LABEL = re.compile(r"\A\s*(?:answer|response|reply)\s*:\s*", re.IGNORECASE)
_EMPHASIS = re.compile(r"(\*\*|__|\*|`)(?=\S)([^*`\n]+?)(?<=\S)\1")
_ABSENT = re.compile(
    r"\bnot? (?:in|found in|stated in|given in|mentioned in|answered (?:in|by)) the (?:\w+ )?"
    r"(?:passages?|texts?|documents?|context)\b"
    r"|\b(?:passages?|texts?|documents?|context)\b[^.]{0,40}"
    r"\b(?:do|does|did)(?: not|n['’]t) (?:\w+ )?"
    r"(?:answer|mention|say|state|contain|provide|specify|give|tell|include|discuss|indicate)"
    r"|\b(?:is|are|was|were)(?: not|n['’]t) (?:\w+ )?(?:mentioned|specified|stated|provided)\b"
    r"|\b(?:no|not enough) (?:\w+ )?information\b",
    re.IGNORECASE,
)
_OPENING = re.compile(r"\A\s*(yes|no)\b[\s,.:;!–—-]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of a completion, and the numbers of the passages that it cites."""

    text: str
    cited: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Parsed:
    """A completion: its yes or no, its statements, and whether it says that nothing answers."""

    statements: tuple[Statement, ...]
    affirmation: Affirmation = "neither"
    absent: bool = False


def parse(completion: str) -> Parsed:
    """Read a completion; links, images and tags in it are left out.

    >>> parse("Yes, dogs may sail. [2] It takes 55 minutes [1, 3].")
    ... # doctest: +NORMALIZE_WHITESPACE
    Parsed(statements=(Statement(text='Yes, dogs may sail.', cited=(2,)),
    Statement(text='It takes 55 minutes.', cited=(1, 3))), affirmation='yes', absent=False)
    """
    found = list(_statements(_plain(completion)))[:MOST]
    told = tuple(one for one in found if not _ABSENT.search(one.text) and len(one.text) <= LONGEST)
    opening = _OPENING.match(told[0].text) if told else None
    affirmation: Affirmation = "neither"
    if opening:
        affirmation = "yes" if opening[1].lower() == "yes" else "no"
    return Parsed(told, affirmation, absent=any(_ABSENT.search(one.text) for one in found))


def claim_of(statement: str) -> str:
    """What a statement says beside its yes or no; "" where it says nothing else.

    >>> claim_of("No, groups may not visit."), claim_of("Yes.")
    ('groups may not visit.', '')
    """
    return _OPENING.sub("", statement)


def _plain(completion: str) -> str:
    """The completion without markup, on lines of its own where it has some."""
    text = whole(completion)
    text = _IMAGE.sub(r"\1", text)
    text = _LINK.sub(r"\1", text)
    text = _LABEL.sub("", _LEAD.sub("", _TAG.sub("", text)))
    return _EMPHASIS.sub(r"\2", text)


def _statements(text: str) -> Iterator[Statement]:
    """The sentences, with the citations in them or right behind them."""
    bare, marks, end = "", [], 0
    for match in _CITED.finditer(text):
        bare += text[end : match.start()]
        end = match.end()
        marks.append((len(bare), tuple(int(one) for one in re.findall(r"\d+", match[1]))))
    bare += text[end:]
    spans = sentences(bare)
    for at, (start, stop) in enumerate(spans):
        following = spans[at + 1][0] if at + 1 < len(spans) else len(bare) + 1
        first = start if at else -1
        cited = [number for place, own in marks if first < place <= following for number in own]
        sentence = " ".join(bare[start:stop].split())
        if words(sentence):
            yield Statement(sentence, tuple(dict.fromkeys(cited)))
