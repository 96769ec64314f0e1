"""Parse questions about who said what: they ask for a speaker's words or for a speaker."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from seminar.text import words

Wanted = Literal["words", "speaker"]
TokenRange = tuple[int, int]  # first and one past the last token of the question

# Speech acts, and the verb forms that name them in a question.
SPEECH_ACTS = {
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
_VERB = "|".join(f"(?P<{act}>{forms})" for act, forms in SPEECH_ACTS.items())
_NOUN = "|".join(f"(?P<{act}>{forms})" for act, forms in _NOUNS.items())
_PERSON = "person|speaker|member|user|participant|colleague|student|panellist|panelist|justice|one"
_WHO = rf"\b(?:who(?:m|ever)?|which (?:{_PERSON})|what (?:person|speaker))\b"
# Between "who" and its verb. "Who was asked" means the hearer: "was" needs a clause or -ing.
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
_TOPIC_PREPOSITIONS = frozenset("about of on regarding concerning".split())
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
    """What a question asks about who said what; `wanted` is None if it asks nothing of the kind.

    `speakers` are the labels of the speakers it names; `topic` is the question without the words
    that express the speech act; `open` is true if whole statements answer it.
    """

    wanted: Wanted | None = None
    speakers: frozenset[str] = frozenset()
    act: str = ""
    topic: str = ""
    open: bool = False


def parse_attribution(question: str, speakers: Iterable[str]) -> Attribution:
    """Parse what a question asks about who said what, given the labels of the speakers.

    >>> parse_attribution("Who asked for the survey?", ["Ada", "Bo"]).wanted
    'speaker'
    >>> parse_attribution("What did Ada say about the budget?", ["Ada", "Bo"]).speakers
    frozenset({'Ada'})
    """
    for pattern in _SPEAKER_WANTED:
        match = pattern.search(question)
        if match:
            topic = f"{question[: match.start()]} {question[match.end() :]}"
            return Attribution("speaker", act=match.lastgroup or "", topic=topic.strip(" ?"))
    places = _named_speakers(question, speakers)
    tokens = [question[start:end] for start, end in words(question)]
    for place in dict.fromkeys(places.values()):
        act, (first, last) = _speech_act(tokens, place)
        if act:
            is_open = _is_open(tokens, last)
            topic_tokens = tokens[last + 1 :] if is_open else tokens[:first] + tokens[last:]
            return Attribution("words", frozenset(places), act, " ".join(topic_tokens), is_open)
    return Attribution(speakers=frozenset(places), topic=question if places else "")


def _is_open(tokens: list[str], last: int) -> bool:
    """Whether a whole statement answers: "what did X say", "what does X think of it"."""
    lowered = [token.lower() for token in tokens]
    return (
        _OPENING.match(" ".join(lowered)) is not None
        and _TOPIC_PREPOSITIONS.issuperset(lowered[last : last + 1])
        and lowered[-1] not in _TOPIC_PREPOSITIONS
    )


def _speech_act(tokens: list[str], place: TokenRange) -> tuple[str, TokenRange]:
    """The speech act of a named speaker, and the tokens of the name and the act together.

    Recognises "did X say", "X's view", "according to X" and "proposed by X".
    """
    first, last = place
    before = " ".join(tokens[max(0, first - 3) : first])
    match = re.search(rf"\b(?:according to|(?:{_VERB}) by)(?: the)?$", before, re.IGNORECASE)
    if match:
        return match.lastgroup or "say", (first - len(match.group().split()), last)
    after = " ".join(tokens[last : last + 3])
    if tokens[last - 1].lower().endswith(("'s", "’s")):
        pattern = rf"(?:\w+ )?(?:{_NOUN})\b"
    else:
        pattern = rf"(?:(?:has|had|have|also|first|else) )*(?:{_VERB})\b"
    match = re.match(pattern, after, re.IGNORECASE)
    if match is None:
        return "", place
    return match.lastgroup or "", (first, last + len(match.group().split()))


def _named_speakers(question: str, speakers: Iterable[str]) -> dict[str, TokenRange]:
    """The speakers that a question names, with the tokens of each name; the longest name wins."""
    tokens = [question[start:end] for start, end in words(question)]
    normalised = [_normalise(token) for token in tokens]
    is_lowercase = question[1:] == question[1:].lower()
    longest: dict[str, TokenRange] = {}
    for label in dict.fromkeys(speakers):
        places = [
            (at, at + len(alias))
            for alias, is_role in _aliases(label)
            for at in range(len(normalised) - len(alias) + 1)
            if tuple(normalised[at : at + len(alias)]) == alias
            and _names_speaker(tokens, at, alias, is_role=is_role, is_lowercase=is_lowercase)
        ]
        if places:
            longest[label] = max(places, key=lambda place: place[1] - place[0])
    return {
        label: place
        for label, place in longest.items()
        if not any(_is_within(place, other) for other in longest.values())
    }


def _names_speaker(
    tokens: list[str], at: int, alias: tuple[str, ...], *, is_role: bool, is_lowercase: bool
) -> bool:
    """Whether these tokens name a speaker: a role after "the", or a name with a capital letter."""
    before = tokens[at - 1].lower() if at else ""
    if is_role:
        return before == "the"
    if len(alias) > 1:
        return True
    if is_lowercase:  # without capitals, "will" is a name only after these words
        return before in ("did", "does", "has", "had", "to")
    return tokens[at][:1].isupper() and at > 0


def _is_within(place: TokenRange, other: TokenRange) -> bool:
    return other != place and other[0] <= place[0] and place[1] <= other[1]


def _aliases(label: str) -> list[tuple[tuple[str, ...], bool]]:
    """The full name, first name, last name and roles of a speaker; true marks a role.

    A label of one word may be a name or a role ("CHAIR"), so it counts as both.
    """
    plain = _ADDRESS.sub(" ", label)
    plain = plain if plain.strip(" ,") else label
    roles = [next(filter(None, match.groups())) for match in _ROLE.finditer(plain)]
    full_name = _tokens(_ROLE.sub(" ", plain))
    name = [token for token in full_name if token not in _TITLES | _SUFFIXES and len(token) > 1]
    names = {tuple(full_name), tuple(name), tuple(name[:1]), tuple(name[-1:])}
    role_names = {tuple(_tokens(role)) for role in roles} | (
        {tuple(name)} if len(name) == 1 else set()
    )
    role_names |= {
        (synonym,) for role in role_names for synonym in _SYNONYMS.get(" ".join(role), ())
    }
    return [(alias, False) for alias in names if alias] + [
        (alias, True) for alias in role_names if alias
    ]


def _tokens(text: str) -> list[str]:
    return [_normalise(text[start:end]) for start, end in words(text)]


def _normalise(token: str) -> str:
    return re.sub(r"['’]s?$", "", token.lower())
