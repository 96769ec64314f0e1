"""Quotations as HTML; everything in it comes from users and files, and all of it is escaped."""

from __future__ import annotations

import html
import re

# Controls, C1 included, and those that override the direction of the text around them.
INVISIBLE = re.compile("[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]")


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
