"""Footnotes, endnotes and comments of a Word document, by what refers to them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from seminar.ingestion.documents.docx_styles import W
from seminar.text import truncate

if TYPE_CHECKING:
    from docx.document import Document as WordDocument
    from lxml.etree import _Element

AUTHOR_LIMIT = 80  # characters of a name, which every passage with the comment repeats
# The kinds of notes: how a relationship's type ends, the element, and what refers to it.
_KINDS = (
    ("/footnotes", "footnote", "footnoteReference"),
    ("/endnotes", "endnote", "endnoteReference"),
    ("/comments", "comment", "commentReference"),
)


@dataclass(frozen=True, slots=True)
class Note:
    """The place of a note, as in `footnote 2` or `comment of Ada`, and its paragraphs."""

    place: str
    element: _Element


def read_notes(word: WordDocument) -> dict[tuple[str, str], Note]:
    """The notes by the tag that refers to them and their id."""
    from docx.oxml import parse_xml

    notes: dict[tuple[str, str], Note] = {}
    for relation in word.part.rels.values():
        if relation.is_external:
            continue
        for ending, tag, reference in _KINDS:
            if relation.reltype.endswith(ending):
                root = parse_xml(relation.target_part.blob)
                notes.update(_notes(root, tag, reference))
    return notes


def _notes(root: _Element, tag: str, reference: str) -> Iterator[tuple[tuple[str, str], Note]]:
    number = 0
    for element in root.iterchildren(W + tag):
        if element.get(f"{W}type") in ("separator", "continuationSeparator"):
            continue
        number += 1
        author = truncate(" ".join(element.get(f"{W}author", "").split()), AUTHOR_LIMIT)
        place = f"comment of {author}" if author else f"{tag} {number}"
        yield (W + reference, element.get(f"{W}id", "")), Note(place, element)
