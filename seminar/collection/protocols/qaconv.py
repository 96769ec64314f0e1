"""QAConv (Wu et al., 2022, section 2.1): questions about a part of a recorded conversation.

A reader writes a question and its answer, answers one of four generated questions (and may modify
it), or writes an unanswerable one with three entities. Others verify questions whose answers
differ, or answer them again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from seminar.collection.corpus.lookup import CorpusIndex
from seminar.collection.corpus.records import Chunk
from seminar.collection.messages.actions import ActionType, AnswerChunk, Judge, Write
from seminar.collection.messages.views import (
    Frame,
    QaconvAnnotator,
    QaconvVerifier,
    QaconvWriter,
    ShownChunk,
    ShownLine,
    View,
)
from seminar.collection.protocols.activity import (
    ProtocolType,
    Refused,
    Scene,
    TaskType,
    checked_text,
)
from seminar.collection.protocols.options import beyond, unknown_choice
from seminar.collection.records import Annotation, Role, Turn, WrittenQuestion
from seminar.collection.rules.qaconv import OFFERED, form_faults, unanswerable_faults

WRITER, VERIFIER, ANNOTATOR = "writer", "verifier", "annotator"
WRITE, CHOOSE, UNANSWERABLE = "write", "choose", "unanswerable"


@dataclass(frozen=True, slots=True)
class QaconvWriting:
    """One question by one writer; `setup` has the setting and the offered questions."""

    scene: Scene
    done: tuple[Turn, ...] = ()

    @property
    def setting(self) -> str:
        return str(self.scene.setup.get("setting", WRITE))

    @property
    def offered(self) -> tuple[str, ...]:
        return tuple(self.scene.setup.get("offered", ()))

    @property
    def turns_done(self) -> int:
        return len(self.done)

    @property
    def waits_for(self) -> tuple[Role, ...]:
        return (WRITER,)

    @property
    def ending(self) -> str:
        return "completed" if self.done else ""

    def allowed(self, role: Role) -> tuple[str, ...]:
        return ("write",) if role == WRITER else ()

    def act(self, role: Role, action: ActionType, time: datetime) -> QaconvWriting:
        if not isinstance(action, Write):
            raise Refused("turn", "a writer writes one question")
        question = checked_text(action.question)
        answers = tuple(map(checked_text, action.answers))
        self._check_setting(action)
        faults = self._faults(question, answers)
        if faults:
            raise Refused("text", "missing: " + "; ".join(faults))
        turn = Turn(
            dialog=self.scene.dialog,
            number=1,
            question=question,
            answer=WrittenQuestion(question, answers, self.offered, action.chosen),
            asked=self.scene.began,
            answered=time,
        )
        return replace(self, done=(turn,))

    def view(self, role: Role, frame: Frame) -> View:
        written = self.done[0].answer if self.done else None
        known = written if isinstance(written, WrittenQuestion) else WrittenQuestion("", ())
        return QaconvWriter(
            frame=frame,
            chunk=_shown_chunk(_chunk(self.scene)),
            setting=self.setting,
            offered=self.offered,
            question=known.question,
            answers=known.answers,
        )

    def pages(self, role: Role) -> frozenset[str]:
        return frozenset()

    def notes(self, question: str, answer: str) -> tuple[str, ...]:
        return self._faults(question, (answer,) if answer.strip() else ())

    def turns(self) -> tuple[Turn, ...]:
        return self.done

    def annotations(self) -> tuple[Annotation, ...]:
        return ()

    def _faults(self, question: str, answers: Sequence[str]) -> tuple[str, ...]:
        """The rules of form that are broken, each once."""
        source = _chunk(self.scene).text
        if self.setting == UNANSWERABLE:
            return unanswerable_faults(question, source)
        faults = (form_faults(question, answer, source) for answer in answers or ("",))
        return tuple(dict.fromkeys(fault for found in faults for fault in found))

    def _check_setting(self, action: Write) -> None:
        if (self.setting == UNANSWERABLE) == bool(action.answers):
            needs = "has no answer" if self.setting == UNANSWERABLE else "needs an answer"
            raise Refused("text", f"this question {needs}")
        if (self.setting == CHOOSE) != (action.chosen is not None):
            raise Refused("text", "choose one of the offered questions, if there are any")
        if action.chosen is not None and action.chosen >= len(self.offered):
            raise Refused("text", f"there is no offered question {action.chosen}")


@dataclass(frozen=True, slots=True)
class QaconvJudging:
    """A question to verify, or to answer again; `setup` has it, its answers, and its chunk."""

    scene: Scene
    role: Role
    given: Judge | AnswerChunk | None = None
    time: datetime | None = None

    @property
    def turns_done(self) -> int:
        return int(self.given is not None)

    @property
    def waits_for(self) -> tuple[Role, ...]:
        return (self.role,)

    @property
    def ending(self) -> str:
        return "completed" if self.given else ""

    def allowed(self, role: Role) -> tuple[str, ...]:
        if role != self.role:
            return ()
        return ("judge",) if role == VERIFIER else ("answer chunk",)

    def act(self, role: Role, action: ActionType, time: datetime) -> QaconvJudging:
        if not isinstance(action, Judge | AnswerChunk):
            raise Refused("turn", "this task has one answer")
        if isinstance(action, Judge) and (action.option == "D") != bool(action.answer.strip()):
            raise Refused("text", "option D needs the answer that you prefer; the others have none")
        if isinstance(action, AnswerChunk) and action.text.strip():
            source = _chunk(self.scene).text
            faults = form_faults(str(self.scene.setup["question"]), action.text, source)
            if own := [fault for fault in faults if "answer" in fault]:
                raise Refused("text", "missing: " + "; ".join(own))
        return replace(self, given=action, time=time)

    def view(self, role: Role, frame: Frame) -> View:
        chunk, question = _shown_chunk(_chunk(self.scene)), str(self.scene.setup["question"])
        if self.role == ANNOTATOR:
            own = self.given.text if isinstance(self.given, AnswerChunk) else None
            return QaconvAnnotator(frame=frame, chunk=chunk, question=question, own=own)
        return QaconvVerifier(
            frame=frame,
            chunk=chunk,
            question=question,
            answers=tuple(self.scene.setup.get("answers", ())),
            option=self.given.option if isinstance(self.given, Judge) else "",
        )

    def pages(self, role: Role) -> frozenset[str]:
        return frozenset()

    def notes(self, question: str, answer: str) -> tuple[str, ...]:
        return ()

    def turns(self) -> tuple[Turn, ...]:
        return ()

    def annotations(self) -> tuple[Annotation, ...]:
        if self.given is None or self.time is None:
            return ()
        given, option = self.given, ""
        if isinstance(given, Judge):
            text, option = given.answer, given.option
        else:
            text = given.text
        text = text.strip()
        answers = (text,) if text else ()
        return (
            Annotation(
                dialog=self.scene.about_dialog,
                number=1,
                worker=self.scene.workers[self.role],
                task=self.scene.dialog,
                time=self.time,
                answer=WrittenQuestion(str(self.scene.setup["question"]), answers),
                option=option,  # type: ignore[arg-type]
                trap=bool(self.scene.setup.get("trap", False)),
            ),
        )


def begin_verification(scene: Scene) -> QaconvJudging:
    return QaconvJudging(scene, VERIFIER)


def begin_validation(scene: Scene) -> QaconvJudging:
    return QaconvJudging(scene, ANNOTATOR)


def _chunk(scene: Scene) -> Chunk:
    return scene.index.chunks[scene.subject]


def _shown_chunk(chunk: Chunk) -> ShownChunk:
    return ShownChunk(chunk.title, tuple(ShownLine(one.speaker, one.text) for one in chunk.lines))


OPTIONS: dict[str, Any] = {
    "choosing": 50,  # percent of writers who answer one of the generated questions, if there are
    "unanswerable": 5,  # percent who write an unanswerable one
    "offered": OFFERED,
    "traps": 1,  # percent of verifications with a planted question
    "verify": "uncertain",  # or "all", or "none"
}


def faults(options: Mapping[str, Any]) -> Iterator[str]:
    for share in ("choosing", "unanswerable", "traps"):
        yield from beyond(options, share, 0, 100)
    yield from beyond(options, "offered", 1, 100)
    yield from unknown_choice(options, "verify", ("uncertain", "all", "none"))


def subjects(index: CorpusIndex, options: Mapping[str, Any]) -> Sequence[str]:
    return list(index.chunks)


def title(index: CorpusIndex, subject: str) -> str:
    chunk = index.chunks[subject]
    return chunk.title or chunk.source


PROTOCOL = ProtocolType(
    name="qaconv",
    tasks={
        "dialog": TaskType((WRITER,), QaconvWriting),
        "validation": TaskType((ANNOTATOR,), begin_validation),
        "verification": TaskType((VERIFIER,), begin_verification),
    },
    needs="chunks",
    least_turns=1,
    options=OPTIONS,
    subjects=subjects,
    faults=faults,
    title=title,
)
