"""History where it helps: a question searched in several representations, fused.

The weights were chosen on training turns of the written dialogues, after gold replies and after
replies of which half are wrong or missing, and of TopiOCQA (docs/questions.md).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from seminar.protocols import Rewriter
from seminar.questions.cues import Cues, cues
from seminar.questions.history import AllHistory, Original, referents, turns_of
from seminar.questions.standalone import StandingAlone
from seminar.questions.topic_switches import PlainTopics, TopicPredictor
from seminar.types import SEPARATOR, Dialogue, Passage, Prior, Query, Representation, Switch

ALONE = 0.95  # a question at least this likely to stand alone is searched as typed
LEAST_WEIGHT = 0.15  # a representation that counts less is not worth its search
OLD_TOPICS = 2
RECENT_QUESTIONS = 3

# How often each switch occurs, and how strongly the odds against that frequency count.
SWITCH_FREQUENCY: dict[Switch, float] = {
    "no-switch": 0.69,
    "switch-to-old": 0.06,
    "switch-to-new": 0.25,
}
SWITCH_EXPONENT = 0.35

# The share of the history's weight that a question which certainly stands alone takes away.
ALONE_DISCOUNT = 0.9

# Weights of the representations. The question's grows with the chance that it stands alone.
QUESTION, QUESTION_ALONE = 0.4, 4.0
REWRITE = 1.5
LAST_TURN = 2.0
QUESTIONS = 2.0
ALL_HISTORY = 1.5
TITLE = 2.0
OLD_TITLE = 0.3

# Priors.
TOPIC = 1.5
OLD_TOPIC = 1.0
LINKED = 0.2
TITLE_IN_QUESTION = 0.8
TITLE_IN_ANSWER = 2.0


class Auto:
    """Searches a question that stands alone as typed, any other with and without its dialogue.

    A question that stands alone has no history in its query, so that it is read alone too.

    The representations are the question alone, after the last turn, after the last questions,
    after all turns, with the title of the present topic and of old ones, and a rewriter's where
    there is one. What was asked counts as much as what was answered: an answer may be wrong. The
    documents of recent topics, those linked from the last answer's passage and those named in the
    question or the last answer are expected to hold the answer.
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
        signs = [
            cues(question, turns_of(dialogue))
            for dialogue, question in zip(dialogues, questions, strict=True)
        ]
        alone = [self.alone.chance(sign) for sign in signs]
        follow_ups = [at for at, chance in enumerate(alone) if chance < ALONE]
        asked = [dialogues[at] for at in follow_ups], [questions[at] for at in follow_ups]
        queries = [Query(question, question) for question in questions]
        switches = self.topics.predict(*asked)
        rewrites = self.rewriter.rewrite(*asked)
        histories = AllHistory().rewrite(*asked)
        for at, switch, rewrite, every in zip(
            follow_ups, switches, rewrites, histories, strict=True
        ):
            weighing = _Weighing.of(switch, alone[at])
            queries[at] = _follow_up(
                dialogues[at], rewrite, every.text, weighing, depends=_depends(signs[at])
            )
        return queries


def _depends(sign: Cues) -> bool:
    """Whether some word of a question refers to the dialogue, or there is hardly a word in it."""
    return sign.leans or len(sign.terms) <= 1


@dataclass(frozen=True, slots=True)
class _Weighing:
    """How likely a question stands alone, and which part of the dialogue it is about."""

    alone: float
    history: float
    stay: float
    back: float
    onward: float

    @classmethod
    def of(cls, predicted: Mapping[Switch, float], alone: float) -> _Weighing:
        # Squared: a question that stands alone by half a chance is better searched with history.
        sure = alone**2
        odds = (
            (predicted[switch] / usual) ** SWITCH_EXPONENT
            for switch, usual in SWITCH_FREQUENCY.items()
        )
        stay, back, onward = odds
        return cls(sure, 1 - ALONE_DISCOUNT * sure, stay, back, onward)


def _follow_up(
    dialogue: Dialogue, rewrite: Query, every: str, weighing: _Weighing, *, depends: bool
) -> Query:
    """The query for a question that may depend on its dialogue; `every` has all turns.

    The rewrite is the text that is read only where the question depends on the dialogue: a
    question that says what it is about is read as typed.
    """
    question, history = rewrite.question, rewrite.history
    questions = [asked for asked, _ in history[-RECENT_QUESTIONS:]]
    found = [
        Representation(question, QUESTION + QUESTION_ALONE * weighing.alone),
        Representation(rewrite.text, REWRITE * weighing.history),
        Representation(_joined(*history[-1], question), LAST_TURN * weighing.history),
        Representation(_joined(*questions, question), QUESTIONS * weighing.history),
        Representation(every, ALL_HISTORY * weighing.history),
        *_with_topics(dialogue, question, weighing),
    ]
    return Query(
        text=rewrite.text if depends else question,
        question=question,
        history=history,
        notes=rewrite.notes,
        representations=_worth_searching(found),
        priors=tuple(_priors(dialogue, rewrite, weighing)),
    )


def _with_topics(
    dialogue: Dialogue, question: str, weighing: _Weighing
) -> Iterator[Representation]:
    """The question after the title of the present topic and of the newest old ones."""
    present = referents(dialogue)[-1:]
    weights = [(one, TITLE * weighing.history * weighing.stay) for one in present]
    weights += [(one, OLD_TITLE * weighing.back) for one in old_topics(dialogue)[:OLD_TOPICS]]
    for passage, weight in weights:
        if passage.title:
            yield Representation(f"{passage.title}: {question}", weight)


def _worth_searching(found: Sequence[Representation]) -> tuple[Representation, ...]:
    """Each text once, with the weights of its representations added, unless they are too small."""
    weights: dict[str, float] = {}
    for one in found:
        weights[one.text] = weights.get(one.text, 0.0) + one.weight
    merged = (Representation(text, weight) for text, weight in weights.items())
    return tuple(one for one in merged if one.weight >= LEAST_WEIGHT)


def _priors(dialogue: Dialogue, query: Query, weighing: _Weighing) -> Iterator[Prior]:
    yield Prior(TITLE_IN_QUESTION, mention=query.question)
    topics = referents(dialogue)
    answer = _without_topic(topics, query.history[-1][1])
    if answer:
        yield Prior(TITLE_IN_ANSWER * weighing.onward, mention=answer)
    if not topics:
        return
    yield Prior(TOPIC * weighing.history * weighing.stay, source=topics[-1].source)
    for passage in old_topics(dialogue):
        yield Prior(OLD_TOPIC * weighing.back, source=passage.source)
    for source in linked(dialogue):
        yield Prior(LINKED * weighing.onward, source=source)


def old_topics(dialogue: Dialogue) -> list[Passage]:
    """A passage of each topic but the present one, the newest topic first."""
    topics: dict[str, Passage] = {}
    for passage in reversed(referents(dialogue)):
        topics.setdefault(passage.source, passage)
    return list(topics.values())[1:]


def linked(dialogue: Dialogue) -> list[str]:
    """The documents that the last answer's passage links to and that were no topic yet.

    A link may lead to a place in a document, or to a document within a file that holds several:
    both spellings of its target are candidates.
    """
    topics = referents(dialogue)
    known = {passage.source for passage in topics}
    targets = (link.target for passage in topics[-1:] for link in passage.links)
    spelt = (name for target in targets for name in (target, target.partition("#")[0]))
    return [name for name in dict.fromkeys(spelt) if name and name not in known]


def _without_topic(topics: Sequence[Passage], answer: str) -> str:
    """The answer without the present topic's title, whose mention says nothing new."""
    title = topics[-1].title if topics else ""
    name = rf"(?<!\w){re.escape(title)}(?!\w)"
    return re.sub(name, " ", answer, flags=re.IGNORECASE) if title else answer


def _joined(*texts: str) -> str:
    return SEPARATOR.join(text for text in texts if text)
