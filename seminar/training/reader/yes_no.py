"""Yes-or-no questions generated from SQuAD's questions and from the sentences of its paragraphs.

BoolQ's questions are about whole paragraphs, and a single word rarely decides them. Here the
deciding words are known: an answer replaced by another of its kind, a "not" that was inserted or is
there already.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from seminar.examples import Example, Gold
from seminar.text import sentences
from seminar.types import Affirmation

_BE = r"is|are|was|were"
_DO = r"did|does|do|can|could|will|would|should|must"
_ASKED = tuple(
    (re.compile(pattern, re.IGNORECASE), made)
    for pattern, made in (
        (
            rf"(?:when|in (?:what|which) year) (?P<aux>{_BE}|{_DO}) (?P<rest>.+)",
            "{aux} {rest} {at}",
        ),
        (rf"where (?P<aux>{_BE}|{_DO}) (?P<rest>.+)", "{aux} {rest} {at}"),
        (rf"(?:what|who) (?P<aux>{_BE}) (?P<rest>(?:the|a|an|one) .+)", "{aux} {answer} {rest}"),
        (rf"(?:what|who|whom) (?P<aux>{_DO}) (?P<rest>.+)", "{aux} {rest} {answer}"),
        (rf"how many (?P<of>\w+) (?P<aux>{_DO}) (?P<rest>.+)", "{aux} {rest} {answer} {of}"),
    )
)
_AT = re.compile(r"(?:in|on|at|by|from|before|after|during|near|between|around|since) ", re.I)
_YEAR = re.compile(r"\d{4}\b")
_STATED = re.compile(
    r"(?P<subject>(?:The |A |An |It|He|She|They|[A-Z]\w+)[\w' -]{0,40}?) "
    rf"(?P<aux>{_BE}|can|could|will|would|must) (?P<not>not |never |no longer )?"
    r"(?P<rest>[a-z][^,;:()\"]{10,90})\."
)
_THERE = re.compile(
    rf"There (?P<aux>{_BE}) (?P<much>no|a|an|some|many|several) (?P<rest>[^,;:()]+)\."
)
_NO_SUBJECT = re.compile(
    r"(?:In|On|At|By|As|For|From|Of|To|With|When|While|If|Although|Though|Because|Since|After"
    r"|Before|There|This|That|These|Those|What|Which|Who|Where|How|Why|And|But|Or)\b"
)
_COMMON = re.compile(r"(?:The|A|An|It|He|She|They|His|Her|Its|Their|Some|Most|All)\b")
_NEGATIONS = ("not ", "not ", "never ", "no longer ")
LONGEST_ANSWER = 40


def yes_no_questions(questions: Sequence[Example], draw: random.Random) -> list[Example]:
    """As many questions with the answer yes as with no, each with the sentence that shows it."""
    paragraphs: dict[str, list[Example]] = defaultdict(list)
    for question in questions:
        paragraphs[question.context].append(question)
    examples = [one for group in paragraphs.values() for one in _asked(group, draw)]
    examples += [one for group in paragraphs.values() for one in _stated(group[0], draw)]
    return _balanced(examples, draw)


def _balanced(examples: Iterable[Example], draw: random.Random) -> list[Example]:
    sides: dict[Affirmation | None, list[Example]] = {"yes": [], "no": []}
    for one in examples:
        sides[one.gold.affirmation].append(one)
    count = min(map(len, sides.values()))
    return [one for side in sides.values() for one in draw.sample(side, count)]


def _asked(paragraph: Sequence[Example], draw: random.Random) -> Iterator[Example]:
    """The paragraph's questions with their answer in them, or with that of another question."""
    answers = [one.gold.answers[0] for one in paragraph if one.gold.spans]
    for example in paragraph:
        if not example.gold.spans:
            continue
        right = example.gold.answers[0]
        wrong = [one for one in answers if _kind(one) == _kind(right) and not _alike(one, right)]
        answer: Affirmation = "no" if wrong and draw.random() < 0.7 else "yes"
        question = ask_whether(example.question, draw.choice(wrong) if answer == "no" else right)
        if question:
            yield _made(
                example, question, answer, _sentence(example.context, example.gold.spans[0])
            )


def ask_whether(question: str, answer: str) -> str | None:
    """An open question with an answer put into it.

    >>> ask_whether("When was the tower built?", "1904")
    'Was the tower built in 1904?'
    >>> ask_whether("What does the rent include?", "fourteen meals")
    'Does the rent include fourteen meals?'
    >>> ask_whether("How was it done?", "slowly")
    """
    asked = question.strip().rstrip("?").strip()
    if len(answer) > LONGEST_ANSWER:
        return None
    for pattern, form in _ASKED:
        found = pattern.fullmatch(asked)
        if found:
            words = {"of": ""} | found.groupdict()
            text = form.format(**words, answer=answer, at=_placed(answer))
            return f"{text[0].upper()}{text[1:]}?"
    return None


def _placed(answer: str) -> str:
    """When or where, with the preposition it lacks."""
    if _AT.match(answer):
        return answer
    dated = re.search(r"\d", answer) and not _YEAR.fullmatch(answer)
    return f"{'on' if dated else 'in'} {answer}"


def _kind(answer: str) -> str:
    if any(character.isdigit() for character in answer):
        return "year" if _YEAR.search(answer) else "number"
    return "name" if answer[:1].isupper() else "words"


def _alike(one: str, other: str) -> bool:
    return one.lower() in other.lower() or other.lower() in one.lower()


def _sentence(text: str, span: tuple[int, int]) -> tuple[int, int]:
    return next(one for one in sentences(text) if one[0] <= span[0] < one[1])


def _stated(paragraph: Example, draw: random.Random) -> Iterator[Example]:
    """Questions whether a sentence is true: as it is, or with a negation inserted."""
    for start, end in sentences(paragraph.context):
        sentence = paragraph.context[start:end]
        there, plain = _THERE.fullmatch(sentence), _STATED.fullmatch(sentence)
        if there:
            yield from _existing(paragraph, (start, end), there, draw)
        elif plain and not _NO_SUBJECT.match(sentence) and len(plain["subject"].split()) <= 5:
            yield from _inverted(paragraph, (start, end), plain, draw)


def _existing(
    paragraph: Example, place: tuple[int, int], stated: re.Match[str], draw: random.Random
) -> Iterator[Example]:
    much = "a" if stated["aux"] in ("is", "was") else "any"
    question = f"{stated['aux'].capitalize()} there {much} {stated['rest']}?"
    if stated["much"] == "no":
        yield _made(paragraph, question, "no", place)
    elif draw.random() < 0.5:
        yield _made(paragraph, question, "yes", place)
    else:
        yield _restated(paragraph, question, place, stated.span("much"), "no")


def _inverted(
    paragraph: Example, place: tuple[int, int], stated: re.Match[str], draw: random.Random
) -> Iterator[Example]:
    subject = stated["subject"]
    if _COMMON.match(subject):
        subject = subject[0].lower() + subject[1:]
    question = f"{stated['aux'].capitalize()} {subject} {stated['rest']}?"
    if stated["not"]:
        yield _made(paragraph, question, "no", place)
    elif draw.random() < 0.5:
        yield _made(paragraph, question, "yes", place)
    else:
        at = stated.start("rest")
        yield _restated(paragraph, question, place, (at, at), draw.choice(_NEGATIONS))


def _restated(
    paragraph: Example,
    question: str,
    place: tuple[int, int],
    changed: tuple[int, int],
    words: str,
) -> Example:
    """A question that is answered no once some words of the sentence are changed."""
    start, end = place
    text, first, last = paragraph.context, start + changed[0], start + changed[1]
    longer = len(words) - (last - first)
    changed_text = f"{text[:first]}{words}{text[last:]}"
    return _made(replace(paragraph, context=changed_text), question, "no", (start, end + longer))


def _made(example: Example, question: str, answer: Affirmation, place: tuple[int, int]) -> Example:
    gold = Gold((answer,), spans=(place,), affirmation=answer)
    return replace(example, id=f"{example.id} {question}", question=question, gold=gold, history=())
