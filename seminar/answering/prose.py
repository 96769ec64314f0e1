"""Whether a sentence can be shown by itself: no code, heading, row of a table or question."""

from __future__ import annotations

import re

from seminar.answering.already_told import asks
from seminar.text import count_words
from seminar.types import Span

SHORTEST, LONGEST = 5, 60  # words: fewer say nothing by themselves, more are no aside
CODE_SHARE = 0.2  # of its words: inline code is part of prose, a line of code is not
FIGURE_SHARE = 0.3  # of its words: a row of figures needs its table
_CODE = re.compile(
    r"\w+\(|[{}<>\\$=`|]|::|->|\w_\w|^_|^-{1,2}\w|^[@#/]\w|\w/\w+/|[a-z][A-Z]|\w\.\w+\.\w|;$"
)
_BEGINS = re.compile(r"[“\"'‘(\[]*[^\W_]")
_FIGURE = re.compile(r"^[\d\W]+$")
_ENDS = re.compile(r"[.!…。！][”\"'’)\]]*$")


def is_prose(span: Span) -> bool:
    """Whether a sentence reads by itself; messages may begin and end without capital and stop.

    >>> from seminar.types import Passage
    >>> def prose(text): return is_prose(Span(Passage("a", 0, len(text), text), 0, len(text)))
    >>> prose("Dogs are welcome on the upper deck."), prose("Adult | 12.50 | return fare included.")
    (True, False)
    >>> prose("open_files(paths, settings) returns Opened."), prose("There are three ways to pay:")
    (False, False)
    """
    text = span.text
    if not SHORTEST <= count_words(text) <= LONGEST or " | " in text or asks(text):
        return False
    if _share(text, _CODE) > CODE_SHARE or _share(text, _FIGURE) > FIGURE_SHARE:
        return False
    return _is_sentence(text, spoken=span.utterance is not None)


def _is_sentence(text: str, *, spoken: bool) -> bool:
    begins = _BEGINS.match(text)
    if begins is None or text.rstrip().endswith(":"):
        return False
    return spoken or (not begins.group()[-1].islower() and _ENDS.search(text) is not None)


def _share(text: str, pattern: re.Pattern[str]) -> float:
    """The share of the words between spaces in which a pattern is found."""
    words = text.split()
    return sum(pattern.search(word) is not None for word in words) / len(words)
