"""`seminar chat`: a conversation with files, in the terminal."""

from __future__ import annotations

import functools
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from seminar.answering.records import Record, reply_record
from seminar.assembly import Opened
from seminar.cli import consoles, options
from seminar.cli.consoles import counted, printable
from seminar.cli.main import explained
from seminar.cli.opening import open_for_asking
from seminar.cli.printing import print_asked, print_hits, print_questions, print_reply
from seminar.cli.questions import question_of, saved_turns
from seminar.cli.saving import resumed, save_turns
from seminar.errors import SeminarError
from seminar.retrieval.scopes import children, find_scope, with_parents
from seminar.settings import Settings
from seminar.text import truncate
from seminar.types import Dialogue, Turn

GREETING = "Ask a question. /help lists the commands, Ctrl-D ends."
DIGITS = 4  # of the largest number that is looked for among suggestions


@click.command("chat")
@options.paths
@click.option(
    "--resume",
    type=click.Path(path_type=Path),
    help="Go on after the turns of a conversation that /save wrote.",
)
@options.scope
@functools.partial(options.settings, followups=True)
@options.debug
def command(
    paths: tuple[Path, ...], settings: Settings, *, resume: Path | None, scope: str | None
) -> None:
    """Talk with files, folders or an index made by `seminar index`."""
    turns = saved_turns(resume) if resume else []
    if scope is not None:
        settings = replace(settings, scope=scope)
    errors = consoles.errors()
    reopen = functools.partial(open_for_asking, paths, console=errors)
    conversation = Conversation(
        consoles.output(), errors, reopen(settings), reopen=reopen, debug=options.debugging()
    )
    if resume:
        conversation.resume(resume, turns)
    conversation.run()
    if conversation.failed and not sys.stdin.isatty():
        sys.exit(2)


@dataclass
class Conversation:
    """The prompt and what it remembers: the dialogue, its records, and the files they went to."""

    console: Console
    errors: Console
    opened: Opened
    reopen: Callable[[Settings], Opened]
    debug: bool = False
    failed: bool = False
    dialogue: Dialogue = field(default_factory=Dialogue)
    records: list[Record] = field(default_factory=list)
    files: set[Path] = field(default_factory=set)

    def resume(self, file: Path, turns: list[Record]) -> None:
        """Go on after saved turns; the file they stand in is this conversation's own."""
        self.dialogue, lost = resumed(turns, self.opened.index)
        self.records, self.files = list(turns), {file.resolve()}
        told = f"Going on after {counted(len(turns), 'turn')} of {file}."
        self.console.print(Text(printable(told), style="dim"))
        for question in lost:
            told = f"“{question}”: words of its answer no longer stand in these files"
            self.errors.print(Text(printable(told), style="yellow"))

    def run(self) -> None:
        """Read and answer until the input ends; Ctrl-C drops the line or the answer at hand."""
        self.console.print(f"[dim]{GREETING}[/dim]")
        while True:
            try:
                if not self.heed(self._line()):
                    return
            except EOFError:
                self.console.print()
                return
            except KeyboardInterrupt:
                self.console.print("\n[dim](stopped; Ctrl-D or /quit ends)[/dim]")

    def _line(self) -> str:
        if sys.stdin.isatty():
            _enable_line_editing()
            return input("\n» ").strip()
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line.strip()

    def heed(self, line: str) -> bool:
        """Take a line; an error costs that line, never the conversation."""
        try:
            return self.take(line)
        except BrokenPipeError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it was, the turns so far are kept
            self.failed = True
            if self.debug:
                traceback.print_exc()
            else:
                self.errors.print(Text(printable(explained(error)[0]), style="red"))
            return True

    def take(self, line: str) -> bool:
        """Answer a question or obey a /command; False when the conversation is over."""
        if not line:
            return True
        if line.startswith("/"):
            return self._obey(line)
        self._ask(self._suggested(line) or question_of(line))
        return True

    def _suggested(self, line: str) -> str | None:
        """The question of that number among those shown last; none where none were shown."""
        replies = (turn.reply for turn in reversed(self.dialogue.turns))
        shown = next((reply.followups for reply in replies if reply.followups), ())
        if not shown or not line.isdecimal():
            return None
        number = int(line) if len(line) <= DIGITS else 0
        if 0 < number <= len(shown):
            return shown[number - 1]
        known = "1" if len(shown) == 1 else f"1–{len(shown)}"
        raise SeminarError(f"There is no suggestion {truncate(line, 2 * DIGITS)} ({known})")

    def _ask(self, question: str) -> None:
        if not sys.stdin.isatty():
            print_asked(self.console, question)
        before, assistant = self.dialogue, self.opened.assistant
        begun = time.perf_counter()
        [reply] = assistant.answer_alone([before], [question])
        seconds = time.perf_counter() - begun
        self._remember(before, Turn(question, reply), seconds)
        print_reply(self.console, reply, seconds)
        # Trying questions takes longer than answering one, so the answer doesn't wait for them.
        [reply] = assistant.suggest([before], [reply])
        self._remember(before, Turn(question, reply), seconds)
        print_questions(self.console, reply)

    def _remember(self, before: Dialogue, turn: Turn, seconds: float) -> None:
        self.dialogue = before.add(turn)
        record = reply_record(turn.question, turn.reply, seconds)
        self.records = [*self.records[: len(before.turns)], record]

    def _obey(self, line: str) -> bool:
        name, _, rest = line.partition(" ")
        if name in ("/quit", "/exit"):
            return False
        action = ACTIONS.get(name)
        if action is None:
            known = ", ".join([*ACTIONS, "/quit"])
            raise SeminarError(f"unknown command {name}. Known: {known}")
        action(self, rest.strip())
        return True

    def why(self, _: str) -> None:
        """show what was searched and found for the last question"""
        if self.dialogue.turns:
            print_hits(self.console, self.dialogue.turns[-1].reply)
        else:
            self.console.print("[dim]Nothing was asked yet.[/dim]")

    def sources(self, _: str) -> None:
        """list the files that answer here"""
        for source in self.opened.sources:
            self.console.print(Text(printable(source)))
        self.console.print(Text(counted(len(self.opened.sources), "source"), style="dim"))

    def scope(self, path: str) -> None:
        """ask only PATH from now on: a file, a folder, a channel, a thread; without PATH, all"""
        self.opened = self.opened.within(path)
        told = f"Asking {self.opened.settings.scope}." if path else "Asking everything."
        self.console.print(Text(printable(told), style="dim"))

    def scopes(self, path: str) -> None:
        """list what can be asked by itself, with its passages; below PATH if one is named"""
        known = with_parents(self.opened.index.scopes())
        inside = find_scope(path, known) if path else ""
        for one, passages in children(known, inside).items():
            self.console.print(Text(printable(f"{one}: {passages:,}")))

    def reload(self, _: str) -> None:
        """read the files again: new, changed and deleted ones; the conversation goes on"""
        self.opened = self.reopen(self.opened.settings)
        told = f"Up to date: {counted(len(self.opened.sources), 'source')}."
        self.console.print(Text(told, style="dim"))

    def reset(self, _: str) -> None:
        """forget the conversation"""
        self.dialogue, self.records, self.files = Dialogue(), [], set()
        self.console.print("[dim]A new conversation.[/dim]")

    def save(self, name: str) -> None:
        """write the conversation to FILE as JSON lines (default: conversation.jsonl)"""
        named = name or "conversation.jsonl"
        self.files.add(save_turns(named, self.records, self.files))
        told = f"{counted(len(self.records), 'turn')} in {named}"
        self.console.print(Text(printable(told), style="dim"))

    def help(self, _: str) -> None:
        """show this list"""
        for name, action in ACTIONS.items():
            self.console.print(Text(f"{name:10}{action.__doc__}"))
        self.console.print(Text(f"{'/quit':10}end the conversation"))


ACTIONS: dict[str, Callable[[Conversation, str], None]] = {
    "/why": Conversation.why,
    "/sources": Conversation.sources,
    "/scope": Conversation.scope,
    "/scopes": Conversation.scopes,
    "/reload": Conversation.reload,
    "/reset": Conversation.reset,
    "/save": Conversation.save,
    "/help": Conversation.help,
}


def _enable_line_editing() -> None:
    try:
        import readline  # noqa: F401 - importing it gives input() history and arrow keys
    except ImportError:
        return
