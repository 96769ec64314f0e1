"""Number aliases of answers as QAConv has them: '2' for 'two' and 'two' for '2'.

Reading words as numbers follows word2number 1.1 with its oddities, since the official scores
depend on them: 'one of the three companies' is 4, and any text with the word 'point' is a number.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import InvalidOperation

from seminar.metrics.extras import require
from seminar.metrics.strictness import check_text

_SMALL = [
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    *("nineteen", "twenty"),
]
_TENS = ["thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_DIGITS = {word: digit for digit, word in enumerate(_SMALL[:10])}
_SCALES = {"billion": 10**9, "million": 10**6, "thousand": 10**3}
_VALUES = {
    **{word: value for value, word in enumerate(_SMALL)},
    **{word: 10 * value for value, word in enumerate(_TENS, start=3)},
    "hundred": 100,
    **_SCALES,
}
_POINT = "point"


def number_aliases(answers: Iterable[str], *, strict: bool = False) -> list[str]:
    """The other spelling of each answer that is a number, where there is one.

    Superscript digits and numbers past the names of numbers have none; strict, they stop the
    program as they stop the official one.

    >>> number_aliases(["21", "two hundred and five", "1,000"])
    ['twenty-one', '205']
    """
    aliases = []
    for answer in answers:
        check_text(answer, "an answer", strict=strict)
        alias = _spell(answer, strict=strict) if answer.isdigit() else _read(answer)
        if alias is not None:
            aliases.append(alias)
    return aliases


def _spell(digits: str, *, strict: bool) -> str | None:
    """A whole number in English words."""
    try:
        words: str = require("num2words").num2words(digits)
    except (InvalidOperation, OverflowError):
        if strict:
            raise
        return None
    return words


def _read(text: str) -> str | None:
    """The number that the words of a text make, in digits."""
    try:
        return str(words_to_number(text))
    except ValueError:
        return None


def words_to_number(text: str) -> int | float:
    """The number that the number words in a text make; a ValueError if they make none.

    >>> words_to_number("two point five"), words_to_number("nineteen eighty four")
    (2.5, 1524)
    """
    plain = text.replace("-", " ").lower()
    if plain.isdigit():
        return int(plain)
    words = [word for word in plain.split() if word in _VALUES or word == _POINT]
    if not words:
        raise ValueError(f"no number word in '{text}'")
    if any(words.count(word) > 1 for word in (*_SCALES, _POINT)):
        raise ValueError(f"a scale comes twice in '{text}'")
    if _POINT not in words:
        return _whole(words)
    place = words.index(_POINT)
    return _whole(words[:place]) + _fraction(words[place + 1 :])


def _whole(words: Sequence[str]) -> int:
    """The integer that number words make: billions, millions, thousands and the tail."""
    if len(words) < 2:
        return sum(_VALUES[word] for word in words)
    scales = [word for word in words if word in _SCALES]
    if sorted(scales, key=_SCALES.__getitem__, reverse=True) != scales:
        raise ValueError(f"a smaller scale comes before a larger one in '{' '.join(words)}'")
    total, start = 0, 0
    for scale in scales:
        end = words.index(scale)
        total += _group(words[start:end]) * _SCALES[scale]
        start = end + 1
    return total + _tail(words, scales)


def _tail(words: Sequence[str], scales: Sequence[str]) -> int:
    """What follows the smallest scale that isn't the last word; without scales, everything.

    In 'three billion two million' that is 'two million', read after the billion a second time.
    """
    if not scales:
        return _group(words)
    for scale in reversed(scales):
        if words[-1] != scale:
            return _group(words[words.index(scale) + 1 :])
    return 0


def _group(words: Sequence[str]) -> int:
    """The value of a group below a thousand, by how many words it has."""
    if not words:
        raise ValueError("a scale without a multiplier")
    values = [_VALUES[word] for word in words]
    if len(values) == 4:
        return values[0] * values[1] + values[2] + values[3]
    if len(values) == 3:
        return values[0] * values[1] + values[2]
    if len(values) == 2:
        return values[0] * values[1] if 100 in values else values[0] + values[1]
    return values[0]


def _fraction(words: Sequence[str]) -> float:
    """The decimals after the point; nothing if a word among them is no digit."""
    if not words or any(word not in _DIGITS for word in words):
        return 0
    return float("0." + "".join(str(_DIGITS[word]) for word in words))
