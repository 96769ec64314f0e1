"""Signs in a question's words that it depends on the dialogue: pronouns, pointers, echoes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from seminar.text import terms

Exchange = tuple[str, str]  # an earlier question and its answer, "" where none was found

_PRONOUNS = {
    "he": re.compile(r"\b(?:he|him|his|himself)\b"),
    "she": re.compile(r"\b(?:she|her|hers|herself)\b"),
    "it": re.compile(r"\b(?:it|its|itself)\b"),
    "they": re.compile(r"\b(?:they|them|their|theirs|themselves)\b"),
}
_STAND_IN = re.compile(r"\b(?:one|ones|there|then|here)\b")
_DEMONSTRATIVE = re.compile(r"\b(?:this|that|these|those)\b")
_POINTER = re.compile(
    r"\b(?:mentioned|former|latter|above|previous|previously|earlier|you|first|second|third|fourth|"
    r"last|original|initial|back|aforementioned|said)\b"
)
_MORE = re.compile(
    r"\b(?:others?|another|else|also|any|more|apart|besides|additional|further|too|again)\b"
)
# "You" and "is there" refer to nothing; "any" and "more" need not.
_REFERENCE = re.compile(
    r"\b(?:he|him|his|she|her|hers|it|its|they|them|their|theirs|\w+sel(?:f|ves)|ones?|then|here|"
    r"this|that|these|those|mentioned|former|latter|above|previous(?:ly)?|aforementioned|"
    r"others?|another|else|besides)\b"
    r"|(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )\bthere\b(?! (?:is|are|was|were)\b)"
)
_IDENTITY = re.compile(r"^(?:who|what) (?:is|was|are|were) (?:he|she|they|it|this|that)\b")
_OPENER = re.compile(r"^(?:and|but|so|why|when|where|what about|how about|what else)\b")
_NAME = re.compile(r"\b[A-Z][\w'’-]+")
_YES_OR_NO = re.compile(r"^(?:yes|no)\b", re.IGNORECASE)
_SHORT_ANSWER = 5


@dataclass(frozen=True, slots=True)
class Cues:
    """A question beside the turns before it."""

    question: str  # in lower case
    history: tuple[Exchange, ...]
    terms: frozenset[str]
    last_question_terms: frozenset[str]
    last_answer_terms: frozenset[str]
    earlier_terms: frozenset[str]

    @property
    def words(self) -> int:
        return len(self.question.split())

    @property
    def answer(self) -> str:
        """The last answer, "" where none was found."""
        return self.history[-1][1] if self.history else ""

    @property
    def pronouns(self) -> frozenset[str]:
        return pronouns(self.question)

    @property
    def last_pronouns(self) -> frozenset[str]:
        """The pronouns of the last question."""
        return pronouns(self.history[-1][0].lower()) if self.history else frozenset()

    @property
    def earlier_pronouns(self) -> frozenset[str]:
        """The pronouns of the questions before the last one."""
        return frozenset().union(*(pronouns(asked.lower()) for asked, _ in self.history[:-1]))

    @property
    def stands_in(self) -> bool:
        """Whether a word stands for something mentioned before: "it", "there", "the other one"."""
        return bool(self.pronouns) or bool(_STAND_IN.search(self.question))

    @property
    def demonstrates(self) -> bool:
        return bool(_DEMONSTRATIVE.search(self.question))

    @property
    def points_back(self) -> bool:
        """Whether it refers to the conversation itself: "the second city you mentioned"."""
        return bool(_POINTER.search(self.question))

    @property
    def asks_more(self) -> bool:
        return bool(_MORE.search(self.question))

    @property
    def leans(self) -> bool:
        """Whether some word of it refers to an earlier turn."""
        return bool(_REFERENCE.search(self.question))

    @property
    def asks_identity(self) -> bool:
        return bool(_IDENTITY.search(self.question))

    @property
    def opens_short(self) -> bool:
        """Whether it begins as follow-ups do: "and", "why", "what about"."""
        return bool(_OPENER.search(self.question))

    @property
    def answer_names(self) -> int:
        return len(_NAME.findall(self.answer))

    @property
    def answer_is_name(self) -> bool:
        """Whether the last answer is little more than a name, which the question may be about."""
        length = len(self.answer.split())
        named = 2 * self.answer_names >= length
        return 0 < length <= _SHORT_ANSWER and named and not self.answer_has_number

    @property
    def answer_has_number(self) -> bool:
        return any(character.isdigit() for character in self.answer)

    @property
    def answer_is_polar(self) -> bool:
        return bool(_YES_OR_NO.match(self.answer))

    def share(self, of: frozenset[str] | set[str]) -> float:
        """The share of the question's terms that are among these."""
        return len(self.terms & of) / max(len(self.terms), 1)


def cues(question: str, history: Sequence[Exchange]) -> Cues:
    """The signs of a question after the turns before it."""
    last_question, last_answer = history[-1] if history else ("", "")
    earlier = (terms(text) for exchange in history[:-1] for text in exchange)
    return Cues(
        question.lower().strip(),
        tuple(history),
        terms=frozenset(terms(question)),
        last_question_terms=frozenset(terms(last_question)),
        last_answer_terms=frozenset(terms(last_answer)),
        earlier_terms=frozenset().union(*earlier),
    )


def pronouns(text: str) -> frozenset[str]:
    """Which of he, she, it and they a lower-case text has, in any form.

    >>> sorted(pronouns("did her brother help them?"))
    ['she', 'they']
    """
    return frozenset(name for name, forms in _PRONOUNS.items() if forms.search(text))
