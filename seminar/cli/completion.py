"""Completions in a chat: commands, scopes, places by number, files to write, names of sources."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from prompt_toolkit.completion import CompleteEvent, Completer, Completion, PathCompleter
from prompt_toolkit.document import Document

MOST = 200  # completions that are offered
FEWEST_LETTERS = 2  # of a word of a question before names of sources are offered
_WORD = re.compile(r"\S*$")

Names = Callable[[], Iterable[str]]


@dataclass(frozen=True, slots=True)
class Choices:
    """What can be completed: functions, since it changes during a conversation."""

    commands: Sequence[str]
    scopes: Names
    sources: Names
    numbers: Names


class ChatCompleter(Completer):
    """Completes the line of a chat.

    Names come from files: one with control characters is never offered, as it would be printed.
    """

    def __init__(self, choices: Choices) -> None:
        self._choices = choices
        self._arguments: dict[str, Names] = {
            "/scope": choices.scopes,
            "/scopes": choices.scopes,
            "/open": choices.numbers,
            "/show": choices.numbers,
        }
        self._paths = PathCompleter(expanduser=True)

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterator[Completion]:
        found = self._completions(document, complete_event)
        printed = (one for one in found if f"{one.text}{one.display_text}".isprintable())
        yield from islice(printed, MOST)

    def _completions(self, document: Document, event: CompleteEvent) -> Iterable[Completion]:
        line = document.text_before_cursor
        command, space, argument = line.partition(" ")
        if not line.startswith("/"):
            return self._of_question(line)
        if not space:
            return _matching(self._choices.commands, line)
        if command in ("/save", "/export"):
            return self._paths.get_completions(Document(argument, len(argument)), event)
        return _matching(self._arguments.get(command, tuple)(), argument)

    def _of_question(self, line: str) -> Iterable[Completion]:
        """The names of sources that begin with, or have a part that begins with, the last word."""
        match = _WORD.search(line)
        word = match.group() if match else ""
        if len(word) < FEWEST_LETTERS:
            return ()
        return _matching(self._choices.sources(), word)


def _matching(names: Iterable[str], begun: str) -> Iterator[Completion]:
    """The names that begin so, in any case, and then those whose last part does."""
    folded = begun.casefold()
    later: list[str] = []
    for name in names:
        if name.casefold().startswith(folded):
            yield Completion(name, start_position=-len(begun))
        elif name.rpartition("/")[2].casefold().startswith(folded):
            later.append(name)
    for name in later:
        yield Completion(name, start_position=-len(begun))
