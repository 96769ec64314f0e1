"""What a protocol is: activities, whose state is a fold over the actions of the roles.

A protocol is a module with a `PROTOCOL`: a name and one activity for each task. An activity is
frozen; `act` gives the next one. It says what each role sees, which actions are valid when, when it
ends, and what is saved. It knows nothing of sockets, storage or people.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from seminar.collection.corpus.lookup import CorpusIndex
from seminar.collection.messages.actions import ANY_ACTION, ActionType, ChosenSpan
from seminar.collection.messages.views import Frame, ShownSpan, View
from seminar.collection.records import Annotation, CorpusSpan, Role, Turn
from seminar.errors import SeminarError


class Refused(SeminarError):
    """An action that isn't accepted; `code` is for programs."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code, self.detail = code, detail


@dataclass(frozen=True, slots=True)
class Scene:
    """What an activity begins with.

    `setup` is what was drawn for this dialog, `options` the study's settings of the protocol,
    `about` the turns of the dialog that is annotated, and `about_pages` the pages of each of them.
    """

    index: CorpusIndex
    dialog: str
    subject: str
    began: datetime
    setup: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    about: tuple[Turn, ...] = ()
    workers: Mapping[Role, str] = field(default_factory=dict)
    about_dialog: str = ""


class Activity(Protocol):
    """The state of one dialog or task."""

    @property
    def turns_done(self) -> int:
        """How many turns are complete."""

    @property
    def waits_for(self) -> tuple[Role, ...]:
        """The roles that have to act now; others may."""

    @property
    def ending(self) -> str:
        """Why it is over by the protocol's rules, or nothing: "completed", "limit" ..."""

    def allowed(self, role: Role) -> tuple[str, ...]:
        """The kinds of actions that a role may send now; "end" where it may end the dialog."""

    def act(self, role: Role, action: ActionType, time: datetime) -> Activity:
        """The state after an action of a kind that is allowed; raises Refused for its content."""

    def view(self, role: Role, frame: Frame) -> View:
        """What a role sees, whole."""

    def pages(self, role: Role) -> frozenset[str]:
        """The pages that a role may read now."""

    def notes(self, question: str, answer: str) -> tuple[str, ...]:
        """What might be better about a question that isn't sent yet."""

    def turns(self) -> tuple[Turn, ...]:
        """What is saved of a dialog: its complete turns."""

    def annotations(self) -> tuple[Annotation, ...]:
        """What is saved of a validation or verification."""


@dataclass(frozen=True, slots=True)
class TaskType:
    """One kind of task: its roles, and how it begins."""

    roles: tuple[Role, ...]
    begin: Callable[[Scene], Activity]


@dataclass(frozen=True, slots=True)
class ProtocolType:
    """A protocol: its name, its tasks, and where its defaults differ.

    `least_turns` are those below which a dialog is discarded; `options` are the protocol's own
    settings with their defaults, `faults` says what is wrong with their values; `needs` names what
    a corpus must have: "pages", "topics" or "chunks".
    """

    name: str
    tasks: Mapping[str, TaskType]
    needs: str
    least_turns: int
    options: Mapping[str, Any] = field(default_factory=dict)
    subjects: Callable[[CorpusIndex, Mapping[str, Any]], Sequence[str]] = lambda index, options: ()
    title: Callable[[CorpusIndex, str], str] = lambda index, subject: subject
    actions: Any = ANY_ACTION  # the union of the types of what workers may do
    faults: Callable[[Mapping[str, Any]], Iterable[str]] = lambda options: ()
    knower: Role = ""  # the role that reads the pages, which the assistant may have or draft for


def page_span(index: CorpusIndex, span: ChosenSpan, readable: frozenset[str]) -> CorpusSpan:
    """A span with its words and the keys of its elements; Refused if it isn't one of the pages."""
    if span.page not in readable:
        raise Refused("page", f"page '{span.page}' isn't open in this dialog")
    page = index.pages[span.page]
    if not span.start < span.end <= len(page.text):
        raise Refused("span", f"{span.start} to {span.end} isn't a span of '{page.title}'")
    text = page.text[span.start : span.end]
    if not text.strip():
        raise Refused("span", "the span has no words")
    touched = [one for one in page.elements if one.start < span.end and one.end > span.start]
    keys = (touched[0].key, touched[-1].key) if touched else ("", "")
    return CorpusSpan(span.page, span.start, span.end, text, *keys)


def shown(span: CorpusSpan) -> ShownSpan:
    """A span as views have it."""
    return ShownSpan(span.page, span.start, span.end, span.text)


def checked_text(text: str) -> str:
    """A text without surrounding space; Refused if nothing is left, or it can't be shown."""
    stripped = text.strip()
    if not stripped:
        raise Refused("text", "the text is empty")
    if any(ord(letter) < 32 and letter not in "\n\t" for letter in stripped):
        raise Refused("text", "the text has control characters")
    return stripped
