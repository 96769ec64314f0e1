"""Edits that put back what a question refers to, where its rewrite words it anew.

A human rewrite of the written dialogues often says the same in other words ("which one won?": "Who
was elected treasurer?"), which no copy can express. What is learnt from it is the span of the
history that it brings in: in place of the word that refers to it, else at the end of the question.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from seminar.models.rewriter.edits import Edit, Word
from seminar.training.rewriter.alignment import STOP_WORDS, differences, longest_copy

POSSESSIVE = frozenset({"its", "his", "her", "their", "theirs", "hers"})
REFERRING = POSSESSIVE | frozenset(
    "it he him she they them this that these those there then one ones here same other others "
    "another".split()
)


def referent_edits(
    question: Sequence[Word], rewrite: Sequence[Word], history: Sequence[Word]
) -> list[Edit]:
    """The edits that put the rewrite's spans of the history into the question."""
    edits = _in_place(question, rewrite, history)
    spans = [slice(*edit.copied) for edit in edits if edit.copied]
    known = {word.key for span in spans for word in history[span]}
    late = _further(question, rewrite, history, known)
    if late is None:
        return edits
    place = _unreplaced(question, rewrite, edits)
    if place is not None:
        edits.append(_replacing(question, place, place + 1, late))
    else:
        marked = bool(question) and question[-1].text == "?"
        end = len(question) - marked
        if all(edit.start != end for edit in edits):
            edits.append(Edit(end, end, copied=late))
    return sorted(edits, key=lambda edit: edit.start)


def _in_place(
    question: Sequence[Word], rewrite: Sequence[Word], history: Sequence[Word]
) -> list[Edit]:
    """The edits where the rewrite has a span of the history in place of referring words."""
    own, keys = {word.key for word in question}, [word.key for word in history]
    edits = []
    for start, end, phrase in differences(question, rewrite):
        removed = [word.key for word in question[start:end]]
        if not (REFERRING | STOP_WORDS).issuperset(removed):
            continue
        span = _new_span([word.key for word in phrase], keys, own)
        if span is None:
            continue
        referring = [start + n for n, word in enumerate(removed) if word in REFERRING]
        if referring:
            edits.append(_replacing(question, referring[0], referring[-1] + 1, span))
        else:
            edits.append(Edit(end, end, copied=span))
    return edits


def _further(
    question: Sequence[Word],
    rewrite: Sequence[Word],
    history: Sequence[Word],
    known: Collection[str],
) -> tuple[int, int] | None:
    """The longest span that the rewrite shares with the history and nothing has brought in yet."""
    own, keys = {word.key for word in question}, [word.key for word in history]
    phrase = ["" if word.key in known else word.key for word in rewrite]
    return _new_span(phrase, keys, own)


def _new_span(
    phrase: Sequence[str], history: Sequence[str], own: Collection[str]
) -> tuple[int, int] | None:
    """The longest span of the history in a phrase, if it has a content word that is not `own`."""
    length, _, at = longest_copy(phrase, history)
    while length and not history[at + length - 1].isalnum():
        length -= 1
    span = history[at : at + length]
    if STOP_WORDS.union(own).issuperset(span):
        return None
    return at, at + length


def _unreplaced(
    question: Sequence[Word], rewrite: Sequence[Word], edits: Sequence[Edit]
) -> int | None:
    """The place of the only word that refers to something and that the rewrite doesn't keep."""
    kept = {word.key for word in rewrite}
    edited = {place for edit in edits for place in range(edit.start, edit.end)}
    places = [
        place
        for place, word in enumerate(question)
        if word.key in REFERRING and word.key not in kept and place not in edited
    ]
    return places[0] if len(places) == 1 else None


def _replacing(question: Sequence[Word], start: int, end: int, span: tuple[int, int]) -> Edit:
    """A span in place of words; in place of a possessive with its ending."""
    owned = question[end - 1].key in POSSESSIVE and end < len(question)
    owned = owned and question[end].text.isalnum()
    return Edit(start, end, copied=span, after=("'", "s") if owned else ())
