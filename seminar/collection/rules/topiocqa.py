"""Live checks of a questioner's words, and which dialogs are kept (Adlakha et al., 2022).

Appendix A: questions depend on the dialog, avoid the words of section titles, and several
documents are talked about. Section 4: 10 turns are encouraged, under 5 are discarded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from seminar.collection.records import FreeAnswer, Turn
from seminar.questions.cues import Exchange, cues
from seminar.text import terms

ENCOURAGED = 10
LEAST_TURNS = 5
ANNOTATIONS = 3  # further ones of each turn in the evaluation sets
LONG = 5  # answers from one document; the paper's mode is 3, more than 10 are rare

ELLIPTIC = 3  # words: "by whom?", "and the music?"
_DEFINITE = re.compile(r"\bthe ((?:[\w'-]+ )?[\w'-]+)", re.IGNORECASE)

# What every document has, or what asks for nothing in particular.
_COMMON_TITLES = frozenset({"introduction", "overview", "see also", "references", "notes"})


@dataclass(frozen=True, slots=True)
class Note:
    """Advice to the questioner: `kind` for programs, `text` to show; nothing is forbidden."""

    kind: str
    text: str


def question_notes(
    question: str, turns: Sequence[Turn], section_titles: Iterable[str]
) -> tuple[Note, ...]:
    """What could be better in a question that is being typed; none in most questions.

    `section_titles` are those that the questioner sees.
    """
    checks = (
        _repeated_title(question, section_titles),
        _missing_reference(question, turns),
        _same_document(turns),
    )
    return tuple(note for note in checks if note is not None)


def documents(turns: Sequence[Turn]) -> list[str]:
    """The page of each answer that has a rationale, in order."""
    answers = (turn.answer for turn in turns)
    return [
        answer.rationale.page
        for answer in answers
        if isinstance(answer, FreeAnswer) and answer.rationale is not None
    ]


def _repeated_title(question: str, section_titles: Iterable[str]) -> Note | None:
    """A note where all content words of a section's title stand in the question."""
    asked = terms(question)
    for path in section_titles:
        title = path.rpartition(" > ")[2]
        own = terms(title)
        if own and own <= asked and title.casefold() not in _COMMON_TITLES:
            text = f"This repeats the section title '{title}'. Can you ask it in other words?"
            return Note("section title", text)
    return None


def _missing_reference(question: str, turns: Sequence[Turn]) -> Note | None:
    """A note where no word of the question refers back, and where it isn't short."""
    if not turns or not question.strip():
        return None
    history: list[Exchange] = [(turn.question, _text(turn)) for turn in turns]
    signs = cues(question, history)
    if signs.leans or signs.pronouns or signs.demonstrates or signs.points_back:
        return None
    if signs.opens_short or signs.asks_more or signs.words <= ELLIPTIC:
        return None
    said = signs.last_question_terms | signs.last_answer_terms | signs.earlier_terms
    if any(terms(match.group(1)) & said for match in _DEFINITE.finditer(question)):
        return None  # "the island", of which was spoken
    text = "This could stand alone. Can you refer to what was said, as with 'he', 'it' or 'there'?"
    return Note("no reference", text)


def _same_document(turns: Sequence[Turn]) -> Note | None:
    """A note where the last answers all came from one document."""
    last = documents(turns)[-LONG:]
    if len(last) < LONG or len(set(last)) > 1:
        return None
    text = f"The last {LONG} answers came from one page. Is there a related page to ask about?"
    return Note("same topic", text)


def _text(turn: Turn) -> str:
    return turn.answer.text if isinstance(turn.answer, FreeAnswer) else ""
