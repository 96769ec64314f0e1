"""The styles of a Word document: which paragraphs are headings, titles or items of lists."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docx.document import Document as WordDocument
    from lxml.etree import _Element

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_HEADING = re.compile(r"heading (\d)", re.IGNORECASE)
_CONTENTS = re.compile(r"toc( heading|\s?\d)|table of figures|index \d", re.IGNORECASE)
_DEEPEST = 9  # the outline level of body text
_ANCESTORS = 20  # styles that one may be based on, one on the other


@dataclass(frozen=True, slots=True)
class Style:
    """What a style says of its paragraphs; `level` is 0 for those that are no headings."""

    level: int = 0
    is_title: bool = False
    is_item: bool = False
    is_contents: bool = False


@dataclass(frozen=True, slots=True)
class Styles:
    """The styles of a document by their ids."""

    by_id: Mapping[str, Style]

    @classmethod
    def of(cls, word: WordDocument) -> Styles:
        """The styles that a document defines; what one lacks, the one it is based on gives."""
        elements = {
            element.get(f"{W}styleId", ""): element
            for element in word.styles.element.iter(f"{W}style")
        }
        return cls({key: _resolve(key, elements) for key in elements})

    def of_paragraph(self, paragraph: _Element) -> Style:
        """The style of a paragraph, with what its own properties add."""
        properties = paragraph.find(f"{W}pPr")
        if properties is None:
            return Style()
        named = properties.find(f"{W}pStyle")
        style = self.by_id.get(named.get(f"{W}val", ""), Style()) if named is not None else Style()
        level, item = _outline(properties), _numbering(properties)
        return Style(
            level=style.level if level is None else level,
            is_title=style.is_title,
            is_item=style.is_item if item is None else item,
            is_contents=style.is_contents,
        )


def _resolve(key: str, elements: Mapping[str, _Element]) -> Style:
    level: int | None = None
    item: bool | None = None
    is_title = is_contents = False
    for _ in range(_ANCESTORS):
        element = elements.get(key)
        if element is None:
            break
        name = _value(element, "name")
        if level is None and (heading := _HEADING.fullmatch(name)):
            level = int(heading.group(1))
        is_title = is_title or name.lower() == "title"
        is_contents = is_contents or _CONTENTS.fullmatch(name) is not None
        if (properties := element.find(f"{W}pPr")) is not None:
            level = _outline(properties) if level is None else level
            item = _numbering(properties) if item is None else item
        key = _value(element, "basedOn")
    return Style(level or 0, is_title, bool(item), is_contents)


def _value(element: _Element, child: str) -> str:
    found = element.find(W + child)
    return "" if found is None else str(found.get(f"{W}val", ""))


def _outline(properties: _Element) -> int | None:
    """The level that the outline gives a paragraph, from 1; 0 for body text."""
    level = _value(properties, "outlineLvl")
    if not level.isascii() or not level.isdigit():
        return None
    return int(level[:3]) + 1 if int(level[:3]) < _DEEPEST else 0


def _numbering(properties: _Element) -> bool | None:
    """Whether a paragraph is an item; numbering 0 ends what a style began."""
    numbering = properties.find(f"{W}numPr")
    return None if numbering is None else _value(numbering, "numId") != "0"
