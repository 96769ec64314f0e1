"""A corpus small enough to check every statistic by hand, and systems that answered it."""

from __future__ import annotations

from seminar.analysis.frames import turns
from seminar.analysis.outcomes import Outcome
from seminar.examples import Evidence, Example, Gold, Reading

# Twelve words of nine letters: each is one of the twelve chunks.
WORDS = [f"word{number:02d}abc" for number in range(12)]
SECTION = " ".join(WORDS)
NO_ANSWER = "CANNOTANSWER"


def turn(
    dialogue: str,
    number: int,
    question: str,
    answers: tuple[str, ...],
    topic: str,
    **gold: object,
) -> Example:
    answerable = NO_ANSWER not in answers
    return Example(
        id=f"{dialogue}{number}",
        dialogue_id=dialogue,
        question=question,
        gold=Gold(answers, answerable, topic=topic, **gold),
        history=tuple((f"q{n}", WORDS[0]) for n in range(1, number)),
        context=f"{SECTION} {NO_ANSWER}",
        title="Lindmere",
        section="History",
        turn=number,
    )


EXAMPLES = [
    turn("a", 1, "What is Lindmere?", (WORDS[0],), "Lindmere", affirmation="neither"),
    turn("a", 2, "Did it burn down?", (WORDS[1],), "Lindmere", affirmation="yes"),
    turn("a", 3, "Why?", (NO_ANSWER,), "", affirmation="neither"),
    turn("a", 4, "Who built the tower of it?", (WORDS[5],), "Tower", affirmation="neither"),
    turn("b", 1, "What is Orrin?", (WORDS[0],), "Orrin", affirmation="neither"),
    turn("b", 2, "In which year?", (WORDS[11], WORDS[2]), "Lindmere", affirmation="neither"),
    turn("b", 3, "Tell me more.", (f"{WORDS[10]} {WORDS[11]}",), "Orrin", affirmation="no"),
]
FRAME = turns(EXAMPLES, split="val")

AMBIGUOUS = [
    Example("m1", "m1", "Who won?", Gold(("Ada", "Grace"), annotations=(
        (Reading(("Ada", "Ada Lovelace"), "first"), Reading(("Grace",), "second")),
        (Reading(("Ada",)),),
    ))),
    Example("m2", "m2", "When?", Gold(("1871",), annotations=((Reading(("1871",)),),))),
]  # fmt: skip

PRAGMATIC = Example(
    "p1", "p1", "Is it old?",
    Gold(
        ("Yes, it was built in 1871 by Mira.",), affirmation="yes", topic="Lindmere",
        literal=(Evidence("Yes"), Evidence("built in 1871", elements=("k1",))),
        pragmatic=(Evidence("by Mira in 1871", elements=("k2",)),),
        ratings=(1, 2, 1, 3, 1),
    ),
    domain="Books",
)  # fmt: skip


def outcome(name: str, score: float, confidence: float | None = None) -> Outcome:
    return Outcome(name, f"answer to {name}", score, confidence=confidence, seconds=0.25)


FIRST = [outcome("a1", 1.0, 0.9), outcome("a2", 0.0, 0.8), outcome("a4", 0.5, 0.2),
         outcome("b1", 1.0, 0.7), outcome("b2", 0.0, 0.1)]  # fmt: skip
SECOND = [outcome("a1", 1.0), outcome("a2", 1.0), outcome("a4", 0.0), outcome("b1", 1.0),
          outcome("b2", 1.0)]  # fmt: skip
