"""Who said what, as a question puts it: a speaker's words are wanted, or the speaker of words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from seminar.text import words

Wanted = Literal["words", "speaker"]
Place = tuple[int, int]  # first and one past the last token of the question

# Each act of saying, and the forms of the verbs that a question calls it by.
ACTS = {
    "request": r"(?:ask|look)(?:s|ed|ing)? for|request(?:s|ed|ing)?|want(?:s|ed)?",
    "ask": r"ask(?:s|ed|ing)?|question(?:s|ed|ing)|wonder(?:s|ed|ing)?|inquir(?:e|es|ed|ing)",
    "propose": r"propos(?:e|es|ed|ing)|suggest(?:s|ed|ing)?|recommend(?:s|ed|ing)?"
    r"|advis(?:e|es|ed|ing)",
    "offer": r"offer(?:s|ed|ing)?|volunteer(?:s|ed|ing)?|promis(?:e|es|ed|ing)",
    "agree": r"agree(?:s|d|ing)?|confirm(?:s|ed|ing)?|accept(?:s|ed|ing)?|second(?:s|ed)",
    "object": r"object(?:s|ed|ing)?|disagree(?:s|d|ing)?|complain(?:s|ed|ing)?|warn(?:s|ed|ing)?"
    r"|doubt(?:s|ed|ing)?|refus(?:e|es|ed|ing)",
    "think": r"think(?:s|ing)?|thought|believ(?:e|es|ed|ing)|feel(?:s|ing)?|felt"
    r"|hop(?:e|es|ed|ing)|expect(?:s|ed|ing)?|prefer(?:s|red|ring)?",
    "answer": r"answer(?:s|ed|ing)?|repl(?:y|ies|ied|ying)|respond(?:s|ed|ing)?",
    "thank": r"thank(?:s|ed|ing)?",
    "say": r"say(?:s|ing)?|said|tell(?:s|ing)?|told|mention(?:s|ed|ing)?|stat(?:e|es|ed|ing)"
    r"|report(?:s|ed|ing)?|announc(?:e|es|ed|ing)|explain(?:s|ed|ing)?|describ(?:e|es|ed|ing)"
    r"|claim(?:s|ed|ing)?|writ(?:e|es|ing|ten)|wrote|post(?:s|ed|ing)?|sp(?:eak|eaks|oke|eaking)"
    r"|talk(?:s|ed|ing)?|discuss(?:es|ed|ing)?|comment(?:s|ed|ing)?|point(?:s|ed|ing)? out"
    r"|argu(?:e|es|ed|ing)|not(?:es|ed)|remark(?:s|ed)|indicat(?:e|es|ed)|insist(?:s|ed)?",
}
_NOUNS = {
    "request": "request|wish",
    "ask": "question",
    "propose": "idea|suggestion|proposal|advice|recommendation|plan",
    "offer": "offer|promise",
    "object": "objection|complaint|warning",
    "think": "opinion|view|impression|position",
    "answer": "answer|reply|response",
    "say": "statement|remark|comment|message|mail|post|report|words",
}
_VERB = "|".join(f"(?P<{act}>{forms})" for act, forms in ACTS.items())
_NOUN = "|".join(f"(?P<{act}>{forms})" for act, forms in _NOUNS.items())
_PERSON = "person|speaker|member|user|participant|colleague|student|panellist|panelist|justice|one"
_WHO = rf"\b(?:who(?:m|ever)?|which (?:{_PERSON})|what (?:person|speaker))\b"
# Between "who" and its verb; "was asked" is what somebody heard, so "was" needs a clause or -ing.
_CLAUSE = rf"(?: (?:was|is|were|are) (?:it|the (?:{_PERSON})|he|she) (?:who|that))?"
_ADVERBS = r"(?: (?:has|had|have|did|first|also|else|then|originally|actually|once))*"
_WHO_SAID = re.compile(rf"{_WHO}{_CLAUSE}{_ADVERBS} (?:{_VERB})\b", re.IGNORECASE)
_WHO_IS_SAYING = re.compile(
    rf"{_WHO}(?:'s| is| are| was| were)(?: (?:the one|one of those))? (?=\w+ing\b)(?:{_VERB})\b",
    re.IGNORECASE,
)
_WHOSE = re.compile(rf"\bwhose (?:{_NOUN})\b(?: (?:was|is))?(?: it)?", re.IGNORECASE)
_WHICH_SPEAKER = re.compile(
    r"\b(?:which|what) (?:speaker|participant|panellist|panelist)\b", re.IGNORECASE
)
_SAID_BY_WHOM = re.compile(rf"\b(?:{_VERB})\b(?: \w+)? by whom\b", re.IGNORECASE)
_SPEAKER_WANTED = (_WHO_SAID, _WHO_IS_SAYING, _WHOSE, _SAID_BY_WHOM, _WHICH_SPEAKER)

_OPENING = re.compile(r"(?:and |so |but )?what (?:else )?(?:did|does|do|has|had|is|was|were)\b")
_MATTER = frozenset("about of on regarding concerning".split())
_TITLES = frozenset("mr mrs ms miss dr prof professor sir rev reverend captain justice".split())
_SUFFIXES = frozenset("jr sr ii iii".split())
_SYNONYMS = {
    "chair": ("chairman", "chairwoman", "chairperson"),
    "moderator": ("host",),
    "host": ("moderator",),
}
_ROLE = re.compile(r"\(([^)]+)\)|,\s*(?!jr\b|sr\b)([^,(<]+)|\s[-–]\s(.+)$", re.IGNORECASE)
_ADDRESS = re.compile(r"<[^>]*>|\S+@\S+")


@dataclass(frozen=True, slots=True)
class Attribution:
    """What a question wants of who said what; `wanted` is None where that isn't what it asks.

    `speakers` are those that it names, as the recordings label them; `topic` is the question
    without the words that only ask for it; `open` where whole statements answer it.
    """

    wanted: Wanted | None = None
    speakers: frozenset[str] = frozenset()
    act: str = ""
    topic: str = ""
    open: bool = False


def attribute(question: str, speakers: Iterable[str]) -> Attribution:
    """What a question wants of what these speakers said.

    >>> attribute("Who asked for the survey?", ["Ada", "Bo"]).wanted
    'speaker'
    >>> attribute("What did Ada say about the budget?", ["Ada", "Bo"]).speakers
    frozenset({'Ada'})
    """
    for pattern in _SPEAKER_WANTED:
        found = pattern.search(question)
        if found:
            topic = f"{question[: found.start()]} {question[found.end() :]}"
            return Attribution("speaker", act=found.lastgroup or "", topic=topic.strip(" ?"))
    places = _named(question, speakers)
    tokens = [question[start:end] for start, end in words(question)]
    for place in dict.fromkeys(places.values()):
        act, (first, last) = _act_of(tokens, place)
        if act:
            stated = _is_open(tokens, last)
            about = tokens[last + 1 :] if stated else tokens[:first] + tokens[last:]
            return Attribution("words", frozenset(places), act, " ".join(about), stated)
    return Attribution(speakers=frozenset(places), topic=question if places else "")


def _is_open(tokens: list[str], last: int) -> bool:
    """Whether a whole statement is wanted: "what did X say", "what does X think of it"."""
    lowered = [token.lower() for token in tokens]
    return (
        _OPENING.match(" ".join(lowered)) is not None
        and _MATTER.issuperset(lowered[last : last + 1])
        and lowered[-1] not in _MATTER
    )


def _act_of(tokens: list[str], place: Place) -> tuple[str, Place]:
    """The act by which the named one speaks, and the tokens that tell it together with the name.

    "did X say", "X's view", "according to X", "proposed by X".
    """
    first, last = place
    before = " ".join(tokens[max(0, first - 3) : first])
    told = re.search(rf"\b(?:according to|(?:{_VERB}) by)(?: the)?$", before, re.IGNORECASE)
    if told:
        return told.lastgroup or "say", (first - len(told.group().split()), last)
    after = " ".join(tokens[last : last + 3])
    if tokens[last - 1].lower().endswith(("'s", "’s")):
        pattern = rf"(?:\w+ )?(?:{_NOUN})\b"
    else:
        pattern = rf"(?:(?:has|had|have|also|first|else) )*(?:{_VERB})\b"
    said = re.match(pattern, after, re.IGNORECASE)
    if said is None:
        return "", place
    return said.lastgroup or "", (first, last + len(said.group().split()))


def _named(question: str, speakers: Iterable[str]) -> dict[str, Place]:
    """The speakers that a question names, each with the tokens that do; the longest name wins."""
    tokens = [question[start:end] for start, end in words(question)]
    bare = [_bare(token) for token in tokens]
    typed_low = question[1:] == question[1:].lower()
    found: dict[str, Place] = {}
    for label in dict.fromkeys(speakers):
        places = [
            (at, at + len(alias))
            for alias, is_role in _aliases(label)
            for at in range(len(bare) - len(alias) + 1)
            if tuple(bare[at : at + len(alias)]) == alias
            and _is_meant(tokens, at, alias, is_role=is_role, typed_low=typed_low)
        ]
        if places:
            found[label] = max(places, key=lambda place: place[1] - place[0])
    return {
        label: place
        for label, place in found.items()
        if not any(_is_within(place, other) for other in found.values())
    }


def _is_meant(
    tokens: list[str], at: int, alias: tuple[str, ...], *, is_role: bool, typed_low: bool
) -> bool:
    """Whether these tokens name somebody: a role after "the", a name by its capital letter."""
    before = tokens[at - 1].lower() if at else ""
    if is_role:
        return before == "the"
    if len(alias) > 1:
        return True
    if typed_low:  # without capitals, "will" is a name only where somebody must be named
        return before in ("did", "does", "has", "had", "to")
    return tokens[at][:1].isupper() and at > 0


def _is_within(place: Place, other: Place) -> bool:
    return other != place and other[0] <= place[0] and place[1] <= other[1]


def _aliases(label: str) -> list[tuple[tuple[str, ...], bool]]:
    """What a speaker may be called, and whether that is a role: whole name, first, last, roles.

    A label of one word may be a name or a role ("CHAIR"), so it is known by either sign.
    """
    plain = _ADDRESS.sub(" ", label)
    plain = plain if plain.strip(" ,") else label
    roles = [next(filter(None, found.groups())) for found in _ROLE.finditer(plain)]
    whole = _tokens(_ROLE.sub(" ", plain))
    name = [token for token in whole if token not in _TITLES | _SUFFIXES and len(token) > 1]
    names = {tuple(whole), tuple(name), tuple(name[:1]), tuple(name[-1:])}
    offices = {tuple(_tokens(role)) for role in roles} | (
        {tuple(name)} if len(name) == 1 else set()
    )
    offices |= {(other,) for office in offices for other in _SYNONYMS.get(" ".join(office), ())}
    return [(one, False) for one in names if one] + [(one, True) for one in offices if one]


def _tokens(text: str) -> list[str]:
    return [_bare(text[start:end]) for start, end in words(text)]


def _bare(token: str) -> str:
    return re.sub(r"['’]s?$", "", token.lower())
