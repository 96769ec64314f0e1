"""Source lines of an HTML page's text nodes, found by search: the parser keeps no positions."""

from __future__ import annotations

import re

_LONGEST = 40  # characters of a text node that are searched for
_WITHIN = 400  # characters of a text node among which they are chosen
_BUDGET = 16  # how many times the page may be scanned in vain
_REFERENCED = re.compile("[\"&'<>]")
# Runs without characters that a page may write as references: &amp;, &eacute;, &nbsp;, &rsquo;.
_ASCII_RUN = re.compile(rf"[^\"&'<>\x7f-\U0010ffff]{{8,{_LONGEST}}}")
_UNICODE_RUN = re.compile(rf"[^\"&'<>\x7f-\xbf\u2000-\u206f]{{8,{_LONGEST}}}")


class HtmlLines:
    """Finds the text nodes of a page in its source, one after another in reading order."""

    def __init__(self, source: str) -> None:
        self._source = f">{source}<"  # so that every text stands between tags
        self._run = _ASCII_RUN if source.isascii() else _UNICODE_RUN
        self._at = 0
        self._line = 1
        self._budget = _BUDGET * len(source)

    def line_of(self, text: str, *, preformatted: bool) -> int | None:
        """The line on which a text node begins, or None where it can't be found."""
        # The parser drops a line end right after <pre>, so that its text may follow no tag.
        tag_end = "" if preformatted else ">"
        if len(text) <= _LONGEST and not _REFERENCED.search(text):
            return self._line if self._find(f"{tag_end}{text}<") else self._line_of_run(text, "")
        return self._line_of_run(text, tag_end)

    def _line_of_run(self, text: str, tag_end: str) -> int | None:
        run = self._run.search(text, 0, _WITHIN)
        if run is None or not self._find((tag_end if run.start() == 0 else "") + run.group()):
            return None
        return self._line - text.count("\n", 0, run.start())

    def skip(self, text: str) -> None:
        """Pass over a hidden element, which may repeat visible text; "<" separates its texts."""
        runs = self._run.findall(text[-_WITHIN:])
        if runs:
            self._find(runs[-1])

    def skip_to(self, tag: str) -> None:
        """Pass over everything before a tag."""
        self._find(tag)

    def _find(self, probe: str) -> bool:
        """Move to the next place of a probe, if there is one."""
        if self._budget < 0:
            return False
        found = self._source.find(probe, self._at)
        if found < 0:
            self._budget -= len(self._source) - self._at
            return False
        self._line += self._source.count("\n", self._at, found)
        self._at = found
        return True
