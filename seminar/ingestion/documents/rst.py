"""reStructuredText: the blocks that docutils finds, with nothing read from elsewhere.

Roles and directives that only Sphinx knows show their words.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Any, ClassVar

from docutils import core, nodes
from docutils.parsers.rst import Directive, directives, roles
from docutils.parsers.rst.languages import en
from docutils.parsers.rst.states import Inliner

from seminar.errors import IngestionError
from seminar.ingestion.documents.document_builder import parse_source
from seminar.ingestion.documents.rst_page import RstPage
from seminar.ingestion.streams.decoding import Notify, read_text
from seminar.types import Document

LINE_LIMIT = 10_000  # characters; docutils measures substitutions that multiply by it as well
NAMES_LIMIT = 500  # of roles and directives in one file
_SILENT = 5  # above the worst level of docutils' messages
_SETTINGS = {
    "_disable_config": True,  # a folder's docutils.conf changes nothing
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "report_level": _SILENT,
    "halt_level": _SILENT,
    "line_length_limit": LINE_LIMIT,
    "syntax_highlight": "none",
    "doctitle_xform": False,  # the first heading is the title in any case
    "docinfo_xform": False,
}
_NAMES = re.compile(
    r"(?m):([a-zA-Z][\w.+:-]{0,40}):`|^ *\.\. +(?:\|[^|\n]{1,80}\| +)?([a-zA-Z][\w.+:-]{0,40})::"
)
_TARGETED = re.compile(r"(?s)(.+?)\s*<([^<>]*)>")
# Directives that would read files or tell the date, or that hold nothing to read.
_NOT_SHOWN = frozenset(
    """
    include raw literalinclude date image meta toctree contents sectnum header footer class role
    default-role target-notes index highlight currentmodule module py:module py:currentmodule
    default-domain tabularcolumns graphviz mermaid plot testsetup testcleanup automodule autoclass
    autofunction automethod autoattribute autodata autoexception autosummary
    """.split()
)
_CODE = frozenset("code code-block sourcecode prompt doctest testcode testoutput ipython".split())
_SINCE = {
    "versionadded": "New in version",
    "versionchanged": "Changed in version",
    "deprecated": "Deprecated since version",
}


def read(path: Path, source: str, notify: Notify) -> Iterator[Document]:
    """The document of a reStructuredText file."""
    yield parse_source(read_text(path, notify), source, parse)


def parse(text: str, source: str) -> Document:
    """A document of reStructuredText; its title is the first heading, else its name."""
    for number, line in enumerate(text.split("\n"), start=1):
        if len(line) > LINE_LIMIT:
            raise IngestionError(f"line {number} is longer than {LINE_LIMIT:,} characters")
    _register_names(text)
    page = RstPage(source)
    try:
        page.read(core.publish_doctree(text, settings_overrides=_SETTINGS))
    except RecursionError:
        raise IngestionError("nested too deeply") from None
    return page.builder.build(source, page.first_heading or PurePosixPath(source).stem)


def _register_names(text: str) -> None:
    """Give every role and directive of a text that docutils does not know a meaning."""
    names = {name for match in _NAMES.finditer(text) for name in match.groups() if name}
    if len(names) > NAMES_LIMIT:
        raise IngestionError(f"uses more than {NAMES_LIMIT} roles and directives")
    for name in names:
        if name not in en.roles:
            roles.register_local_role(name.lower(), _show_words)
        if name.lower() in _NOT_SHOWN:
            directives.register_directive(name.lower(), _NotShown)
        elif name not in en.directives or name in _CODE:
            directives.register_directive(name.lower(), _Shown)


def _show_words(
    role: str,
    rawtext: str,
    text: str,
    lineno: int,
    inliner: Inliner,
    options: Mapping[str, Any] = MappingProxyType({}),
    content: Sequence[str] = (),
) -> tuple[Sequence[Any], Sequence[Any]]:
    """A role of Sphinx: its title, or the last part of the name after a tilde."""
    text = text.replace("\0", "\\")
    titled = _TARGETED.fullmatch(text)
    words, target = titled.groups() if titled else (text, text)
    words = words.rpartition(".")[2] if words.startswith("~") else words.lstrip("!")
    if role == "doc":
        return [nodes.reference(rawtext, words, refuri=f"{target}.rst")], []
    return [nodes.inline(rawtext, words)], []


class _NotShown(Directive):
    """A directive without text of its own."""

    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar[dict[str, Callable[[str], object]]] = defaultdict(
        lambda: directives.unchanged, {"class": directives.unchanged}
    )

    def run(self) -> list[nodes.Node]:
        return []


class _Shown(_NotShown):
    """A directive whose argument and content are read: a description, an admonition, code."""

    def run(self) -> list[nodes.Node]:
        shown = nodes.container()
        if self.name in _CODE:
            code = nodes.literal_block("", "\n".join(self.content))
            code.line = self.content_offset + 1
            return [code] if self.content else []
        if self.arguments:
            words, _ = self.state.inline_text(self.arguments[0], self.lineno)
            since = _SINCE.get(self.name)
            paragraph = nodes.paragraph(self.arguments[0], f"{since} " if since else "", *words)
            paragraph.line = self.lineno
            shown += paragraph
        self.state.nested_parse(self.content, self.content_offset, shown)
        return [shown]
