"""Names in a text: runs of capitalised words that a capital does not merely begin a sentence."""

from __future__ import annotations

import re

_CAPITAL = r"[A-Z][\w’'-]*"
_RUN = re.compile(rf"{_CAPITAL}(?: (?:(?:of|the|de|van|von) )*{_CAPITAL})*")
_TITLES = frozenset("Dr Mr Mrs Ms Miss Sir Lady Captain Professor Reverend Lord Saint St".split())
_BEGINNERS = frozenset(
    """
    A An The This That These Those He She It They We You I His Her Its Their Our My Your In On At
    By For From To With Without After Before Since Until During Between Under Over As If When While
    Where Who What Which Why How And But Or So Yet Not No Yes There Here Then Now Also However
    Although Because Despite Each Every All Both Some Many Most Few Other Another One Two Three Four
    Five Six Seven Eight Nine Ten Only Even Once Today Later Earlier Instead Of Dr Mr Mrs Ms Miss
    Sir Lady Captain Professor January February March April May June July August September October
    November December Monday Tuesday Wednesday Thursday Friday Saturday Sunday
    """.split()
)


def names(text: str) -> list[str]:
    """The names in a text, in order, without the words that only begin a sentence.

    >>> names("In 1912 Maud Brennan founded it. The trust of Dunmarrow Bar paid. Rain fell.")
    ['Maud Brennan', 'Dunmarrow Bar']
    """
    found: list[str] = []
    for run in _RUN.finditer(text):
        begins = run.start() == 0 or text[: run.start()].rstrip()[-1:] in '.!?:"“\n'
        words = run.group().split()
        while words and _only_begins(words):
            words, begins = words[1:], False
        if words and not (begins and len(words) == 1):
            found.append(" ".join(words).removesuffix("'s").removesuffix("’s"))
    return found


def _only_begins(words: list[str]) -> bool:
    titled = len(words) > 1 and words[0] in _TITLES
    return words[0].islower() or (words[0] in _BEGINNERS and not titled)
