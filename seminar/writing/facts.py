"""Facts of a sentence that evidence must have: numbers, names and dates, addresses, denials."""

from __future__ import annotations

import re
from dataclasses import dataclass

from seminar.text import STOP_WORDS, words

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_VALUES = {word: value for value, word in enumerate(_UNITS)}
_VALUES |= {word: 10 * value for value, word in enumerate(_TENS, start=2)}
_VALUES |= {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "dozen": 12}
# Words that are no count where they stand alone: "no one", "one of them", "a thousand thanks".
_VAGUE = {"one", "zero"}
_DIGITS = re.compile(r"\d+(?:[.,:]\d+)*")
_GROUPED = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_SPELLED = re.compile(r"[a-z]+(?:-[a-z]+)?")
_DENIAL = re.compile(
    r"\b(?:no|not|never|none|nobody|nothing|nowhere|neither|nor|cannot|without|unless)\b|n['’]t\b",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"\b(?:[a-z][a-z0-9+.-]*://|www\.)\S+|\S+@\S+\.\S+", re.IGNORECASE)
_FORM = 5  # first letters that stand for the forms of a name: "Larkholm", "Larkholm's"


@dataclass(frozen=True, slots=True)
class Facts:
    """What a text states that can be compared word by word."""

    numbers: frozenset[str]
    names: frozenset[str]
    addresses: frozenset[str]
    denies: bool


def facts_of(text: str) -> Facts:
    """The facts of a text.

    >>> facts = facts_of("In 1979 Ann Lee gave 1,000 pounds, not twenty-one.")
    >>> sorted(facts.numbers), sorted(facts.names), facts.denies
    (['1000', '1979', '21'], ['ann', 'lee'], True)
    """
    addresses = frozenset(match.rstrip(".,;:)") for match in _ADDRESS.findall(text))
    return Facts(numbers(text), names(text), addresses, bool(_DENIAL.search(text)))


def numbers(text: str) -> frozenset[str]:
    """The numbers of a text in digits, in words too.

    >>> sorted(numbers("3.50 at 20:00, for the 2nd of two")), sorted(numbers("no one"))
    (['2', '20:00', '3.5'], [])
    """
    found = {_plain(match) for match in _DIGITS.findall(_GROUPED.sub("", text))}
    for match in _SPELLED.findall(text.lower()):
        parts = match.split("-")
        if match not in _VAGUE and all(part in _VALUES for part in parts):
            found.add(str(sum(_VALUES[part] for part in parts)))
    return frozenset(found)


def names(text: str) -> frozenset[str]:
    """The capitalised words of a text, in small letters, but the first one of all.

    >>> sorted(names("The ferry Lodestar sails on Mondays."))
    ['lodestar', 'mondays']
    """
    spans = words(text)[1:]
    found = (text[start:end] for start, end in spans)
    plain = (re.sub(r"['’]s$", "", word) for word in found if word[0].isupper())
    return frozenset(word.lower() for word in plain if word.lower() not in STOP_WORDS)


def lacks_names(wanted: frozenset[str], text: str) -> frozenset[str]:
    """The names of which a text holds no form.

    >>> sorted(lacks_names(frozenset({"mondays", "lee"}), "Lodestar, every Monday"))
    ['lee']
    """
    held = {text[start:end].lower() for start, end in words(text)}
    begun = {word[:_FORM] for word in held}
    return frozenset(name for name in wanted if name not in held and name[:_FORM] not in begun)


def _plain(number: str) -> str:
    """A number without what its typography adds: no point at its end, no zeros behind a point."""
    if number.count(".") == 1 and ":" not in number and "," not in number:
        return number.rstrip("0").rstrip(".")
    return number
