"""Parsing wikitext, in time linear in its length for any input.

Templates, tables, references, files and categories are dropped; headings, lists and links stay.
"""

from __future__ import annotations

import re
from html import unescape

from seminar.ingestion.documents.document_builder import DocumentBuilder
from seminar.ingestion.documents.inline import Block, InlineBuilder
from seminar.ingestion.streams.decoding import clean, without_comments
from seminar.types import Document

DROPPED_NAMESPACES = frozenset({"file", "image", "media", "category"})
_DROPPED_TAGS = (
    "ref|math|chem|ce|gallery|timeline|score|imagemap|graph|mapframe|maplink|hiero|table|style"
    "|templatestyles|inputbox|categorytree|references|section|indicator"
)
_DELIMITER = re.compile(
    r"(?P<open>\{\{|^[ \t:*]*\{\||\[\[)|(?P<close>\}\}|^[ \t]*\|\}(?!\})|\]\])"
    rf"|<(?P<slash>/?)(?P<tag>{_DROPPED_TAGS})\b[^<>]*>",
    re.MULTILINE | re.IGNORECASE,
)
_CLOSES = {"}}": "{{", "|}": "{|", "]]": "[["}
_NOWIKI = re.compile(r"<nowiki\s*/>|<nowiki>([^<]*)</nowiki>", re.IGNORECASE)
_MARKUP = re.compile(r"[\[\]{}|'=*#:;_<>]")
_SWITCH = re.compile(r"__[A-Z]{3,30}__")
_ITEM = re.compile(r"[*#:;]+")
_INLINE = re.compile(
    r"\[\[(?P<link>[^\[\]]*)\]\]"
    r"|\[(?P<url>(?:https?:|ftp:)?//[^\s\[\]]+)(?P<label>[^\[\]]*)\]"
    r"|'{2,5}"
    r"|<(?P<tag>/?\w+)[^<>]*>"
)
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[a-z]{2,10})*|simple")


def parse(text: str, source: str, *, file: str, dropped: frozenset[str]) -> Document | None:
    """A document of wikitext, or None where no text is left; links lead to file#Title."""
    page = _Page(file, dropped)
    for line in _prune(_protect(without_comments(clean(text))), dropped).split("\n"):
        page.read_line(line.strip())
    page.end_block()
    title = source.removeprefix(f"{file}#")
    return None if page.builder.is_empty else page.builder.build(source, title)


def _protect(text: str) -> str:
    """Text with markup between nowiki tags escaped."""
    text = _NOWIKI.sub(lambda match: _literal(match.group(1) or ""), text)
    return _SWITCH.sub("", text)


def _literal(text: str) -> str:
    return _MARKUP.sub(lambda mark: f"&#{ord(mark.group())};", text)


def _prune(text: str, dropped: frozenset[str]) -> str:
    """Text without templates, tables, dropped tags and links to files; unpaired marks stay."""
    pieces: list[str] = []
    position = 0
    for start, end in _dropped_stretches(text, dropped):
        if end <= position:
            continue  # inside a dropped stretch
        pieces.append(text[position : max(start, position)])
        position = end
    pieces.append(text[position:])
    return "".join(pieces)


def _dropped_stretches(text: str, dropped: frozenset[str]) -> list[tuple[int, int]]:
    """The stretches between paired marks whose content is not prose, outermost first."""
    open_marks: dict[str, list[int]] = {}  # starts of the marks of each kind that are still open
    stretches = []
    for match in _DELIMITER.finditer(text):
        kind, opens = _kind(match)
        if match.group().endswith("/>") and match.group("tag"):
            stretches.append(match.span())
        elif opens:
            open_marks.setdefault(kind, []).append(match.start())
        elif open_marks.get(kind):
            start = open_marks[kind].pop()
            if kind != "[[" or _is_dropped_link(text[start + 2 : start + 102], dropped):
                stretches.append((start, match.end()))
            # A mark opened inside and not closed there has no end.
            for starts in open_marks.values():
                while starts and starts[-1] > start:
                    starts.pop()
    return sorted(stretches)


def _kind(match: re.Match[str]) -> tuple[str, bool]:
    if tag := match.group("tag"):
        return tag.lower(), not match.group("slash")
    if mark := match.group("open"):
        return mark.lstrip(" \t:*"), True
    return _CLOSES[match.group("close").strip()], False


def _is_dropped_link(content: str, dropped: frozenset[str]) -> bool:
    namespace, colon, _ = content.partition(":")
    name = namespace.strip().lower()
    return bool(colon) and (name in dropped or _LANGUAGE.fullmatch(namespace.strip()) is not None)


def _heading_level(line: str) -> int:
    """How many equals signs stand at both ends of a line, at most six; 0 for no heading."""
    if line[-1] != "=" or not line.strip("= "):
        return 0
    left = len(line) - len(line.lstrip("="))
    return min(left, len(line) - len(line.rstrip("=")), 6)


class _Page:
    """Adds lines of pruned wikitext to a builder; a heading waits for the text under it."""

    def __init__(self, file: str, dropped: frozenset[str]) -> None:
        self.builder = DocumentBuilder()
        self._file = file
        self._dropped = dropped
        self._inline = InlineBuilder()
        self._headings: list[tuple[int, str]] = []
        self._in_item = False
        self._after_item = False

    def read_line(self, line: str) -> None:
        if not line or line.startswith(("|", "!", "{|", "----")):
            self.end_block()
        elif level := _heading_level(line):
            self.end_block()
            self._read_heading(level, line[level:-level])
        elif (item := _ITEM.match(line)) is not None:
            self.end_block()
            self._in_item = True
            self._add(line[item.end() :])
            self.end_block()
        else:
            self._add(line + " ")

    def _read_heading(self, level: int, text: str) -> None:
        self._add(text)
        title = self._inline.take().text
        while self._headings and self._headings[-1][0] >= level:
            self._headings.pop()
        if title:
            self._headings.append((level, title))

    def end_block(self) -> None:
        block = self._inline.take()
        if block.text:
            for level, title in self._headings:
                self.builder.add_heading(level, Block(title))
            self._headings = []
            tight = self._in_item and self._after_item
            self.builder.add_block(block, "\n" if tight else "\n\n")
            self._after_item = self._in_item
        self._in_item = False

    def _add(self, line: str) -> None:
        position = 0
        for match in _INLINE.finditer(line):
            self._inline.add(unescape(line[position : match.start()]))
            position = match.end()
            if match.group("link") is not None:
                self._add_link(match.group("link"))
            elif url := match.group("url"):
                self._anchor(url, match.group("label"))
            elif (match.group("tag") or "").lower() == "br":
                self._inline.break_line()
        self._inline.add(unescape(line[position:]))

    def _add_link(self, content: str) -> None:
        target, _, label = content.partition("|")
        label = label.rpartition("|")[2] or label
        name = unescape(target).strip().lstrip(":").partition("#")[0].replace("_", " ").strip()
        shown = label or target.strip().lstrip(":")
        if not name:
            self._inline.add(unescape(shown.lstrip("#")))
            return
        self._anchor(f"{self._file}#{name[0].upper()}{name[1:]}", shown)

    def _anchor(self, target: str, label: str) -> None:
        self._inline.open_link(target)
        self._inline.add(unescape(label.replace("''", "")))
        self._inline.close_link()
