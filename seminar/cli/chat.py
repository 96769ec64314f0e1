"""`seminar chat`: a conversation with files, in the terminal."""

from __future__ import annotations

import functools
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from seminar.assembly import Opened
from seminar.cli import consoles, options
from seminar.cli.consoles import counted, printable
from seminar.cli.main import explained
from seminar.cli.opening import open_for_asking
from seminar.cli.places import Places
from seminar.cli.printing import (
    print_asked,
    print_hits,
    print_notes,
    print_questions,
    print_reply,
)
from seminar.cli.prose import draft, print_written
from seminar.dialogue_files import read_turns
from seminar.errors import SeminarError
from seminar.ingestion.selection import Selection
from seminar.models.encoders.registry import AUTO
from seminar.session import Session
from seminar.settings import Settings
from seminar.types import Reply

GREETING = "Ask a question. /help lists the commands, Ctrl-D ends."


@click.command("chat")
@options.paths
@click.option(
    "--resume",
    type=click.Path(path_type=Path),
    help="Continue a conversation that /save wrote.",
)
@options.scope
@options.selection
@options.forget
@functools.partial(options.settings, encoder=AUTO, followups=True)
@options.debug
def command(
    paths: tuple[Path, ...],
    settings: Settings,
    *,
    resume: Path | None,
    scope: str | None,
    selection: Selection,
    forget: bool,
) -> None:
    """Talk with files and folders, or with an index."""
    if resume:
        read_turns(resume)  # a wrong file is an error before anything is indexed
    if scope is not None:
        settings = replace(settings, scope=scope)
    errors = consoles.errors()
    reopen = functools.partial(
        open_for_asking, paths, console=errors, selection=selection, forget=forget
    )
    session = Session(reopen(settings))
    chat = Chat(consoles.output(), errors, session, reopen=reopen, debug=options.debugging())
    if resume:
        chat.resume(resume)
    chat.run()
    if chat.failed and not sys.stdin.isatty():
        sys.exit(2)


@dataclass
class Chat:
    """The prompt of a session: reads lines, runs commands, prints replies."""

    console: Console
    errors: Console
    session: Session
    reopen: Callable[[Settings], Opened]
    debug: bool = False
    failed: bool = False

    def resume(self, file: Path) -> None:
        """Continue a saved conversation, and name the questions that lost their quotations."""
        lost = self.session.resume(file)
        turns = counted(len(self.session.dialogue.turns), "turn")
        self._note(f"Going on after {turns} of {file}.")
        for question in lost:
            warning = f"“{question}”: words of its answer are no longer in these files"
            self.errors.print(Text(printable(warning), style="yellow"))

    def run(self) -> None:
        """Read and answer lines until the input ends; Ctrl-C drops the current line or answer."""
        self._note(GREETING)
        while True:
            try:
                if not self.handle(self._read_line()):
                    return
            except EOFError:
                self.console.print()
                return
            except KeyboardInterrupt:
                self.console.print("\n[dim](stopped; Ctrl-D or /quit ends)[/dim]")

    def _read_line(self) -> str:
        if sys.stdin.isatty():
            _enable_line_editing()
            return input("\n» ").strip()
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line.strip()

    def handle(self, line: str) -> bool:
        """Handle a line, and False when the conversation is over; an error costs that line only."""
        try:
            return self._handle(line)
        except BrokenPipeError:
            raise
        except Exception as error:  # noqa: BLE001 - any error: the turns so far are kept
            self.failed = True
            if self.debug:
                traceback.print_exc()
            else:
                self.errors.print(Text(printable(explained(error)[0]), style="red"))
            return True

    def _handle(self, line: str) -> bool:
        if line.startswith("/"):
            return self._run_command(line)
        if line:
            self._ask(line)
        return True

    def _ask(self, line: str) -> None:
        if not sys.stdin.isatty():
            print_asked(self.console, self.session.question(line))
        # Prose and suggestions take longer than the answer, so the answer is printed before them.
        reply = self.session.ask_without_suggestions(line)
        print_reply(self.console, reply, self.session.seconds)
        if self.session.writes:
            self._write(reply)
        print_questions(self.console, self.session.suggest())

    def _write(self, quick: Reply) -> None:
        with draft(self.console) as listen:
            written = self.session.write(listen)
        print_written(self.console, quick, written, Places())
        print_notes(self.console, replace(written, notes=written.notes[len(quick.notes) :]))

    def _run_command(self, line: str) -> bool:
        name, _, argument = line.partition(" ")
        if name in ("/quit", "/exit"):
            return False
        action = ACTIONS.get(name)
        if action is None:
            known = ", ".join([*ACTIONS, "/quit"])
            raise SeminarError(f"unknown command {name}. Known: {known}")
        action(self, argument.strip())
        return True

    def _note(self, message: str) -> None:
        self.console.print(Text(printable(message), style="dim"))

    def why(self, _: str) -> None:
        """show what was searched and found for the last question"""
        turns = self.session.dialogue.turns
        if turns:
            print_hits(self.console, turns[-1].reply)
        else:
            self._note("Nothing was asked yet.")

    def sources(self, _: str) -> None:
        """list the indexed files"""
        for source in self.session.sources:
            self.console.print(Text(printable(source)))
        self._note(counted(len(self.session.sources), "source"))

    def scope(self, path: str) -> None:
        """ask only PATH from now on: a file, a folder, a channel, a thread; without PATH, all"""
        self.session.set_scope(path)
        self._note(f"Asking {self.session.scope}." if path else "Asking everything.")

    def scopes(self, path: str) -> None:
        """list the parts that /scope takes, with their passages; below PATH if one is named"""
        for scope, passages in self.session.scopes(path).items():
            self.console.print(Text(printable(f"{scope}: {passages:,}")))

    def reload(self, _: str) -> None:
        """read new, changed and deleted files; the conversation goes on"""
        self.session.opened = self.reopen(self.session.opened.settings)
        self._note(f"Up to date: {counted(len(self.session.sources), 'source')}.")

    def reset(self, _: str) -> None:
        """begin a new conversation"""
        self.session.reset()
        self._note("A new conversation.")

    def save(self, name: str) -> None:
        """write this and every further turn to FILE, JSON lines (default: conversation.jsonl)"""
        file = name or "conversation.jsonl"
        self.session.save(file)
        self._note(f"{counted(len(self.session.records), 'turn')} in {file}")

    def help(self, _: str) -> None:
        """show this list"""
        for name, action in ACTIONS.items():
            self.console.print(Text(f"{name:10}{action.__doc__}"))
        self.console.print(Text(f"{'/quit':10}end the conversation"))


ACTIONS: dict[str, Callable[[Chat, str], None]] = {
    "/why": Chat.why,
    "/sources": Chat.sources,
    "/scope": Chat.scope,
    "/scopes": Chat.scopes,
    "/reload": Chat.reload,
    "/reset": Chat.reset,
    "/save": Chat.save,
    "/help": Chat.help,
}


def _enable_line_editing() -> None:
    try:
        import readline  # noqa: F401 - importing it gives input() history and arrow keys
    except ImportError:
        return
