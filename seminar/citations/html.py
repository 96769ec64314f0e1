"""Quotations as HTML; everything in it comes from users and files, and all of it is escaped."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from typing import Protocol

from seminar.citations.names import Cited, citation

# Controls, C1 included, and those that override the direction of the text around them.
INVISIBLE = re.compile("[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]")

CONTEXT = 200  # characters of a passage before and after the quoted words, at most
_STYLE = "border-left:3px solid #999;margin:.4em 0;padding-left:.8em"


class Answering(Protocol):
    """A reply, as far as a notebook shows it."""

    @property
    def text(self) -> str: ...
    @property
    def literal(self) -> Sequence[Cited]: ...
    @property
    def nearest(self) -> Cited | None: ...
    @property
    def notes(self) -> Sequence[str]: ...


def visible(text: str) -> str:
    """Text with a mark in place of each control character.

    >>> visible("a\\x1b[31m\\u202e")
    'a�[31m�'
    """
    return INVISIBLE.sub("\ufffd", text)


def escaped(text: str) -> str:
    """Text in which nothing is markup.

    >>> escaped("<b>&")
    '&lt;b&gt;&amp;'
    """
    return html.escape(visible(text))


def quotation(before: str, words: str, after: str, place: str) -> str:
    """A block quotation with the words highlighted, and its place below."""
    sentence = f"{escaped(before)}<mark>{escaped(words)}</mark>{escaped(after)}"
    return f'<blockquote>{sentence}<div class="place">{escaped(place)}</div></blockquote>'


def reply_html(reply: Answering) -> str:
    """A reply for a notebook: its text, its quotations with the words highlighted, its notes."""
    return f"<div><p><strong>{escaped(reply.text)}</strong></p>{''.join(_parts(reply))}</div>"


def _parts(reply: Answering) -> Iterator[str]:
    for span in reply.literal:
        yield _in_context(span)
    if not reply.literal and reply.nearest is not None:
        yield f"<p>Nearest:</p>{_in_context(reply.nearest)}"
    for note in reply.notes:
        yield f"<p><em>{escaped(note)}</em></p>"


def _in_context(span: Cited) -> str:
    """The line of a passage around a span, cut between words, and its place."""
    passage = span.passage
    begun = passage.text[: span.start].rpartition("\n")[2]
    rest = passage.text[span.end :].partition("\n")[0]
    before = begun if len(begun) <= CONTEXT else "…" + begun[-CONTEXT:].partition(" ")[2]
    after = rest if len(rest) <= CONTEXT else rest[:CONTEXT].rpartition(" ")[0] + "…"
    words = passage.text[span.start : span.end]
    shown = quotation(before, words, after, f"{citation(span)}, {passage.heading}")
    return shown.replace("<blockquote>", f'<blockquote style="{_STYLE}">', 1)
