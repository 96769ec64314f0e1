"""One conversation with files: asking, scoping, saving and resuming, for any front end."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path

from seminar.answering.records import Record, prose_record, quoted_span, reply_record
from seminar.assembly import Opened, open_files
from seminar.dialogue_files import (
    check_question,
    read_turns,
    restore_dialogue,
    unwritable,
    write_turns,
)
from seminar.errors import ConfigurationError, SeminarError
from seminar.index_url import Place, parse_place
from seminar.ingestion.discover import Problem
from seminar.locations import Location, locate
from seminar.models.encoders.registry import AUTO
from seminar.retrieval.scopes import children, find_scope, with_parents
from seminar.settings import load_settings
from seminar.span_lookup import find_span
from seminar.text import truncate
from seminar.types import Dialogue, Hit, Reply, Span, Turn

DIGITS = 4  # of the largest number that is looked up among suggestions

Answering = Callable[[Sequence[Dialogue], Sequence[str]], list[Reply]]


def open_session(*paths: str | Path, **settings: object) -> Session:
    """Begin a conversation with files and folders, or with an index, which may be a URL.

    `settings` are those of `Settings`, as in `open_session("notes", followups=True)`.
    """
    if not paths:
        raise ConfigurationError('no path to ask: name a file or a folder, as in open("notes")')
    places = [parse_place(path) if isinstance(path, str) else path for path in paths]
    opened = open_files(places, load_settings(None, {"encoder": AUTO, **settings}))
    check_passages(opened, places)
    return Session(opened)


def check_passages(opened: Opened, paths: Sequence[Place]) -> None:
    """Raise an error if none of the files has text to answer from."""
    if not opened.index.count():
        named = ", ".join(str(path) for path in paths)
        raise SeminarError(f"nothing to answer from in {named}: no file there holds readable text")


class Session:
    """One conversation: its dialogue, its scope and the file it is saved to.

    All that changes is kept here, so sessions in several threads can share one `Opened`. Within a
    session one question is answered at a time. `records` are the turns as `seminar ask --json`
    prints them, and `seconds` is the time that the last reply took.
    """

    def __init__(self, opened: Opened) -> None:
        self.opened = opened
        self.dialogue = Dialogue()
        self.records: tuple[Record, ...] = ()
        self.seconds = 0.0
        self._own_files: set[Path] = set()  # written or resumed by this session
        self._file: Path | None = None  # further turns are written to it
        self._lock = threading.RLock()

    @property
    def sources(self) -> list[str]:
        """Files with indexed passages."""
        return self.opened.sources

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Files that could not be read, each with the reason."""
        return self.opened.problems

    @property
    def scope(self) -> str:
        """The part that is asked, as a path; empty for everything."""
        return self.opened.settings.scope

    def scopes(self, path: str = "") -> dict[str, int]:
        """Count the passages of each scope right below a path; of the topmost without one."""
        known = with_parents(self.opened.index.scopes())
        return children(known, find_scope(path, known) if path else "")

    def search(self, question: str, k: int = 10) -> list[Hit]:
        """Find passages for a question that stands alone, best first; nothing is remembered."""
        assistant = self.opened.assistant
        queries = assistant.rewriter.rewrite([Dialogue()], [check_question(question)])
        [hits] = assistant.retriever.search(queries, k=k)
        return hits

    def locate(self, span: Span) -> Location:
        """Where a span of a reply can be opened: file, line, column and page, or a permalink."""
        return locate(span, self.opened.files)

    def find(self, name: str) -> Span:
        """The span with that name: the `id` of a span in JSON, or a citation as `choir.md:13`."""
        return find_span(self.opened.index, name)

    def set_scope(self, path: str) -> None:
        """Ask only a file, folder, channel or thread from now on; everything if path is empty."""
        with self._lock:
            self.opened = self.opened.within(path)

    def question(self, line: str) -> str:
        """Return the question that a line asks; a number asks the suggestion of that number.

        The numbers are those of the last suggestions; before any, a number is a question too.
        """
        replies = (turn.reply for turn in reversed(self.dialogue.turns))
        suggestions = next((reply.followups for reply in replies if reply.followups), ())
        digits = line.strip()
        if not suggestions or not digits.isdecimal():
            return check_question(line)
        number = int(digits) if len(digits) <= DIGITS else 0
        if 0 < number <= len(suggestions):
            return suggestions[number - 1]
        known = "1" if len(suggestions) == 1 else f"1–{len(suggestions)}"
        raise SeminarError(f"There is no suggestion {truncate(digits, 2 * DIGITS)} ({known})")

    def ask(self, line: str) -> Reply:
        """Answer a question, or the suggestion of that number, and add the turn to the dialogue."""
        return self._answer(line, self.opened.assistant.ask)

    def ask_without_suggestions(self, line: str) -> Reply:
        """Answer as `ask` does, but leave what takes longer to `write` and `suggest`."""
        return self._answer(line, self.opened.assistant.answer_without_suggestions)

    @property
    def writes(self) -> bool:
        """Whether a language model writes prose."""
        return self.opened.assistant.writer is not None

    def write(self, listen: Callable[[str], None] = lambda _: None) -> Reply:
        """Add a language model's prose to the last reply; `listen` gets its pieces as they come."""
        with self._lock:
            before, last = self._last()
            begun = time.perf_counter()
            [reply] = self.opened.assistant.write([before], [last.reply], listen)
            self.seconds += time.perf_counter() - begun
            return self._remember(before, Turn(last.question, reply))

    def suggest(self) -> Reply:
        """Add the questions that can be asked next to the last reply."""
        with self._lock:
            before, last = self._last()
            [reply] = self.opened.assistant.suggest([before], [last.reply])
            return self._remember(before, Turn(last.question, reply))

    def save(self, file: str | Path) -> None:
        """Write the turns to a file, and every further turn as soon as it is answered.

        A file that exists is replaced only if this session wrote or resumed it.
        """
        with self._lock:
            path = _free_path(file, self._own_files)
            write_turns(path, self.records)
            self._own_files.add(path)
            self._file = path

    def resume(self, file: str | Path) -> list[str]:
        """Continue after the turns of a saved conversation.

        Returns the questions whose quoted words are no longer in these files. The file is written
        to again only by `save`.
        """
        path = Path(file)
        turns = read_turns(path)
        with self._lock:
            dialogue, lost = restore_dialogue(turns, self.opened.index)
            self.reset()
            self.dialogue, self.records = dialogue, tuple(turn.record for turn in turns)
            self._own_files.add(path.resolve())
        return lost

    def export(self) -> Record:
        """The conversation as the formats of `dialogue_exports` write it."""
        with self._lock:
            turns = zip(self.dialogue.turns, self.records, strict=True)
            written = [
                {"number": number, "question": turn.question, "reply": _quoted(turn.reply, record)}
                for number, (turn, record) in enumerate(turns, start=1)
            ]
            first = self.dialogue.turns[0].question if self.dialogue.turns else ""
            return {"title": first, "scope": self.scope, "turns": written}

    def reset(self) -> None:
        """Forget the dialogue and the files it was saved to; the scope stays."""
        with self._lock:
            self.dialogue, self.records = Dialogue(), ()
            self._own_files, self._file = set(), None

    def _answer(self, line: str, answer: Answering) -> Reply:
        with self._lock:
            question = self.question(line)
            begun = time.perf_counter()
            [reply] = answer([self.dialogue], [question])
            self.seconds = time.perf_counter() - begun
            return self._remember(self.dialogue, Turn(question, reply))

    def _last(self) -> tuple[Dialogue, Turn]:
        """The last turn, and the dialogue before it."""
        if not self.dialogue.turns:
            raise SeminarError("nothing was asked yet: there is no reply to add to")
        *earlier, last = self.dialogue.turns
        return Dialogue(tuple(earlier)), last

    def _remember(self, before: Dialogue, turn: Turn) -> Reply:
        """Add a turn, or replace the last one; if its file can't be written, the reply notes it."""
        self._add(before, turn)
        if self._file is None:
            return turn.reply
        try:
            write_turns(self._file, self.records)
        except SeminarError as error:
            self._file = None
            reply = replace(turn.reply, notes=(*turn.reply.notes, str(error)))
            self._add(before, Turn(turn.question, reply))
            return reply
        return turn.reply

    def _add(self, before: Dialogue, turn: Turn) -> None:
        record = reply_record(
            turn.question, turn.reply, self.seconds, column=lambda span: self.locate(span).column
        )
        self.dialogue = before.add(turn)
        self.records = (*self.records[: len(before.turns)], record)


def _quoted(reply: Reply, record: Record) -> Record:
    """The record of a reply, its spans with the rest of their sentences."""
    return {
        **record,
        "literal": [quoted_span(span) for span in reply.literal],
        "pragmatic": [{**quoted_span(item.span), "role": item.role} for item in reply.pragmatic],
        "nearest": quoted_span(reply.nearest) if reply.nearest else None,
        "prose": prose_record(reply.prose, quoted_span) if reply.prose else None,
    }


def _free_path(file: str | Path, own: Collection[Path]) -> Path:
    """Return the full path of a file that doesn't exist yet or is among the session's own."""
    try:
        path = Path(file).expanduser().resolve()
        free = path in own or not path.exists()
    except (OSError, RuntimeError, ValueError) as error:  # no such home, a NUL in the name
        raise unwritable(file, error.strerror if isinstance(error, OSError) else error) from None
    if not free:
        raise SeminarError(f"{file} exists already; save it under another name")
    return path
