"""A question that a sentence answers, put in the sentence's own words where its form allows it."""

from __future__ import annotations

import re
from collections.abc import Callable

# A subject with one of these in it needs the sentences before, or is more than a subject.
_NOT_IN_SUBJECTS = frozenset(
    """
    he she it they we you i his her its their our my your this that these those there here who whom
    whose what which when where while if is are was were be been has have had does do did can could
    may might will would shall should must and but or not no nor each every both some together
    """.split()
)
_NOT_FIRST = frozenset("in on at by for from to with of after before during since until as".split())
_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
)
_WEEKDAY = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?"
_DATE = rf"(?:in|on) (?:\d{{1,2}} )?(?:{_MONTH} )?\d{{4}}\b"
_HOURS = rf"(?:at \d|on (?:\d|{_WEEKDAY})|from (?:\d|{_WEEKDAY}|{_MONTH})|every |daily|between \d)"
_NUMBER = (
    r"(?:about |nearly |only |some |almost |over |at least |at most )?(?:\d[\d,.]*|two|three|four|"
    r"five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty|seventy|ninety)"
)
_TIME = r"(?:minutes?|hours?|days?|weeks?|months?|years?)"
_NAME = r"[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)+"
_DONE = (
    r"(?:[a-z]+ed|built|made|laid|held|sold|bought|lost|sent|paid|born|written|given|drawn|taken|"
    r"broken|chosen|found|won)(?: (?:out|up|down))?"
)
_BARE = {
    "opened": "open", "closed": "close", "began": "begin", "started": "start", "ended": "end",
    "died": "die", "sank": "sink", "returned": "return", "opens": "open", "closes": "close",
    "begins": "begin", "starts": "start", "sails": "sail", "leaves": "leave", "takes": "take",
    "lasts": "last", "has": "have", "holds": "hold", "carries": "carry", "seats": "seat",
}  # fmt: skip

# What follows the subject, and the question with the groups of that match.
_FORMS: tuple[tuple[str, Callable[[str, re.Match[str]], str]], ...] = (
    (rf"(was|were) ({_DONE}) {_DATE}", lambda it, m: f"When {m[2]} {it} {m[3]}?"),
    (
        rf"(opened|closed|began|started|ended|died|sank|returned) {_DATE}",
        lambda it, m: f"When did {it} {_BARE[m[2]]}?",
    ),
    (
        rf"(opens|closes|begins|starts|sails|leaves) {_HOURS}",
        lambda it, m: f"When does {it} {_BARE[m[2]]}?",
    ),
    (rf"(open|close|begin|start|sail) {_HOURS}", lambda it, m: f"When do {it} {m[2]}?"),
    (rf"(is|are) open {_HOURS}", lambda it, m: f"When {m[2]} {it} open?"),
    (
        rf"(is|was) (?:(?:Dr|Mr|Mrs|Captain|Professor) {_NAME}|{_NAME}(?=, (?:who|an?|then)\b))",
        lambda it, m: f"Who {m[2]} {it}?",
    ),
    (r"(is|are|was|were) named after ", lambda it, m: f"Who {m[2]} {it} named after?"),
    (rf"costs {_NUMBER}\b", lambda it, _: f"How much does {it} cost?"),
    (
        rf"(takes|lasts) (?:an|{_NUMBER}) {_TIME}\b",
        lambda it, m: f"How long does {it} {_BARE[m[2]]}?",
    ),
    (
        rf"(is|are|was|were) {_NUMBER} [a-z]+ (long|high|tall|wide|deep|old)\b",
        lambda it, m: f"How {m[3]} {m[2]} {it}?",
    ),
    (
        rf"(has|holds|carries|seats) {_NUMBER} ((?!and )(?:[a-z-]+ )?[a-z]+s(?: of [a-z]+)?)\b",
        lambda it, m: f"How many {m[3]} does {it} {_BARE[m[2]]}?",
    ),
)
_SUBJECT = r"((?:The |An? )?[\w’'-]+(?: [\w’'-]+){0,4}?) "
_COMPILED = tuple((re.compile(_SUBJECT + form), asked) for form, asked in _FORMS)


def question_for(sentence: str) -> str | None:
    """The question that a sentence of a known form answers, or None.

    >>> question_for("The crossing takes 55 minutes in summer.")
    'How long does the crossing take?'
    >>> question_for("The Walled Garden was laid out in 1881 by monks.")
    'When was the Walled Garden laid out?'
    >>> question_for("She was built in 1998.")
    """
    for form, asked in _COMPILED:
        found = form.match(sentence)
        if found and _stands_alone(found[1]):
            return asked(_within_a_sentence(found[1]), found)
    return None


def _stands_alone(subject: str) -> bool:
    """Whether a subject is understood by itself; of a single word nobody knows what it is."""
    words = subject.lower().split()
    alone = len(words) > 1 and words[0] not in _NOT_FIRST
    return alone and not _NOT_IN_SUBJECTS.intersection(words)


def _within_a_sentence(subject: str) -> str:
    """The subject as it is written where it doesn't begin the sentence."""
    first, rest = subject.split(" ", 1)
    is_name = rest[0].isupper() and first not in ("The", "A", "An")
    return subject if is_name or (first.isupper() and len(first) > 1) else f"{first.lower()} {rest}"
