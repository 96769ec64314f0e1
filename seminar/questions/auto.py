"""History where it helps: several representations of a question, weighed by what it leans on.

The weights were chosen on turns of TopiOCQA's training set whose topic is in Wikispeedia
(docs/questions.md); what matters is their order more than their size.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from seminar.protocols import Rewriter
from seminar.questions.cues import Cues, cues
from seminar.questions.history import AllHistory, Original, turns_of
from seminar.questions.standalone import StandingAlone
from seminar.questions.topic_switches import PlainTopics, TopicPredictor
from seminar.types import SEPARATOR, Dialogue, Passage, Prior, Query, Representation, Switch

ALONE = 0.95  # likelier than this to stand alone: nothing is added to it
LEAST = 0.15  # a representation that counts less is not worth its search
OLD_TOPICS = 2

# How often each switch is made, and how strongly its odds against that count.
USUAL: dict[Switch, float] = {"no-switch": 0.69, "switch-to-old": 0.06, "switch-to-new": 0.25}
TRUST = 0.35

# What a question that stands alone takes from everything that the history adds.
LEAVE = 0.7

# Representations.
QUESTION = 3.5  # where it stands alone
QUESTION_ANYWAY = 0.1
REWRITE = 2.0
TITLE = 2.0
LAST_ANSWER = 0.7
LAST_TURN = 0.4
ALL_HISTORY = 1.0
OLD_TITLE = 0.3

# Priors.
TOPIC = 1.5
OLD_TOPIC = 2.5
LINKED = 0.2
TITLE_IN_QUESTION = 0.8
TITLE_IN_ANSWER = 2.0


class Auto:
    """Leaves alone what stands alone; searches the rest with and without the dialogue, fused.

    The representations are the question alone, with the present topic, the last answer, the last
    turn, all turns and old topics, and a rewriter's where there is one. The likelier a switch, the
    more counts what leads away from the topic; the present topic, old ones, documents linked from
    the last answer's passage and documents named in question or answer are expected to answer.
    """

    def __init__(
        self,
        *,
        topics: TopicPredictor | None = None,
        alone: StandingAlone | None = None,
        rewriter: Rewriter | None = None,
    ) -> None:
        self.topics = topics or PlainTopics()
        self.alone = alone or StandingAlone()
        self.rewriter = rewriter or Original()

    def rewrite(self, dialogues: Sequence[Dialogue], questions: Sequence[str]) -> list[Query]:
        seen = [
            cues(question, turns_of(dialogue))
            for dialogue, question in zip(dialogues, questions, strict=True)
        ]
        alone = [self.alone.chance(cue) for cue in seen]
        follow_ups = [at for at, chance in enumerate(alone) if chance < ALONE]
        asked = [dialogues[at] for at in follow_ups], [questions[at] for at in follow_ups]
        queries = Original().rewrite(dialogues, questions)
        predicted = self.topics.predict(*asked)
        rewritten = self.rewriter.rewrite(*asked)
        whole = AllHistory().rewrite(*asked)
        for at, switch, own, every in zip(follow_ups, predicted, rewritten, whole, strict=True):
            lean = _Lean.of(switch, alone[at], trusted=self._trusts(own, seen[at]))
            queries[at] = _follow_up(dialogues[at], own, every.text, lean)
        return queries

    def _trusts(self, own: Query, cue: Cues) -> bool:
        """Whether the rewriter's text counts: one who leaves a question as it is may have failed.

        That nothing was put in is believed where no word of the question asks for it.
        """
        if isinstance(self.rewriter, Original):
            return False
        return own.text != own.question or not cue.leans


@dataclass(frozen=True, slots=True)
class _Lean:
    """How much a question leans on its dialogue, and on which part of it."""

    alone: float
    need: float
    stay: float
    back: float
    onward: float
    rewritten: bool  # what the rewriter gave counts

    @classmethod
    def of(cls, predicted: Mapping[Switch, float], alone: float, *, trusted: bool) -> _Lean:
        # Squared: a question that stands alone by half a chance is better served with its history.
        sure = alone**2
        stay, back, onward = ((predicted[name] / usual) ** TRUST for name, usual in USUAL.items())
        return cls(sure, 1 - LEAVE * sure, stay, back, onward, trusted)


def _follow_up(dialogue: Dialogue, own: Query, every: str, lean: _Lean) -> Query:
    """The query for a question that leans on its dialogue; `own` is the rewriter's."""
    chief = [
        Representation(own.question, QUESTION_ANYWAY + QUESTION * lean.alone),
        *_with_rewrite(own, lean),
        *_with_topic(dialogue, own.question, lean),
        *_with_last_answer(own, lean),
    ]
    others = [
        Representation(_joined(*own.history[-1], own.question), LAST_TURN * lean.need),
        Representation(every, ALL_HISTORY * lean.need),
        *_with_old_topics(dialogue, own.question, lean),
    ]
    return Query(
        # The words of all turns would tell a reader little of what is asked now.
        text=max(_merged(chief), key=lambda one: one.weight).text,
        question=own.question,
        history=own.history,
        notes=own.notes,
        representations=_worth_searching([*chief, *others]),
        priors=tuple(_priors(dialogue, own, lean)),
    )


def _with_rewrite(own: Query, lean: _Lean) -> Iterator[Representation]:
    if lean.rewritten:
        yield Representation(own.text, REWRITE * lean.need)


def _with_topic(dialogue: Dialogue, question: str, lean: _Lean) -> Iterator[Representation]:
    if dialogue.trail and dialogue.trail[-1].title:
        text = _about(dialogue.trail[-1], question)
        yield Representation(text, TITLE * lean.need * lean.stay)


def _with_last_answer(own: Query, lean: _Lean) -> Iterator[Representation]:
    answer = own.history[-1][1]
    if answer:
        text = _joined(answer, own.question)
        yield Representation(text, LAST_ANSWER * lean.need * lean.onward)


def _with_old_topics(dialogue: Dialogue, question: str, lean: _Lean) -> Iterator[Representation]:
    for passage in old_topics(dialogue)[:OLD_TOPICS]:
        if passage.title:
            yield Representation(_about(passage, question), OLD_TITLE * lean.back)


def _worth_searching(found: Sequence[Representation]) -> tuple[Representation, ...]:
    return tuple(one for one in _merged(found) if one.weight >= LEAST)


def _merged(found: Sequence[Representation]) -> list[Representation]:
    """Each text once, with all that speaks for it."""
    weights: dict[str, float] = {}
    for one in found:
        weights[one.text] = weights.get(one.text, 0.0) + one.weight
    return [Representation(text, weight) for text, weight in weights.items()]


def _priors(dialogue: Dialogue, own: Query, lean: _Lean) -> Iterator[Prior]:
    yield Prior(TITLE_IN_QUESTION, mention=own.question)
    answer = _without_topic(dialogue, own.history[-1][1])
    if answer:
        yield Prior(TITLE_IN_ANSWER * lean.onward, mention=answer)
    if not dialogue.trail:
        return
    yield Prior(TOPIC * lean.need * lean.stay, source=dialogue.trail[-1].source)
    for passage in old_topics(dialogue):
        yield Prior(OLD_TOPIC * lean.back, source=passage.source)
    for source in linked(dialogue):
        yield Prior(LINKED * lean.onward, source=source)


def old_topics(dialogue: Dialogue) -> list[Passage]:
    """A passage of each topic but the present one, the newest topic first."""
    found: dict[str, Passage] = {}
    for passage in reversed(dialogue.trail):
        found.setdefault(passage.source, passage)
    return list(found.values())[1:]


def linked(dialogue: Dialogue) -> list[str]:
    """The documents that the last answer's passage links to and that were no topic yet.

    A link may lead to a place in a document, or to a document within a file that holds several:
    both spellings of its target are candidates.
    """
    known = {passage.source for passage in dialogue.trail}
    targets = (link.target for link in dialogue.trail[-1].links) if dialogue.trail else ()
    spelt = (name for target in targets for name in (target, target.partition("#")[0]))
    return [name for name in dict.fromkeys(spelt) if name and name not in known]


def _without_topic(dialogue: Dialogue, answer: str) -> str:
    """The answer without the present topic's name: that it is spoken of says nothing new."""
    title = dialogue.trail[-1].title if dialogue.trail else ""
    name = rf"(?<!\w){re.escape(title)}(?!\w)"
    return re.sub(name, " ", answer, flags=re.IGNORECASE) if title else answer


def _about(passage: Passage, question: str) -> str:
    return f"{passage.title}: {question}"


def _joined(*texts: str) -> str:
    return SEPARATOR.join(text for text in texts if text)
