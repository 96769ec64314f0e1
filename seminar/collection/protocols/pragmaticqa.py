"""PragmatiCQA (Qi et al., 2023, section 3): a teacher answers literally, then helpfully.

The teacher reads a topic's pages and answers in three steps: spans that answer literally (or yes,
no, don't know), spans that answer what may come next, and a paraphrase of both. The student sees
the paraphrase, asks on, and rates the reply before while the teacher works; its spans are revealed
then. After six rounds either may end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from seminar.collection.assignment.inclinations import FEWEST, MOST
from seminar.collection.corpus.lookup import CorpusIndex
from seminar.collection.messages.actions import (
    ActionType,
    Ask,
    Paraphrase,
    Rate,
    SelectLiteral,
    SelectPragmatic,
)
from seminar.collection.messages.views import (
    Frame,
    PragmaticqaStudent,
    PragmaticqaTeacher,
    PragmaticTurn,
    RatingForm,
    TaughtTurn,
    View,
)
from seminar.collection.protocols.activity import (
    ProtocolType,
    Refused,
    Scene,
    TaskType,
    checked_text,
    page_span,
    shown,
)
from seminar.collection.protocols.drafts import Drafted, Qualified, draft_view
from seminar.collection.protocols.navigation import Navigation
from seminar.collection.protocols.options import beyond, unordered
from seminar.collection.records import (
    RATINGS,
    SERVER,
    Annotation,
    LiteralAnswer,
    PragmaticAnswer,
    Role,
    Turn,
)
from seminar.collection.rules.pragmaticqa import LEAST_ROUNDS, may_leave

STUDENT, TEACHER = "student", "teacher"


@dataclass(frozen=True, slots=True)
class Prepared:
    """What the teacher has chosen of the next reply; `step` is the next to be done."""

    step: str = "literal"
    literal: tuple[Any, ...] = ()
    literal_answer: LiteralAnswer | None = None
    pragmatic: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class PragmaticqaDialog:
    """A dialog of a student and a teacher about a topic."""

    scene: Scene
    navigation: Navigation
    qualified: bool = True  # the teacher has passed the background test, or need not
    done: tuple[Turn, ...] = ()
    question: str = ""
    asked: datetime | None = None
    prepared: Prepared = Prepared()
    draft: Drafted | None = None

    @property
    def turns_done(self) -> int:
        return len(self.done)

    @property
    def waits_for(self) -> tuple[Role, ...]:
        if not self.qualified or self.asked:
            return (TEACHER,)
        return (STUDENT,)

    @property
    def ending(self) -> str:
        return "limit" if len(self.done) >= _option(self.scene, "most_turns") else ""

    def allowed(self, role: Role) -> tuple[str, ...]:
        if role == SERVER:
            return ("draft", "qualified") if self.asked else ("qualified",)
        if not self.qualified:
            return ()
        own = self._student_acts() if role == STUDENT else self._teacher_acts()
        may_end = may_leave(len(self.done), least=_option(self.scene, "least_turns"))
        return (*own, "end") if may_end else own

    def act(self, role: Role, action: ActionType, time: datetime) -> PragmaticqaDialog:
        if isinstance(action, Qualified):
            return replace(self, qualified=True)
        if isinstance(action, Drafted):
            return replace(self, draft=action)
        if isinstance(action, Ask):
            question = checked_text(action.question)
            return replace(self, question=question, asked=time, prepared=Prepared(), draft=None)
        if isinstance(action, Rate):
            return self._rated(action)
        if isinstance(action, Paraphrase):
            return self._answered(checked_text(action.text), time)
        if isinstance(action, SelectLiteral | SelectPragmatic):
            return replace(self, prepared=self._chosen(action))
        return replace(self, navigation=self.navigation.step(action, self.scene.index))

    def view(self, role: Role, frame: Frame) -> View:
        return self._student_view(frame) if role == STUDENT else self._teacher_view(frame)

    def pages(self, role: Role) -> frozenset[str]:
        return frozenset(self.navigation.visited) if role == TEACHER else frozenset()

    def notes(self, question: str, answer: str) -> tuple[str, ...]:
        return ()

    def turns(self) -> tuple[Turn, ...]:
        return self.done

    def annotations(self) -> tuple[Annotation, ...]:
        return ()

    @property
    def _unrated(self) -> Turn | None:
        """The reply that is to be rated: the last one, once the next question was asked."""
        if not self.asked or not self.done or self.done[-1].ratings is not None:
            return None
        return self.done[-1]

    def _student_acts(self) -> tuple[str, ...]:
        if self.asked:
            return ("rate",) if self._unrated else ()
        missing = len(self.done) > 1 and self.done[-2].ratings is None
        return ("rate",) if missing else ("ask",)

    def _teacher_acts(self) -> tuple[str, ...]:
        steps = ("select literal", "select pragmatic", "paraphrase")
        reached = {"literal": 1, "pragmatic": 2, "paraphrase": 3}[self.prepared.step]
        return (*(steps[:reached] if self.asked else ()), *self.navigation.moves())

    def _chosen(self, action: SelectLiteral | SelectPragmatic) -> Prepared:
        readable = frozenset(self.navigation.visited)
        spans = tuple(page_span(self.scene.index, span, readable) for span in action.spans)
        if isinstance(action, SelectPragmatic):
            return replace(self.prepared, step="paraphrase", pragmatic=spans)
        if bool(spans) == bool(action.answer):
            detail = "choose spans that answer the question, or one of yes, no and don't know"
            raise Refused("span", detail)
        step = "pragmatic" if self.prepared.step == "literal" else self.prepared.step
        return replace(self.prepared, step=step, literal=spans, literal_answer=action.answer)

    def _answered(self, text: str, time: datetime) -> PragmaticqaDialog:
        if self.asked is None:
            raise Refused("turn", "there is no question to answer")
        chosen = self.prepared
        turn = Turn(
            dialog=self.scene.dialog,
            number=len(self.done) + 1,
            question=self.question,
            answer=PragmaticAnswer(chosen.literal, chosen.literal_answer, chosen.pragmatic, text),
            asked=self.asked,
            answered=time,
        )
        rest = replace(self, question="", asked=None, prepared=Prepared(), draft=None)
        return replace(rest, done=(*self.done, turn))

    def _to_rate(self) -> Turn | None:
        """The reply that may be rated now, also where the next one has come meanwhile."""
        if self.asked:
            return self._unrated
        return self.done[-2] if len(self.done) > 1 and self.done[-2].ratings is None else None

    def _rated(self, action: Rate) -> PragmaticqaDialog:
        turn = self._to_rate()
        if turn is None or turn.number != action.turn:
            raise Refused("turn", f"the reply to question {action.turn} isn't to be rated now")
        ratings = {name: int(getattr(action, name)) for name in RATINGS}
        rated = replace(turn, ratings=ratings)
        done = tuple(rated if one.number == rated.number else one for one in self.done)
        return replace(self, done=done)

    def _student_view(self, frame: Frame) -> PragmaticqaStudent:
        topic = self.scene.index.topics[self.scene.subject]
        turns = tuple(
            PragmaticTurn(
                number=turn.number,
                question=turn.question,
                answered=True,
                answer=_pragmatic(turn).text,
                rated=turn.ratings is not None,
            )
            for turn in self.done
        )
        if self.asked:
            number = len(self.done) + 1
            turns = (*turns, PragmaticTurn(number=number, question=self.question, answered=False))
        return PragmaticqaStudent(
            frame=frame,
            topic=topic.title,
            genre=topic.genre,
            turns=turns,
            rating=_rating_form(self._to_rate()),
            rounds=len(self.done),
            minimum=_option(self.scene, "least_turns"),
        )

    def _teacher_view(self, frame: Frame) -> PragmaticqaTeacher:
        index, chosen = self.scene.index, self.prepared
        topic = index.topics[self.scene.subject]
        turns = tuple(map(_taught_turn, self.done))
        if self.asked:
            number = len(self.done) + 1
            turns = (*turns, TaughtTurn(number=number, question=self.question, answered=False))
        return PragmaticqaTeacher(
            frame=frame,
            topic=topic.title,
            genre=topic.genre,
            turns=turns,
            step=chosen.step if self.asked else "wait",
            literal=tuple(map(shown, chosen.literal)),
            literal_answer=chosen.literal_answer,
            pragmatic=tuple(map(shown, chosen.pragmatic)),
            page=self.navigation.page,
            visited=self.navigation.listed(index),
            can_go_back=bool(self.navigation.behind),
            can_go_forward=bool(self.navigation.ahead),
            rounds=len(self.done),
            minimum=_option(self.scene, "least_turns"),
            draft=draft_view(self.draft, index),
        )


def begin_dialog(scene: Scene) -> PragmaticqaDialog:
    """Begin at the topic's central page; with a test before it, where the setup has one."""
    topic = scene.index.topics[scene.subject]
    central = topic.central or topic.pages[0]
    return PragmaticqaDialog(
        scene, Navigation.at(central), qualified=not scene.setup.get("background_test", False)
    )


def _pragmatic(turn: Turn) -> PragmaticAnswer:
    if not isinstance(turn.answer, PragmaticAnswer):
        raise TypeError(f"turn {turn.number} has no answer of PragmatiCQA")
    return turn.answer


def _rating_form(turn: Turn | None) -> RatingForm | None:
    if turn is None:
        return None
    answer = _pragmatic(turn)
    return RatingForm(
        turn=turn.number,
        question=turn.question,
        answer=answer.text,
        literal=tuple(span.text for span in answer.literal),
        literal_answer=answer.literal_answer,
        pragmatic=tuple(span.text for span in answer.pragmatic),
    )


def _taught_turn(turn: Turn) -> TaughtTurn:
    answer = _pragmatic(turn)
    return TaughtTurn(
        number=turn.number,
        question=turn.question,
        answered=True,
        answer=answer.text,
        literal=tuple(map(shown, answer.literal)),
        literal_answer=answer.literal_answer,
        pragmatic=tuple(map(shown, answer.pragmatic)),
    )


def _option(scene: Scene, name: str) -> Any:  # noqa: ANN401 - of the type of its default
    return scene.options.get(name, OPTIONS[name])


OPTIONS: dict[str, Any] = {
    "least_turns": LEAST_ROUNDS,
    "most_turns": 30,
    "survey_topics": 10,  # of the survey of inclinations; the paper's has 5 to 15
    "incentives": True,  # choice of topics and background tests, in an A/B test
    "incentive_share": 80,  # percent of completed dialogs with each of them
}


def faults(options: Mapping[str, Any]) -> Iterator[str]:
    yield from unordered(options, "least_turns", "most_turns")
    yield from beyond(options, "survey_topics", FEWEST, MOST)
    yield from beyond(options, "incentive_share", 1, 99)


def subjects(index: CorpusIndex, options: Mapping[str, Any]) -> Sequence[str]:
    """The topics that have a page to begin at."""
    return [
        topic.id
        for topic in index.corpus.topics
        if (topic.central or (topic.pages[0] if topic.pages else "")) in index.pages
    ]


PROTOCOL = ProtocolType(
    name="pragmaticqa",
    tasks={"dialog": TaskType((STUDENT, TEACHER), begin_dialog)},
    needs="topics",
    least_turns=LEAST_ROUNDS,
    options=OPTIONS,
    subjects=subjects,
    faults=faults,
    title=lambda index, subject: index.topics[subject].title,
    knower=TEACHER,
)
