"""Questions from the sentences of a chunk, by their form: no language model is needed."""

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
_QUOTED = re.compile(r"\W*(?:>|&gt;)")  # another mail's words
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


class _Said(NamedTuple):
    """A sentence of the chunk, and who says it; a document has nobody who does."""

    sentence: Span
    speaker: str
    label: Span | None

    @property
    def text(self) -> str:
        return self.sentence.text


class Made(NamedTuple):
    """A question, where its answer stands, and the kind of template."""

    question: str
    answer: Span
    kind: str


def questions_about(sentence: Span) -> Iterator[Made]:
    """Every question that a form of the sentence gives."""
    if _QUOTED.match(sentence.text):
        return
    said = _said(sentence)
    for template in TEMPLATES:
        yield from template(said)


def _said(sentence: Span) -> _Said:
    utterance: Utterance | None = sentence.utterance
    if utterance is None:
        return _Said(sentence, "", None)
    label = sentence.passage.speaker_label(utterance) if utterance.speaker else None
    return _Said(sentence, _ADDRESS.sub("", utterance.speaker), label)


def _who_holds(said: _Said) -> Iterator[Made]:
    """Who thinks, suggests, wants something: the speaker."""
    found = _STANCE.match(said.text)
    if not said.label or not found:
        return
    verb, that, claim = found.groups()
    if _PERSON.search(claim) or len(claim.split()) < 4:
        return
    if claim.startswith("to ") or (not that and verb in _THING_VERBS):
        clause = claim
    elif _VERB.search(claim):
        clause = f"that {_lowered(claim)}"
    else:
        return
    wish = "would " if "'d " in said.text[:4] or said.text.startswith("I would ") else ""
    told = f"{wish}{verb}" if wish else f"{verb}s"
    yield Made(f"Who {told} {clause}?", said.label, "who holds")


def _who_said(said: _Said) -> Iterator[Made]:
    """Who said that something is so: the speaker."""
    claim = _claim(said.text)
    if said.label and claim:
        yield Made(f"Who said that {_lowered(claim)}?", said.label, "who said")


def _what_about(said: _Said) -> Iterator[Made]:
    """What somebody said about something: the sentence itself."""
    topic = " and ".join(dict.fromkeys(filter(None, (_name(said.text, ""), _thing(said.text, "")))))
    unfit = _PERSON.search(said.text) or "?" in said.text or not _VERB.search(said.text)
    if said.speaker and topic and not unfit:
        yield Made(f"What did {said.speaker} say about {topic}?", said.sentence, "what about")


def _which(said: _Said) -> Iterator[Made]:
    """Which date, amount or name is mentioned together with something."""
    for kind, asked, found in (
        ("when", "Which day or date", _DATE.search(said.text)),
        ("how much", "What number or amount", _AMOUNT.search(said.text)),
    ):
        topic = _topic(said.text, found.group()) if found else ""
        if found and topic and said.speaker and found.group() != "May":  # a name, or a verb
            question = f"{asked} does {said.speaker} mention when speaking of {topic}?"
            yield Made(question, _within(said.sentence, found.group()), kind)


def _known_form(said: _Said) -> Iterator[Made]:
    """What the sentence answers by its form, as the suggested questions of a chat."""
    question = question_for(said.text)
    answer = _kind_of(question, said.text) if question else None
    if not question or not answer:
        return
    by = said.speaker or said.sentence.passage.title
    asked = f"{question[0].lower()}{question[1:]}"
    yield Made(f"According to {by}, {asked}", _within(said.sentence, answer), "known form")


TEMPLATES: tuple[Callable[[_Said], Iterator[Made]], ...] = (
    _who_holds,
    _who_said,
    _what_about,
    _which,
    _known_form,
)


def _claim(text: str) -> str | None:
    """What a sentence states, if it can be understood by itself."""
    found = _STATEMENT.match(text)
    if not found or _PERSON.search(text):
        return None
    claim = found.group(1).rstrip()
    return claim if _VERB.search(claim) else None


def _lowered(claim: str) -> str:
    """A clause as it is written within a sentence: names and abbreviations keep their capitals."""
    first, _, rest = claim.partition(" ")
    is_common = first.lower() in STOP_WORDS | _QUANTITIES
    return f"{first.lower()} {rest}" if is_common else claim


def _topic(text: str, answer: str) -> str:
    """What a sentence is about: a name in it, else a thing, other than the answer."""
    return _name(text, answer) or _thing(text, answer)


def _name(text: str, answer: str) -> str:
    told = set(answer.split())
    fit = (one for one in names(text) if len(one) >= _NAME_LENGTH and not told & set(one.split()))
    return next(fit, "")


def _thing(text: str, answer: str) -> str:
    told = set(answer.split())
    things = [one[1] for one in _TOPIC.finditer(text) if not told & set(one[1].split())]
    return f"the {max(things, key=len)}" if things else ""


def _kind_of(question: str, text: str) -> str | None:
    """The words of a sentence that a question of a known form asks for."""
    if question.startswith("When"):
        found = _DATE.search(text)
        return found.group() if found else None
    if question.startswith("How"):
        found = re.search(r"\d[\d,.]*\d|\d", text)
        return found.group() if found else None
    told = names(text)
    return told[-1] if question.startswith("Who") and told else None


def _within(sentence: Span, words: str) -> Span:
    start = sentence.start + sentence.text.index(words)
    return Span(sentence.passage, start, start + len(words))
