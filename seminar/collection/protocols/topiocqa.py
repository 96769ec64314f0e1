"""TopiOCQA (Adlakha et al., 2022, section 3): a questioner who sees titles, an answerer who reads.

The questioner sees the titles and section titles of documents that the answerer visited and of
those that rationales link to. The answerer follows links, marks a rationale and writes a free
answer, or says that the question is unanswerable.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from seminar.collection.corpus.lookup import CorpusIndex, heading
from seminar.collection.messages.actions import ActionType, AnswerFree, Ask
from seminar.collection.messages.views import (
    AnsweredTurn,
    DocumentTitles,
    Frame,
    FreeTurn,
    TopiocqaAnnotator,
    TopiocqaAnswerer,
    TopiocqaQuestioner,
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
from seminar.collection.protocols.drafts import Drafted, draft_view
from seminar.collection.protocols.navigation import NAVIGATION, Navigation
from seminar.collection.protocols.options import beyond, unordered
from seminar.collection.records import SERVER, Annotation, FreeAnswer, Role, Turn
from seminar.collection.rules.topiocqa import ENCOURAGED, LEAST_TURNS, question_notes

QUESTIONER, ANSWERER, ANNOTATOR = "questioner", "answerer", "annotator"


@dataclass(frozen=True, slots=True)
class TopiocqaDialog:
    """A dialog of a questioner and an answerer; the first question may be set."""

    scene: Scene
    navigation: Navigation
    done: tuple[Turn, ...] = ()
    question: str = ""
    asked: datetime | None = None
    draft: Drafted | None = None

    @property
    def turns_done(self) -> int:
        return len(self.done)

    @property
    def waits_for(self) -> tuple[Role, ...]:
        return (ANSWERER,) if self.asked else (QUESTIONER,)

    @property
    def ending(self) -> str:
        return "limit" if len(self.done) >= _option(self.scene, "most_turns") else ""

    def allowed(self, role: Role) -> tuple[str, ...]:
        if role == SERVER:
            return ("draft",) if self.asked else ()
        moves = self.navigation.moves() if role == ANSWERER else ()
        own = {QUESTIONER: "ask", ANSWERER: "answer free"}[role]
        now = (own,) if role in self.waits_for else ()
        may_end = len(self.done) >= _option(self.scene, "least_turns")
        return (*now, *moves, *(("end",) if may_end else ()))

    def act(self, role: Role, action: ActionType, time: datetime) -> TopiocqaDialog:
        if isinstance(action, Ask):
            return replace(self, question=checked_text(action.question), asked=time, draft=None)
        if isinstance(action, Drafted):
            return replace(self, draft=action)
        if action.__struct_config__.tag in NAVIGATION:
            return replace(self, navigation=self.navigation.step(action, self.scene.index))
        if not isinstance(action, AnswerFree) or self.asked is None:
            raise Refused("turn", "there is no question to answer")
        turn = Turn(
            dialog=self.scene.dialog,
            number=len(self.done) + 1,
            question=self.question,
            answer=_answer(self.scene, action, frozenset(self.navigation.visited)),
            asked=self.asked,
            answered=time,
        )
        return replace(self, done=(*self.done, turn), question="", asked=None, draft=None)

    def view(self, role: Role, frame: Frame) -> View:
        index = self.scene.index
        seed = index.pages[self.scene.subject].title
        if role == QUESTIONER:
            return TopiocqaQuestioner(
                frame=frame,
                seed=seed,
                turns=self._questioner_turns(),
                documents=self._documents(),
                encouraged=_option(self.scene, "encouraged_turns"),
                notes=self.notes("", ""),
            )
        turns = tuple(map(_answered_turn, self.done))
        if self.asked:
            turns = (*turns, _pending_turn(len(self.done) + 1, self.question))
        return TopiocqaAnswerer(
            frame=frame,
            seed=seed,
            turns=turns,
            page=self.navigation.page,
            visited=self.navigation.listed(index),
            can_go_back=bool(self.navigation.behind),
            can_go_forward=bool(self.navigation.ahead),
            encouraged=_option(self.scene, "encouraged_turns"),
            draft=draft_view(self.draft, index),
        )

    def pages(self, role: Role) -> frozenset[str]:
        return frozenset(self.navigation.visited) if role == ANSWERER else frozenset()

    def notes(self, question: str, answer: str) -> tuple[str, ...]:
        titles = [name for one in self._documents() for name in one.sections]
        return tuple(note.text for note in question_notes(question, self.done, titles))

    def turns(self) -> tuple[Turn, ...]:
        return self.done

    def annotations(self) -> tuple[Annotation, ...]:
        return ()

    def _questioner_turns(self) -> tuple[FreeTurn, ...]:
        turns = tuple(
            FreeTurn(
                number=turn.number,
                question=turn.question,
                answered=True,
                answer=_free_answer(turn).text,
                unanswerable=_free_answer(turn).rationale is None,
            )
            for turn in self.done
        )
        if self.asked is None:
            return turns
        number = len(self.done) + 1
        return (*turns, FreeTurn(number=number, question=self.question, answered=False))

    def _documents(self) -> tuple[DocumentTitles, ...]:
        """Those that were visited, in their order, then those that rationales link to."""
        pages = dict.fromkeys(self.navigation.visited, True)
        for page in _linked(self.scene.index, self.done):
            pages.setdefault(page, False)
        found = self.scene.index.pages
        return tuple(
            DocumentTitles(
                page=page,
                title=found[page].title,
                sections=tuple(heading(one) for one in found[page].sections if one.title),
                visited=visited,
            )
            for page, visited in pages.items()
        )


@dataclass(frozen=True, slots=True)
class TopiocqaValidation:
    """Another person answers the questions of a conversation, seeing its answers so far."""

    scene: Scene
    navigation: Navigation
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
        return ("answer free", *self.navigation.moves()) if role == ANNOTATOR else ()

    def act(self, role: Role, action: ActionType, time: datetime) -> TopiocqaValidation:
        if action.__struct_config__.tag in NAVIGATION:
            return replace(self, navigation=self.navigation.step(action, self.scene.index))
        if not isinstance(action, AnswerFree):
            raise Refused("turn", "a validation has answers alone")
        original = self.scene.about[len(self.own)]
        answer = _answer(self.scene, action, frozenset(self.navigation.visited))
        own = (*self.own, replace(original, answer=answer, answered=time))
        return replace(self, own=own, navigation=self.navigation.with_pages(_pages_of([original])))

    def view(self, role: Role, frame: Frame) -> View:
        about, done, index = self.scene.about, len(self.own), self.scene.index
        turns = tuple(map(_answered_turn, about[:done]))
        if done < len(about):
            turns = (*turns, _pending_turn(about[done].number, about[done].question))
        return TopiocqaAnnotator(
            frame=frame,
            seed=index.pages[self.scene.subject].title,
            turns=turns,
            own=tuple(map(_answered_turn, self.own)),
            questions=len(about),
            page=self.navigation.page,
            visited=self.navigation.listed(index),
            can_go_back=bool(self.navigation.behind),
            can_go_forward=bool(self.navigation.ahead),
        )

    def pages(self, role: Role) -> frozenset[str]:
        return frozenset(self.navigation.visited)

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
                answer=_free_answer(turn),
            )
            for turn in self.own
        )


def begin_dialog(scene: Scene) -> TopiocqaDialog:
    """Begin at the seed; with a first question that the study has, if one was drawn."""
    question = str(scene.setup.get("first_question", ""))
    asked = scene.began if question else None
    return TopiocqaDialog(scene, Navigation.at(scene.subject), question=question, asked=asked)


def begin_validation(scene: Scene) -> TopiocqaValidation:
    return TopiocqaValidation(scene, Navigation.at(scene.subject))


def _answer(scene: Scene, action: AnswerFree, readable: frozenset[str]) -> FreeAnswer:
    if action.rationale is None:
        if action.text.strip():
            raise Refused("span", "an answer needs a rationale; without both it is unanswerable")
        return FreeAnswer("", None)
    rationale = page_span(scene.index, action.rationale, readable)
    return FreeAnswer(checked_text(action.text), rationale)


def _free_answer(turn: Turn) -> FreeAnswer:
    if not isinstance(turn.answer, FreeAnswer):
        raise TypeError(f"turn {turn.number} has no answer of TopiOCQA")
    return turn.answer


def _answered_turn(turn: Turn) -> AnsweredTurn:
    answer = _free_answer(turn)
    return AnsweredTurn(
        number=turn.number,
        question=turn.question,
        answered=True,
        answer=answer.text,
        unanswerable=answer.rationale is None,
        rationale=shown(answer.rationale) if answer.rationale else None,
    )


def _pending_turn(number: int, question: str) -> AnsweredTurn:
    return AnsweredTurn(number=number, question=question, answered=False)


def _pages_of(turns: Sequence[Turn]) -> tuple[str, ...]:
    """The documents of the turns' rationales."""
    rationales = (_free_answer(turn).rationale for turn in turns)
    return tuple(dict.fromkeys(span.page for span in rationales if span))


def _linked(index: CorpusIndex, turns: Sequence[Turn]) -> tuple[str, ...]:
    """The documents to which rationales link."""
    rationales = (_free_answer(turn).rationale for turn in turns)
    return tuple(
        page
        for span in rationales
        if span
        for page in index.links_between(span.page, span.start, span.end)
    )


def _option(scene: Scene, name: str) -> Any:  # noqa: ANN401 - of the type of its default
    return scene.options.get(name, OPTIONS[name])


OPTIONS: dict[str, Any] = {
    "least_turns": LEAST_TURNS,
    "encouraged_turns": ENCOURAGED,
    "most_turns": 30,
    "own_first_questions": 28,  # percent of dialogs whose questioner writes the first one
}


def faults(options: Mapping[str, Any]) -> Iterator[str]:
    yield from unordered(options, "least_turns", "most_turns")
    yield from beyond(options, "own_first_questions", 0, 100)


def subjects(index: CorpusIndex, options: Mapping[str, Any]) -> Sequence[str]:
    """The pages that have a first question; all pages, if there are none."""
    seeds = dict.fromkeys(one.page for one in index.corpus.first_questions)
    return [page for page in seeds if page in index.pages] or list(index.pages)


PROTOCOL = ProtocolType(
    name="topiocqa",
    tasks={
        "dialog": TaskType((QUESTIONER, ANSWERER), begin_dialog),
        "validation": TaskType((ANNOTATOR,), begin_validation),
    },
    needs="pages",
    least_turns=LEAST_TURNS,
    options=OPTIONS,
    subjects=subjects,
    faults=faults,
    title=lambda index, subject: index.pages[subject].title,
    knower=ANSWERER,
)
