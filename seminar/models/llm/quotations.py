"""Where quoted words stand in a text: exactly, or but for case, spacing and typography."""

from __future__ import annotations

import re
import unicodedata

from seminar.text import words

_ALIKE = dict.fromkeys("‘’‚‛′`´", "'") | dict.fromkeys("“”„‟″«»", '"')
_ALIKE |= dict.fromkeys("‐‑‒–—―−", "-")
_UNSEEN = "\u00ad\u200b\u200c\u200d\u2060\ufeff"  # soft hyphen, zero-width characters
_AROUND = " \t\r\n\"'“”‘’«».,;:!?…"
# What goes on over its mark: "can't", "o'clock", "1,000", "3.5", "12:30"; a possessive may go.
_JOINED = re.compile(r"[^\W_]['’](?![sS]\b)[^\W_]|\d[.,:]\d")


def locate(quote: str, text: str) -> tuple[int, int] | None:
    """Start and end of the quoted words in the text, or None; no word and no number is cut.

    >>> locate("the “Great  Hall”", 'Dine in The "Great Hall" at noon.')
    (8, 24)
    """
    wanted = quote.strip()
    if not words(wanted):
        return None
    exact = _find(wanted, text, text, range(len(text)))
    if exact:
        return exact
    folded, places = _folded(text)
    return _find(_folded(wanted)[0], folded, text, places) or _find(
        _folded(wanted.strip(_AROUND))[0], folded, text, places
    )


def _find(wanted: str, within: str, text: str, places: range | list[int]) -> tuple[int, int] | None:
    """The first place that cuts no word; `places` leads from `within` to the text."""
    at = within.find(wanted) if wanted else -1
    while at >= 0:
        start, end = places[at], places[at + len(wanted) - 1] + 1
        if not _cuts(text, start) and not _cuts(text, end):
            return start, end
        at = within.find(wanted, at + 1)
    return None


def _cuts(text: str, at: int) -> bool:
    """Whether a word, a number, or a letter with its accents goes on over this place."""
    if not 0 < at < len(text):
        return False
    if any(_JOINED.match(text, before) for before in (at - 1, max(0, at - 2))):
        return True
    return words(text[at - 1 : at + 1]) == [(0, 2)] or bool(unicodedata.combining(text[at]))


def _folded(text: str) -> tuple[str, list[int]]:
    """The text without what typography and case add, and the place that each character came from.

    >>> _folded("A  –ß")
    ('a -ss', [0, 1, 3, 4, 4])
    """
    kept: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        if character in _UNSEEN:
            continue
        if character.isspace():
            folded = " " if kept[-1:] != [" "] else ""
        else:
            folded = unicodedata.normalize("NFKD", _ALIKE.get(character, character)).casefold()
        kept += folded
        places += [place] * len(folded)
    return "".join(kept), places
