"""What each role sees of a dialog: one frozen type for each protocol and role, tagged by `view`.

A view is whole: the newest one replaces the one before. What a role may not see is in none of its
fields. Offsets count characters of the page's `text`.
"""

from __future__ import annotations

from datetime import datetime

import msgspec

from seminar.collection.records import LiteralAnswer
from seminar.types import Affirmation, Continuation, Element, Link, Section


class Frame(msgspec.Struct, frozen=True, kw_only=True):
    """What every view has beside the protocol's own part.

    `allowed` are the kinds of actions that are accepted now; it is your turn if `yours`. Times are
    UTC. `deadline` is when an idle dialog ends; `turn_pay` is what the current turn will add.
    """

    dialog: str
    protocol: str
    task: str  # "dialog", "validation", "verification"
    role: str
    number: int  # of the newest action; a view with a smaller one is older
    yours: bool
    allowed: tuple[str, ...]
    turns_done: int
    practice: bool
    assisted: bool  # `draft` holds the assistant's proposal for the teacher to edit
    began: datetime
    deadline: datetime | None
    earned: int  # minor units, if it ended now as it may
    turn_pay: int
    currency: str
    ended: Ended | None = None


class Ended(msgspec.Struct, frozen=True):
    """How a dialog ended, and what you were paid for it."""

    reason: str  # "completed", "limit", "unanswerable", "left", "partner left", "idle",
    # "partner idle", "reported", "stopped"
    pay: int  # minor units
    next: str  # "exit survey", "lobby", "done"


class ReadablePage(msgspec.Struct, frozen=True, kw_only=True):
    """A page as a teacher or answerer reads it; links lead to ids of pages in the corpus."""

    id: str
    title: str
    text: str
    sections: tuple[Section, ...] = ()
    links: tuple[Link, ...] = ()
    elements: tuple[Element, ...] = ()
    url: str = ""


class ShownSpan(msgspec.Struct, frozen=True):
    """A span with its words."""

    page: str
    start: int
    end: int
    text: str


class View(msgspec.Struct, frozen=True, kw_only=True, tag_field="view"):
    """The base of all views."""

    frame: Frame


# QuAC


class QuacTurn(msgspec.Struct, frozen=True, kw_only=True):
    """A question and the teacher's answer; before the answer `answered` is false."""

    number: int
    question: str
    answered: bool
    answer: str = ""  # words of the section; empty where it has no answer
    continuation: Continuation | None = None
    affirmation: Affirmation | None = None


class SectionText(msgspec.Struct, frozen=True):
    """The hidden section; `start` is its offset in its page, to which spans refer."""

    page: str
    start: int
    text: str


class QuacStudent(View, frozen=True, kw_only=True, tag="quac student"):
    """Never the section."""

    title: str
    section_title: str
    background: str  # the article's first paragraph
    turns: tuple[QuacTurn, ...]
    most_turns: int
    unanswerable_left: int


class QuacTeacher(View, frozen=True, kw_only=True, tag="quac teacher"):
    """The student's part, the section, and in an assisted dialog the assistant's draft."""

    title: str
    section_title: str
    background: str
    turns: tuple[QuacTurn, ...]
    most_turns: int
    unanswerable_left: int
    section: SectionText
    draft: Draft | None = None


class QuacAnnotator(View, frozen=True, kw_only=True, tag="quac annotator"):
    """The dialog up to the current question; `turns` have the original answers, `own` yours."""

    title: str
    section_title: str
    background: str
    turns: tuple[QuacTurn, ...]
    section: SectionText
    own: tuple[QuacTurn, ...]
    questions: int  # of the whole dialog


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """What the assistant would answer; `spans` are literal, `pragmatic` further ones."""

    text: str
    spans: tuple[ShownSpan, ...] = ()
    pragmatic: tuple[ShownSpan, ...] = ()


# TopiOCQA


class DocumentTitles(msgspec.Struct, frozen=True, kw_only=True):
    """All that the questioner sees of a document, and whether the answerer visited it."""

    page: str
    title: str
    sections: tuple[str, ...]
    visited: bool  # otherwise a rationale links to it


class FreeTurn(msgspec.Struct, frozen=True, kw_only=True):
    """A question and its free answer; `unanswerable` where there is none."""

    number: int
    question: str
    answered: bool
    answer: str = ""
    unanswerable: bool = False


class TopiocqaQuestioner(View, frozen=True, kw_only=True, tag="topiocqa questioner"):
    """Titles and section titles alone, of visited documents and of those linked in rationales."""

    seed: str  # title of the first document
    turns: tuple[FreeTurn, ...]
    documents: tuple[DocumentTitles, ...]
    encouraged: int  # turns to reach
    notes: tuple[str, ...]  # about the dialog so far, as no new topic for long


class AnsweredTurn(msgspec.Struct, frozen=True, kw_only=True):
    """A turn as the answerer sees it, with the rationale."""

    number: int
    question: str
    answered: bool
    answer: str = ""
    unanswerable: bool = False
    rationale: ShownSpan | None = None


class VisitedPage(msgspec.Struct, frozen=True):
    """A page that was opened in this dialog."""

    page: str
    title: str


class TopiocqaAnswerer(View, frozen=True, kw_only=True, tag="topiocqa answerer"):
    """The current page is read by `GET .../page`; its links and `visited` may be opened."""

    seed: str
    turns: tuple[AnsweredTurn, ...]
    page: str
    visited: tuple[VisitedPage, ...]
    can_go_back: bool
    can_go_forward: bool
    encouraged: int
    draft: Draft | None = None


class TopiocqaAnnotator(View, frozen=True, kw_only=True, tag="topiocqa annotator"):
    """The conversation up to the current question with its original answers; `own` are yours."""

    seed: str
    turns: tuple[AnsweredTurn, ...]
    own: tuple[AnsweredTurn, ...]
    questions: int
    page: str
    visited: tuple[VisitedPage, ...]  # those of the original conversation up to here, and yours
    can_go_back: bool
    can_go_forward: bool


# PragmatiCQA


class PragmaticTurn(msgspec.Struct, frozen=True, kw_only=True):
    """A turn as the student sees it."""

    number: int
    question: str
    answered: bool
    answer: str = ""
    rated: bool = False


class RatingForm(msgspec.Struct, frozen=True, kw_only=True):
    """The reply to rate, with its spans revealed; answered by `rate`."""

    turn: int
    question: str
    answer: str
    literal: tuple[str, ...]
    literal_answer: LiteralAnswer | None
    pragmatic: tuple[str, ...]


class PragmaticqaStudent(View, frozen=True, kw_only=True, tag="pragmaticqa student"):
    """Never the pages; spans of a reply alone once the next question was asked."""

    topic: str
    genre: str
    turns: tuple[PragmaticTurn, ...]
    rating: RatingForm | None
    rounds: int  # completed
    minimum: int  # rounds before one may end


class TaughtTurn(msgspec.Struct, frozen=True, kw_only=True):
    """A turn as the teacher sees it."""

    number: int
    question: str
    answered: bool
    answer: str = ""
    literal: tuple[ShownSpan, ...] = ()
    literal_answer: LiteralAnswer | None = None
    pragmatic: tuple[ShownSpan, ...] = ()


class PragmaticqaTeacher(View, frozen=True, kw_only=True, tag="pragmaticqa teacher"):
    """`step` is "wait", "literal", "pragmatic" or "paraphrase"; the spans chosen so far."""

    topic: str
    genre: str
    turns: tuple[TaughtTurn, ...]
    step: str
    literal: tuple[ShownSpan, ...]
    literal_answer: LiteralAnswer | None
    pragmatic: tuple[ShownSpan, ...]
    page: str
    visited: tuple[VisitedPage, ...]
    can_go_back: bool
    can_go_forward: bool
    rounds: int
    minimum: int
    draft: Draft | None = None


# QAConv


class ShownLine(msgspec.Struct, frozen=True):
    """An utterance of a chunk."""

    speaker: str
    text: str


class ShownChunk(msgspec.Struct, frozen=True):
    """A part of a recorded conversation."""

    title: str
    lines: tuple[ShownLine, ...]


class QaconvWriter(View, frozen=True, kw_only=True, tag="qaconv writer"):
    """`setting` is "write", "choose" (one of `offered`) or "unanswerable"."""

    chunk: ShownChunk
    setting: str
    offered: tuple[str, ...]
    question: str = ""  # what was written
    answers: tuple[str, ...] = ()


class QaconvVerifier(View, frozen=True, kw_only=True, tag="qaconv verifier"):
    """A question with its answers, to be judged A to D."""

    chunk: ShownChunk
    question: str
    answers: tuple[str, ...]
    option: str = ""  # what was judged


class QaconvAnnotator(View, frozen=True, kw_only=True, tag="qaconv annotator"):
    """A question to be answered again, without the answers that others gave."""

    chunk: ShownChunk
    question: str
    own: str | None = None


ANY_VIEW = (
    QuacStudent
    | QuacTeacher
    | QuacAnnotator
    | TopiocqaQuestioner
    | TopiocqaAnswerer
    | TopiocqaAnnotator
    | PragmaticqaStudent
    | PragmaticqaTeacher
    | QaconvWriter
    | QaconvVerifier
    | QaconvAnnotator
)
