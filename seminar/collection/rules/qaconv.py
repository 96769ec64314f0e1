"""Which questions of QAConv are accepted, verified and kept (Wu et al., 2022, section 2.1).

FZ-R is the official scorer's fuzzy ratio, 0 to 100.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from seminar.answering.names import names
from seminar.collection.questions.rules import broken_rules
from seminar.metrics.measures.fuzzy import fuzzy_ratio

UNCERTAIN = 75  # answers less alike than this differ
SAME = 90  # answers more alike than this are one
LEAST_ENTITIES = 3  # of an unanswerable question
OFFERED = 4  # generated questions that a writer is shown

Option = Literal["A", "B", "C", "D"]
OPTIONS: dict[Option, str] = {
    "A": "The question and its answer look good",
    "B": "The question can't be answered from this conversation",
    "C": "The question has a wrong answer",
    "D": "The answer is right, but I prefer another",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a verifier said of a question; `answer` is the one they prefer, with D."""

    worker: str
    option: Option
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """What becomes of a question: without `kept` it is dropped, without answers unanswerable."""

    kept: bool
    answers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Settlement:
    """The gold answers of a question in dev or test, or what is needed to settle them."""

    answers: tuple[str, ...] = ()
    needs: Literal["", "third annotator", "judgement"] = ""


def form_faults(question: str, answer: str, source: str) -> tuple[str, ...]:
    """The rules of form that a question and its answer break, as they are typed."""
    return broken_rules(question, answer, source)


def entities(question: str, source: str) -> tuple[str, ...]:
    """The different names and numbers of a question that the conversation mentions."""
    spoken = source.casefold()
    numbers = (word.strip("?,.:;!") for word in question.split() if any(map(str.isdigit, word)))
    found = [_spoken_part(name, spoken) for name in (*names(question), *numbers)]
    return tuple(dict.fromkeys(filter(None, found)))


def _spoken_part(name: str, spoken: str) -> str:
    """A name without the words before it, as in "Did Ann", that only begin the question."""
    words = name.split()
    endings = (" ".join(words[start:]) for start in range(len(words)))
    return next((ending for ending in endings if ending.casefold() in spoken), "")


def unanswerable_faults(question: str, source: str) -> tuple[str, ...]:
    """The rules that a question without an answer breaks: its form, and three entities at least."""
    faults = broken_rules(question, "", source)
    kept = [fault for fault in faults if fault != "an answer"]
    count = len(entities(question, source))
    if count < LEAST_ENTITIES:
        kept.append(f"at least {LEAST_ENTITIES} names or numbers of the source ({count} there)")
    return tuple(kept)


def is_uncertain(answers: Sequence[str]) -> bool:
    """Whether a question goes to verification: no two of its answers are alike.

    The answers are those of its writer, of readers, and of the question generator.

    >>> is_uncertain(["Akzo Nobel", "the litigation", "Akzo Nobel N.V."])
    False
    """
    return len(answers) > 1 and all(
        alikeness(one, other) < UNCERTAIN for one, other in combinations(answers, 2)
    )


def failed_traps(given: Iterable[tuple[str, Option]]) -> frozenset[str]:
    """The workers who did not say B of a planted question; none of their verdicts count."""
    return frozenset(worker for worker, option in given if option != "B")


def decide(
    answers: Sequence[str], verdicts: Iterable[Verdict], *, distrusted: Iterable[str] = ()
) -> Decision:
    """What the verifiers make of a question: the option with most votes, in doubt the stricter.

    C drops it, B makes it unanswerable, D adds the preferred answers to the gold ones.
    """
    out = frozenset(distrusted)
    counted = [verdict for verdict in verdicts if verdict.worker not in out]
    if not counted:
        return Decision(kept=True, answers=tuple(answers))
    votes: Mapping[Option, int] = Counter(verdict.option for verdict in counted)
    option = max(_STRICTNESS, key=lambda one: (votes.get(one, 0), _STRICTNESS.index(one)))
    if option == "C":
        return Decision(kept=False)
    if option == "B":
        return Decision(kept=True)
    preferred = (verdict.answer.strip() for verdict in counted if verdict.option == "D")
    return Decision(True, tuple(dict.fromkeys([*answers, *filter(None, preferred)])))


_STRICTNESS: tuple[Option, ...] = ("A", "D", "B", "C")


def settled_answers(first: str, second: str, third: str | None = None) -> Settlement:
    """The gold answers of a dev or test question from its first answer and the later ones.

    Appendix A.2: above 90 the first is kept, from 75 to 90 both; below it a third annotator
    answers, and the two most alike are kept if they reach more than 75, else somebody decides.
    """
    nearness = alikeness(first, second)
    if nearness > SAME:
        return Settlement((first,))
    if nearness >= UNCERTAIN:
        return Settlement((first, second))
    if third is None:
        return Settlement(needs="third annotator")
    nearest = max(combinations((first, second, third), 2), key=lambda two: alikeness(*two))
    if alikeness(*nearest) > UNCERTAIN:
        return Settlement(nearest)
    return Settlement(needs="judgement")


def alikeness(one: str, other: str) -> int:
    """FZ-R of two answers in the better direction: the ratio depends on which comes first."""
    return max(fuzzy_ratio(one, other), fuzzy_ratio(other, one))
