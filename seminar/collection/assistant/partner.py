"""What the assistant does next in a seat of its own: the teacher's part, or a simulated student's.

It decides over the view of its role alone, as a person does, so that it knows no more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from seminar.collection.assistant.page_reading import Area, PageAnswer, PageReader
from seminar.collection.corpus.lookup import CorpusIndex
from seminar.collection.messages.actions import (
    ActionType,
    AnswerFree,
    AnswerSpan,
    Ask,
    Open,
    Paraphrase,
    Rate,
    SelectLiteral,
    SelectPragmatic,
)
from seminar.collection.messages.views import (
    PragmaticqaStudent,
    PragmaticqaTeacher,
    QuacStudent,
    QuacTeacher,
    TopiocqaAnswerer,
    TopiocqaQuestioner,
    View,
)
from seminar.collection.protocols.drafts import Drafted

RATED = 3  # the middle of the scale: a program has no opinion
LINKED = 10  # pages linked from the current one that are read too
UNKNOWN = "I don't know; the pages don't say."
FIRST = "What is there to know about {subject}?"
NEXT = (
    "When did that happen?",
    "Who took part in it?",
    "What came after that?",
    "Why did it happen?",
    "Where was that?",
    "How did people react to it?",
)


def next_action(view: View, reader: PageReader, index: CorpusIndex) -> ActionType | None:
    """The assistant's next action; None where there is nothing for it to do."""
    act = _ACTS.get(type(view))
    return act(view, reader, index) if act else None


def draft(view: View, reader: PageReader, index: CorpusIndex) -> Drafted:
    """What the assistant would answer in the teacher's place, for the teacher to edit."""
    found = _found(view, reader, index)
    if found is None:
        return Drafted()
    pragmatic = (found.following,) if found.following else ()
    extra = f" {found.following_text}" if isinstance(view, PragmaticqaTeacher) else ""
    return Drafted(text=f"{found.text}{extra}".strip(), spans=(found.span,), pragmatic=pragmatic)


def _quac_student(view: QuacStudent, reader: PageReader, index: CorpusIndex) -> ActionType | None:
    return _question(view, f"{view.title}: {view.section_title}")


def _questioner(
    view: TopiocqaQuestioner, reader: PageReader, index: CorpusIndex
) -> ActionType | None:
    return _question(view, view.seed)


def _pragmatic_student(
    view: PragmaticqaStudent, reader: PageReader, index: CorpusIndex
) -> ActionType | None:
    if view.rating is not None:
        return Rate(
            turn=view.rating.turn,
            natural=RATED,
            literal=RATED,
            next_questions=RATED,
            leads=RATED,
            faithful=RATED,
        )
    return _question(view, view.topic)


def _quac_teacher(view: QuacTeacher, reader: PageReader, index: CorpusIndex) -> ActionType | None:
    if "answer span" not in view.frame.allowed:
        return None
    found = _found(view, reader, index)
    return AnswerSpan(
        span=found.span if found else None,
        continuation="follow up" if found and found.following else "maybe",
        affirmation=found.affirmation if found else "neither",
    )


def _answerer(view: TopiocqaAnswerer, reader: PageReader, index: CorpusIndex) -> ActionType | None:
    if "answer free" not in view.frame.allowed:
        return None
    found = _found(view, reader, index)
    if found is None:
        return AnswerFree()
    if found.span.page not in {one.page for one in view.visited}:
        return Open(page=found.span.page)
    return AnswerFree(text=found.text, rationale=found.span)


def _pragmatic_teacher(
    view: PragmaticqaTeacher, reader: PageReader, index: CorpusIndex
) -> ActionType | None:
    if view.step == "wait":
        return None
    if view.step == "paraphrase":
        words = [span.text.strip() for span in (*view.literal, *view.pragmatic)]
        return Paraphrase(text=" ".join(words)[:2_000] or UNKNOWN)
    found = _found(view, reader, index)
    if view.step == "pragmatic":
        following = found.following if found and view.literal else None
        return SelectPragmatic(spans=(following,) if following else ())
    if found is None:
        return SelectLiteral(answer="don't know")
    if found.span.page not in {one.page for one in view.visited}:
        return Open(page=found.span.page)
    return SelectLiteral(spans=(found.span,))


def _question(view: Any, subject: str) -> ActionType | None:  # noqa: ANN401 - any student's view
    """The simulated student's next question: about the subject first, then one of the others."""
    if "ask" not in view.frame.allowed:
        return None
    asked = len(view.turns)
    text = FIRST.format(subject=subject) if not asked else NEXT[(asked - 1) % len(NEXT)]
    return Ask(question=text)


def _found(view: View, reader: PageReader, index: CorpusIndex) -> PageAnswer | None:
    """The answer to the question of a view that waits for one."""
    turns: Sequence[Any] = getattr(view, "turns", ())
    if not turns or turns[-1].answered:
        return None
    history = [(turn.question, turn.answer) for turn in turns[:-1]]
    return reader.answer(turns[-1].question, history, _areas(view, index))


def _areas(view: View, index: CorpusIndex) -> list[Area]:
    """What a teacher may read: the section, or the pages that are open or one link away."""
    if isinstance(view, QuacTeacher):
        section = view.section
        end = section.start + len(section.text)
        return [Area(index.pages[section.page], section.start, end)]
    if isinstance(view, TopiocqaAnswerer | PragmaticqaTeacher):
        linked = sorted(index.targets[view.page])[:LINKED]
        pages = dict.fromkeys([view.page, *(one.page for one in view.visited), *linked])
        return [Area.whole(index.pages[page]) for page in pages]
    return []


_ACTS: dict[type, Callable[[Any, PageReader, CorpusIndex], ActionType | None]] = {
    QuacStudent: _quac_student,
    QuacTeacher: _quac_teacher,
    TopiocqaQuestioner: _questioner,
    TopiocqaAnswerer: _answerer,
    PragmaticqaStudent: _pragmatic_student,
    PragmaticqaTeacher: _pragmatic_teacher,
}
