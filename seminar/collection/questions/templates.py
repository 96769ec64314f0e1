"""Templates that make questions from the form of a chunk's sentences."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from seminar.answering.names import names
from seminar.answering.question_generation import question_for
from seminar.text import STOP_WORDS
from seminar.types import Span, Utterance

_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
)
_WEEKDAY = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
_DATE = re.compile(
    rf"\b(?:(?:{_WEEKDAY},? )?(?:\d{{1,2}}(?:st|nd|rd|th)? )?{_MONTH}(?: \d{{1,2}}(?:st|nd|rd|th)?"
    rf"(?!\d))?(?:,? \d{{4}})?|{_WEEKDAY}s?|(?:1[5-9]|20)\d\d)\b"
)
_AMOUNT = re.compile(
    r"[$€£]\d[\d,.]*\d?(?: (?:million|billion|thousand))?|\b\d[\d,.]*(?:%| per cent| percent)|"
    r"\b\d+(?:,\d{3})*(?:\.\d+)?(?: (?:million|billion|thousand))? "
    r"(?!(?:this|was|has|does|gives|makes|says|means|seems|works|looks)\b)[a-z]{3,}s\b"
)
_QUOTED = re.compile(r"\W*(?:>|&gt;)")  # quoted from another mail
_ADDRESS = re.compile(r"\s*<[^<>]*>$")
_NAME_LENGTH = 3
_QUANTITIES = frozenset("some most many each every all no both the a an".split())
# "I suggest that ..." of a speaker asks who does.
_STANCE = re.compile(
    r"I(?:'d| would)? (?:also |still |really |just )?"
    r"(suggest|propose|think|believe|hope|doubt|recommend|expect|assume|guess|suspect|agree|know|"
    r"understand|prefer|support|need|want|like) (that )?(.+?)[.!]?$"
)
_THING_VERBS = frozenset("recommend prefer support need want like".split())
# A statement opens with what can only be its subject; a capital alone may be a verb's.
_STATEMENT = re.compile(
    r"((?:The|An?|Some|All|Most|Many|Each|Every|No|Both|[A-Z]{2,}) [^?!:\n]{15,160}?)\.?$"
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|would|can|could|should|must|may|might|does|do|did|"
    r"[a-z]{3,}(?:ed|es))\b"
)
_PERSON = re.compile(
    r"\b(?:I|me|my|mine|myself|we|us|our|ours|you|your|yours|yourself|let's)\b|\b(?:I|we|you)['’]",
    re.IGNORECASE,
)
_TOPIC = re.compile(
    r"\b(?:[Tt]he|[Aa]n?) ((?:[a-z][a-z-]+ )?[a-z][a-z-]{3,})(?= (?:of|in|on|for|is|are|was|were|"
    r"will|has|had|to|from|with|at|by|that|which|and|or|can|would|should)\b|[.,;:?!])"
)


class _Statement(NamedTuple):
    """A sentence of the chunk and its speaker, who is empty in a document."""

    sentence: Span
    speaker: str
    label: Span | None

    @property
    def text(self) -> str:
        return self.sentence.text


class GeneratedQuestion(NamedTuple):
    """A question, the span of its answer, and the kind of template."""

    question: str
    answer: Span
    kind: str


def questions_about(sentence: Span) -> Iterator[GeneratedQuestion]:
    """Every question that a template makes of the sentence."""
    if _QUOTED.match(sentence.text):
        return
    statement = _statement(sentence)
    for template in TEMPLATES:
        yield from template(statement)


def _statement(sentence: Span) -> _Statement:
    utterance: Utterance | None = sentence.utterance
    if utterance is None:
        return _Statement(sentence, "", None)
    label = sentence.passage.speaker_label(utterance) if utterance.speaker else None
    return _Statement(sentence, _ADDRESS.sub("", utterance.speaker), label)


def _who_holds(statement: _Statement) -> Iterator[GeneratedQuestion]:
    """Ask who thinks, suggests or wants something; the answer is the speaker."""
    match = _STANCE.match(statement.text)
    if not statement.label or not match:
        return
    verb, that, claim = match.groups()
    if _PERSON.search(claim) or len(claim.split()) < 4:
        return
    if claim.startswith("to ") or (not that and verb in _THING_VERBS):
        clause = claim
    elif _VERB.search(claim):
        clause = f"that {_lowered(claim)}"
    else:
        return
    wish = "would " if "'d " in statement.text[:4] or statement.text.startswith("I would ") else ""
    predicate = f"{wish}{verb}" if wish else f"{verb}s"
    yield GeneratedQuestion(f"Who {predicate} {clause}?", statement.label, "who holds")


def _who_said(statement: _Statement) -> Iterator[GeneratedQuestion]:
    """Ask who made a statement; the answer is the speaker."""
    claim = _claim(statement.text)
    if statement.label and claim:
        yield GeneratedQuestion(f"Who said that {_lowered(claim)}?", statement.label, "who said")


def _what_about(statement: _Statement) -> Iterator[GeneratedQuestion]:
    """Ask what a speaker said about a topic; the answer is the sentence."""
    topic = " and ".join(
        dict.fromkeys(filter(None, (_name(statement.text, ""), _thing(statement.text, ""))))
    )
    unfit = (
        _PERSON.search(statement.text) or "?" in statement.text or not _VERB.search(statement.text)
    )
    if statement.speaker and topic and not unfit:
        yield GeneratedQuestion(
            f"What did {statement.speaker} say about {topic}?", statement.sentence, "what about"
        )


def _which(statement: _Statement) -> Iterator[GeneratedQuestion]:
    """Ask which date or amount a speaker mentions with a topic."""
    for kind, opening, match in (
        ("when", "Which day or date", _DATE.search(statement.text)),
        ("how much", "What number or amount", _AMOUNT.search(statement.text)),
    ):
        topic = _topic(statement.text, match.group()) if match else ""
        if match and topic and statement.speaker and match.group() != "May":  # a name, or a verb
            question = f"{opening} does {statement.speaker} mention when speaking of {topic}?"
            yield GeneratedQuestion(question, _within(statement.sentence, match.group()), kind)


def _known_form(statement: _Statement) -> Iterator[GeneratedQuestion]:
    """Ask the question that a suggestion in a chat would ask of the sentence."""
    question = question_for(statement.text)
    answer = _kind_of(question, statement.text) if question else None
    if not question or not answer:
        return
    by = statement.speaker or statement.sentence.passage.title
    clause = f"{question[0].lower()}{question[1:]}"
    yield GeneratedQuestion(
        f"According to {by}, {clause}", _within(statement.sentence, answer), "known form"
    )


TEMPLATES: tuple[Callable[[_Statement], Iterator[GeneratedQuestion]], ...] = (
    _who_holds,
    _who_said,
    _what_about,
    _which,
    _known_form,
)


def _claim(text: str) -> str | None:
    """The statement of a sentence that can be understood by itself."""
    match = _STATEMENT.match(text)
    if not match or _PERSON.search(text):
        return None
    claim = match.group(1).rstrip()
    return claim if _VERB.search(claim) else None


def _lowered(claim: str) -> str:
    """A clause in lower case but for names and abbreviations."""
    first, _, rest = claim.partition(" ")
    is_common = first.lower() in STOP_WORDS | _QUANTITIES
    return f"{first.lower()} {rest}" if is_common else claim


def _topic(text: str, answer: str) -> str:
    """The topic of a sentence: a name in it, else a thing, other than the answer."""
    return _name(text, answer) or _thing(text, answer)


def _name(text: str, answer: str) -> str:
    taken = set(answer.split())
    fitting = (
        name for name in names(text) if len(name) >= _NAME_LENGTH and not taken & set(name.split())
    )
    return next(fitting, "")


def _thing(text: str, answer: str) -> str:
    taken = set(answer.split())
    topics = (match[1] for match in _TOPIC.finditer(text))
    things = [topic for topic in topics if not taken & set(topic.split())]
    return f"the {max(things, key=len)}" if things else ""


def _kind_of(question: str, text: str) -> str | None:
    """The words of a sentence that a question of a known form asks for."""
    if question.startswith("When"):
        date = _DATE.search(text)
        return date.group() if date else None
    if question.startswith("How"):
        number = re.search(r"\d[\d,.]*\d|\d", text)
        return number.group() if number else None
    people = names(text)
    return people[-1] if question.startswith("Who") and people else None


def _within(sentence: Span, words: str) -> Span:
    start = sentence.start + sentence.text.index(words)
    return Span(sentence.passage, start, start + len(words))
