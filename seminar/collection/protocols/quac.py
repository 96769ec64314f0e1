"""QuAC (Choi et al., 2018, section 2): a student asks about a hidden section, a teacher selects.

The student sees the section's title and the article's first paragraph. The teacher answers with one
contiguous span or "no answer", whether to follow up, and yes, no or neither. The dialog ends after
twelve answers, after more than two without an answer, or when a partner ends it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from seminar.collection.corpus.lookup import (
    CorpusIndex,
    heading,
    opening,
    section_of,
    section_subject,
)
from seminar.collection.messages.actions import ActionType, AnswerSpan, Ask
from seminar.collection.messages.views import (
    Frame,
    QuacAnnotator,
    QuacStudent,
    QuacTeacher,
    QuacTurn,
    SectionText,
    View,
)
from seminar.collection.protocols.activity import (
    ProtocolType,
    Refused,
    Scene,
    TaskType,
    checked_text,
    page_span,
)
from seminar.collection.protocols.drafts import Drafted, draft_view
from seminar.collection.protocols.options import unordered
from seminar.collection.records import SERVER, Annotation, Role, SpanAnswer, Turn
from seminar.collection.rules.quac import (
    LEAST_QUESTIONS,
    MOST_QUESTIONS,
    MOST_UNANSWERABLE,
    end_of,
    unanswerable,
)

STUDENT, TEACHER, ANNOTATOR = "student", "teacher", "annotator"


@dataclass(frozen=True, slots=True)
class QuacDialog:
    """A dialog of a student and a teacher."""

    scene: Scene
    done: tuple[Turn, ...] = ()
    question: str = ""  # that waits for its answer
    asked: datetime | None = None
    draft: Drafted | None = None

    @property
    def turns_done(self) -> int:
        return len(self.done)

    @property
    def waits_for(self) -> tuple[Role, ...]:
        return (TEACHER,) if self.asked else (STUDENT,)

    @property
    def ending(self) -> str:
        most, without = (_option(self.scene, f"most_{name}") for name in ("turns", "unanswerable"))
        return end_of(self.done, most=most, most_unanswerable=without)

    @property
    def _unanswerable_left(self) -> int:
        return int(_option(self.scene, "most_unanswerable") - unanswerable(self.done))

    def allowed(self, role: Role) -> tuple[str, ...]:
        if role == SERVER:
            return ("draft",) if self.asked else ()
        own = {STUDENT: "ask", TEACHER: "answer span"}[role]
        now = (own,) if role in self.waits_for else ()
        may_end = len(self.done) >= _option(self.scene, "least_turns")
        return (*now, "end") if may_end else now

    def act(self, role: Role, action: ActionType, time: datetime) -> QuacDialog:
        if isinstance(action, Ask):
            return replace(self, question=checked_text(action.question), asked=time, draft=None)
        if isinstance(action, Drafted):
            return replace(self, draft=action)
        if not isinstance(action, AnswerSpan) or self.asked is None:
            raise Refused("turn", "there is no question to answer")
        turn = Turn(
            dialog=self.scene.dialog,
            number=len(self.done) + 1,
            question=self.question,
            answer=_answer(self.scene, action),
            asked=self.asked,
            answered=time,
        )
        return replace(self, done=(*self.done, turn), question="", asked=None, draft=None)

    def view(self, role: Role, frame: Frame) -> View:
        page, section = section_of(self.scene.index, self.scene.subject)
        turns = tuple(map(_shown_turn, self.done))
        if self.asked:
            number = len(self.done) + 1
            turns = (*turns, QuacTurn(number=number, question=self.question, answered=False))
        known: dict[str, Any] = {
            "frame": frame,
            "title": page.title,
            "section_title": heading(section),
            "background": opening(page, section),
            "turns": turns,
            "most_turns": _option(self.scene, "most_turns"),
            "unanswerable_left": max(0, self._unanswerable_left),
        }
        if role == STUDENT:
            return QuacStudent(**known)
        draft = draft_view(self.draft, self.scene.index)
        return QuacTeacher(**known, section=_section_text(self.scene), draft=draft)

    def pages(self, role: Role) -> frozenset[str]:
        return frozenset()  # the section is in the teacher's view

    def notes(self, question: str, answer: str) -> tuple[str, ...]:
        return ()

    def turns(self) -> tuple[Turn, ...]:
        return self.done

    def annotations(self) -> tuple[Annotation, ...]:
        return ()


@dataclass(frozen=True, slots=True)
class QuacValidation:
    """Another person answers a dialog's questions, each before its original answer is shown."""

    scene: Scene
    own: tuple[Turn, ...] = ()

    @property
    def turns_done(self) -> int:
        return len(self.own)

    @property
    def waits_for(self) -> tuple[Role, ...]:
        return (ANNOTATOR,)

    @property
    def ending(self) -> str:
        return "completed" if len(self.own) == len(self.scene.about) else ""

    def allowed(self, role: Role) -> tuple[str, ...]:
        return ("answer span",) if role == ANNOTATOR else ()

    def act(self, role: Role, action: ActionType, time: datetime) -> QuacValidation:
        if not isinstance(action, AnswerSpan):
            raise Refused("turn", "a validation has answers alone")
        turn = replace(self.scene.about[len(self.own)], answer=_answer(self.scene, action))
        return replace(self, own=(*self.own, replace(turn, answered=time)))

    def view(self, role: Role, frame: Frame) -> View:
        page, section = section_of(self.scene.index, self.scene.subject)
        about, done = self.scene.about, len(self.own)
        turns = tuple(map(_shown_turn, about[:done]))
        if done < len(about):
            asked = about[done]
            pending = QuacTurn(number=asked.number, question=asked.question, answered=False)
            turns = (*turns, pending)
        return QuacAnnotator(
            frame=frame,
            title=page.title,
            section_title=heading(section),
            background=opening(page, section),
            turns=turns,
            section=_section_text(self.scene),
            own=tuple(map(_shown_turn, self.own)),
            questions=len(about),
        )

    def pages(self, role: Role) -> frozenset[str]:
        return frozenset()

    def notes(self, question: str, answer: str) -> tuple[str, ...]:
        return ()

    def turns(self) -> tuple[Turn, ...]:
        return ()

    def annotations(self) -> tuple[Annotation, ...]:
        return tuple(
            Annotation(
                dialog=self.scene.about_dialog,
                number=turn.number,
                worker=self.scene.workers[ANNOTATOR],
                task=self.scene.dialog,
                time=turn.answered,
                answer=_span_answer(turn),
            )
            for turn in self.own
        )


def _answer(scene: Scene, action: AnswerSpan) -> SpanAnswer:
    """The answer with its words, which are of the section."""
    if action.span is None:
        return SpanAnswer(None, action.continuation, action.affirmation)
    page, section = section_of(scene.index, scene.subject)
    span = page_span(scene.index, action.span, frozenset([page.id]))
    if span.start < section.start or span.end > section.end:
        raise Refused("span", f"the span isn't within section '{section.title}'")
    return SpanAnswer(span, action.continuation, action.affirmation)


def _span_answer(turn: Turn) -> SpanAnswer:
    if not isinstance(turn.answer, SpanAnswer):
        raise TypeError(f"turn {turn.number} has no answer of QuAC")
    return turn.answer


def _shown_turn(turn: Turn) -> QuacTurn:
    answer = _span_answer(turn)
    return QuacTurn(
        number=turn.number,
        question=turn.question,
        answered=True,
        answer=answer.span.text if answer.span else "",
        continuation=answer.continuation,
        affirmation=answer.affirmation,
    )


def _section_text(scene: Scene) -> SectionText:
    page, section = section_of(scene.index, scene.subject)
    return SectionText(page.id, section.start, page.text[section.start : section.end])


def _option(scene: Scene, name: str) -> Any:  # noqa: ANN401 - of the type of its default
    return scene.options.get(name, OPTIONS[name])


OPTIONS: dict[str, Any] = {
    "most_turns": MOST_QUESTIONS,
    "most_unanswerable": MOST_UNANSWERABLE,
    "least_turns": LEAST_QUESTIONS,
}


def faults(options: Mapping[str, Any]) -> Iterator[str]:
    yield from unordered(options, "least_turns", "most_turns")


def subjects(index: CorpusIndex, options: Mapping[str, Any]) -> Sequence[str]:
    """The sections that have a title; the corpus was prepared with fitting ones alone."""
    return [
        section_subject(page, number)
        for page in index.corpus.pages
        for number, section in enumerate(page.sections)
        if section.title and page.text[section.start : section.end].strip()
    ]


def title(index: CorpusIndex, subject: str) -> str:
    page, section = section_of(index, subject)
    return f"{page.title}: {heading(section)}"


PROTOCOL = ProtocolType(
    name="quac",
    tasks={
        "dialog": TaskType((STUDENT, TEACHER), QuacDialog),
        "validation": TaskType((ANNOTATOR,), QuacValidation),
    },
    needs="pages",
    least_turns=LEAST_QUESTIONS,
    options=OPTIONS,
    subjects=subjects,
    faults=faults,
    title=title,
    knower=TEACHER,
)
