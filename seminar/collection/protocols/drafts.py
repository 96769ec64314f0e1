"""What the program itself adds to a dialog: drafts of answers, and that a teacher is qualified."""

from __future__ import annotations

from seminar.collection.corpus.lookup import CorpusIndex
from seminar.collection.messages.actions import ActionType, ChosenSpan
from seminar.collection.messages.views import Draft, ShownSpan


class Drafted(ActionType, frozen=True, tag="draft"):
    """An answer of the assistant, for the teacher to edit (wizard of Oz)."""

    text: str = ""
    spans: tuple[ChosenSpan, ...] = ()
    pragmatic: tuple[ChosenSpan, ...] = ()


class Qualified(ActionType, frozen=True, tag="qualified"):
    """The teacher has passed the background test; the dialog may begin."""


def draft_view(draft: Drafted | None, index: CorpusIndex) -> Draft | None:
    """A draft with the words of its spans."""
    if draft is None:
        return None
    return Draft(
        text=draft.text,
        spans=tuple(_shown(index, span) for span in draft.spans),
        pragmatic=tuple(_shown(index, span) for span in draft.pragmatic),
    )


def _shown(index: CorpusIndex, span: ChosenSpan) -> ShownSpan:
    text = index.pages[span.page].text[span.start : span.end]
    return ShownSpan(span.page, span.start, span.end, text)
