"""Types of answers by rules, in the classes of QAConv's table 5.

The paper used a tagger and a parser whose models are large; docs/analysis.md says what these rules
get beside them.
"""

from __future__ import annotations

import re

import pandas as pd

UNANSWERABLE = "No answer"
YES_NO = "Yes or no"
MONEY = "Monetary values"
DATE = "Dates"
NUMERIC = "Other Numeric"
PERSON = "People, including fictional"
ORGANISATION = "Organizations"
PLACE = "Countries, cities, states"
NATIONALITY = "Nationalities or religious"
NAME = "Other names"
PREPOSITIONAL = "Prepositional Phrase"
CLAUSE = "Clause"
NOUN_PHRASE = "Noun Phrase"
TYPES = (
    YES_NO, MONEY, DATE, NUMERIC, PERSON, ORGANISATION, PLACE, NATIONALITY, NAME, PREPOSITIONAL,
    CLAUSE, NOUN_PHRASE, UNANSWERABLE,
)  # fmt: skip

_NUMBER_WORDS = (
    "zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty"
    "|hundred|thousand|million|billion|first|second|third|dozen|half|once|twice"
)
_MONTHS = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_DATE = re.compile(
    rf"\b{_MONTHS}\.? \d|\b\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTHS}\b"
    rf"|^(?:in |since |by )?{_MONTHS}$"
    r"|^(?:in |since |until |by |around |c\. )?(?:1[0-9]|20)\d\d\b"
    r"(?!\s*(?:people|feet|miles|words))"
    r"|\b\d{1,2}/\d{1,2}(?:/\d{2,4})?\b|\b(?:1[0-9]|20)\d\ds\b|\b\d{4}-\d\d-\d\d\b"
    r"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:today|yesterday|tomorrow|tonight)\b"
    r"|\b(?:last|next|this|past|every|each) (?:year|month|week|night|day|morning|summer|winter"
    r"|spring|fall|autumn)s?\b|\b\d{1,2}(?:st|nd|rd|th) century\b"
    r"|\b(?:days?|weeks?|months?|years?|decades?|century|centuries)(?: ago| later| old)?$"
    r"|\bcentury\b",
    re.IGNORECASE,
)
_MONEY = re.compile(
    r"[$£€]\s?\d|\b(?:dollars?|cents?|euros?|pounds? sterling|bucks|USD|EUR)\b", re.IGNORECASE
)
_NUMBER = re.compile(rf"\d|^(?:\w+ )?(?:{_NUMBER_WORDS})\b", re.IGNORECASE)
_ORGANISATION = re.compile(
    r"\b(?:Inc|Corp(?:oration)?|Company|Co|Ltd|LLC|LLP|University|College|School|Institute|Court"
    r"|Committee|Commission|Council|Congress|Senate|Department|Agency|Association|Authority|Bank"
    r"|Board|Bureau|Church|Club|Foundation|Group|Ministry|Office|Organi[sz]ation|Party|Police"
    r"|Service|Society|Team|Times|Trust|Union|Army|Navy|Records|Press|Federation|League|Systems"
    r"|Microsoft|Google|Enron|Amazon|Facebook|Twitter|NPR|CNN|NASA|FBI|CIA|NATO|EPA|FDA)\b\.?"
)
_PLACE = re.compile(
    r"\b(?:City|County|State|Street|Avenue|Island|Islands|River|Lake|Mountains?|Bay|Valley|Beach"
    r"|Republic|Kingdom|Province|Ocean|Sea|Park|Hill|America|Africa|Asia|Europe|Australia|Canada"
    r"|China|India|Japan|Russia|Germany|France|Italy|Spain|England|Scotland|Wales|Ireland|Britain"
    r"|Brazil|Mexico|Iraq|Iran|Israel|Egypt|Turkey|Greece|Poland|Ukraine|Korea|Vietnam|Pakistan"
    r"|Afghanistan|Syria|California|Texas|Florida|Chicago|Houston|London|Paris|Boston|Washington"
    r"|New York|Los Angeles|San Francisco|Dallas|Portland|Virginia|Georgia|Illinois|Ohio|Michigan"
    r"|Pennsylvania|New Jersey|Massachusetts|Colorado|Arizona|Nevada|Oregon|Alabama|Louisiana"
    r"|Tennessee|Kentucky|Indiana|Minnesota|Wisconsin|Maryland|Missouri|Iowa|Kansas|Oklahoma|Utah"
    r"|US|U\.S\.|USA|U\.S\.A\.|UK|U\.K\.|United States)(?!\w)"
)
_NATIONALITY = re.compile(
    r"^(?:the )?(?:\w+ )?(?:American|British|English|French|German|Italian|Spanish|Russian|Chinese"
    r"|Japanese|Indian|Mexican|Canadian|Australian|African|European|Asian|Irish|Scottish|Welsh"
    r"|Dutch|Greek|Roman|Turkish|Polish|Israeli|Iraqi|Iranian|Korean|Arab|Jewish|Christian|Muslim"
    r"|Catholic|Protestant|Buddhist|Hindu|Islam|Islamic|Republican|Democrat(?:ic)?|Baptist"
    r"|Mormon|Sunni|Shiite|Hispanic|Caucasian|Latino)s?$"
)
_PREPOSITIONS = frozenset(
    "in on at by for from with to of about into over under after before between through during"
    " without within against among across behind near as via per since until because".split()
)
_VERBS = re.compile(
    r"\b(?:is|are|was|were|be|been|am|has|have|had|do|does|did|can|could|will|would|should|may"
    r"|might|must|need|needs|want|wants|make|makes|made|get|gets|got|go|goes|went|use|uses|used"
    r"|say|says|said|think|thinks|isn't|aren't|don't|doesn't|didn't|can't|won't|it's|he's|she's"
    r"|they're|that's|there's)\b",
    re.IGNORECASE,
)
_TITLES = re.compile(
    r"^(?:Mr|Mrs|Ms|Dr|Sir|Lord|Lady|President|King|Queen|Justice|Senator"
    r"|Professor|Prof|Captain|General|Judge|Saint|St|Prince|Princess)\b\.?"
)
_PARTICLES = frozenset("of the and & de la van von der bin al".split())


def answer_type(answer: str, *, asked: str = "") -> str:
    """The type of an answer; `asked` is the question, whose "who" or "where" settles bare names.

    >>> answer_type("$250,000"), answer_type("page 66, volume 4"), answer_type("2020")
    ('Monetary values', 'Other Numeric', 'Dates')
    >>> answer_type("Tommy Norment"), answer_type("Chicago"), answer_type("the Pulitzer Prize")
    ('People, including fictional', 'Countries, cities, states', 'Other names')
    >>> answer_type("need to use an external store for state"), answer_type("a red house")
    ('Clause', 'Noun Phrase')
    """
    text = answer.strip().strip("\"“”'.,;:")
    words = text.split()
    if not words:
        return UNANSWERABLE
    if text.lower() in ("yes", "no"):
        return YES_NO
    for kind, found in ((MONEY, _MONEY), (DATE, _DATE)):
        if len(words) <= 8 and found.search(text):
            return kind
    if len(words) <= 6 and _NUMBER.search(text) and not _is_name(text):
        return NUMERIC
    if _is_name(text):
        return _name_type(text, words, asked)
    return _phrase_type(text, words)


def _is_name(text: str) -> bool:
    """Whether every word is capitalised, apart from particles inside the name."""
    words = text.removeprefix("the ").split()
    if len(words) > 8 or not words:
        return False
    capitals = [word for word in words if word not in _PARTICLES]
    return (
        bool(capitals)
        and all(word[0].isupper() for word in capitals)
        and ("".join(capitals).upper() != "I")
    )


def _name_type(text: str, words: list[str], asked: str) -> str:
    opening = asked.lower().split()[:2]
    if _NATIONALITY.match(text):
        return NATIONALITY
    if _ORGANISATION.search(text):
        return ORGANISATION
    if "who" in opening or "whom" in opening or "whose" in opening:
        return PERSON
    if "where" in opening or {"city", "country", "state"} & set(asked.lower().split()[:4]):
        return PLACE
    if _TITLES.match(text):
        return PERSON
    if _PLACE.search(text):
        return PLACE
    if text.isupper() and len(text) > 1:
        return ORGANISATION
    plain = all(word.replace("-", "").replace("'", "").isalpha() for word in words)
    if 2 <= len(words) <= 3 and plain and not _PARTICLES & set(words):
        return PERSON
    return NAME


def _phrase_type(text: str, words: list[str]) -> str:
    if _VERBS.search(text) or words[0].lower() == "to" or len(words) > 14:
        return CLAUSE
    if words[0].lower() in _PREPOSITIONS:
        return PREPOSITIONAL
    return NOUN_PHRASE


def type_shares(answers: pd.Series, questions: pd.Series) -> pd.DataFrame:
    """Answers by type with their share in percent; "" counts as no answer."""
    kinds = [
        answer_type(answer, asked=question)
        for answer, question in zip(answers, questions, strict=True)
    ]
    counts = pd.Series(kinds, dtype=object).value_counts()
    rows = [
        (kind, int(counts[kind]), 100 * float(counts[kind]) / len(kinds))
        for kind in TYPES
        if kind in counts
    ]
    frame = pd.DataFrame(rows, columns=["answer type", "answers", "share %"])
    return frame.sort_values("answers", ascending=False, kind="stable").reset_index(drop=True)
