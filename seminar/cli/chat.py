"""`seminar chat`: a conversation with files, in the terminal."""

from __future__ import annotations

import functools
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from seminar.assembly import Opened
from seminar.cli import consoles, options
from seminar.cli.chat_commands import COMMANDS
from seminar.cli.consoles import counted, printable
from seminar.cli.main import explained
from seminar.cli.opening import open_for_asking
from seminar.cli.places import Places, choose_links
from seminar.cli.printing import print_asked, print_notes, print_questions, print_reply
from seminar.cli.prose import draft, print_written
from seminar.dialogue_files import read_turns
from seminar.errors import unknown
from seminar.index_url import Place
from seminar.ingestion.selection import Selection
from seminar.models.encoders.registry import AUTO
from seminar.retrieval.scopes import with_parents
from seminar.session import Session
from seminar.settings import Settings
from seminar.types import Reply

GREETING = "Ask a question. /help lists the commands, Ctrl-D ends."


@click.command("chat")
@options.places
@click.option(
    "--resume",
    type=click.Path(path_type=Path),
    help="Continue a conversation that /save wrote.",
)
@options.scope
@options.links
@options.selection
@options.forget
@functools.partial(options.settings, encoder=AUTO, followups=True)
@options.debug
def command(
    paths: tuple[Place, ...],
    settings: Settings,
    *,
    resume: Path | None,
    scope: str | None,
    links: bool | None,
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
    console = consoles.output()
    chat = Chat(
        console,
        errors,
        session,
        reopen=reopen,
        debug=options.debugging(),
        linked=choose_links(console, links),
    )
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
    linked: bool = False
    places: Places = field(default_factory=Places)  # of the last reply

    def resume(self, file: Path) -> None:
        """Continue a saved conversation, and name the questions that lost their quotations."""
        lost = self.session.resume(file)
        turns = counted(len(self.session.dialogue.turns), "turn")
        self.note(f"Going on after {turns} of {file}.")
        for question in lost:
            warning = f"“{question}”: words of its answer are no longer in these files"
            self.errors.print(Text(printable(warning), style="yellow"))

    def run(self) -> None:
        """Read and answer lines until the input ends; Ctrl-C drops the current line or answer."""
        self.note(GREETING)
        read_line = self._line_reader()
        while True:
            try:
                if not self.handle(read_line()):
                    return
            except EOFError:
                self.console.print()
                return
            except KeyboardInterrupt:
                self.console.print("\n[dim](stopped; Ctrl-D or /quit ends)[/dim]")

    def _line_reader(self) -> Callable[[], str]:
        if not sys.stdin.isatty():
            return _read_piped_line
        from seminar.cli.completion import ChatCompleter, Choices
        from seminar.cli.prompt import typed_lines

        choices = Choices(
            commands=[*COMMANDS, "/quit"],
            scopes=lambda: with_parents(self.session.opened.index.scopes()),
            sources=lambda: self.session.sources,
            numbers=lambda: map(str, range(1, len(self.places.spans) + 1)),
        )
        return typed_lines(ChatCompleter(choices))

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
        self.forget_places()
        print_reply(self.console, reply, self.session.seconds, self.places)
        if self.session.writes:
            self._write(reply)
        print_questions(self.console, self.session.suggest())

    def _write(self, quick: Reply) -> None:
        with draft(self.console) as listen:
            written = self.session.write(listen)
        print_written(self.console, quick, written, self.places)
        print_notes(self.console, replace(written, notes=written.notes[len(quick.notes) :]))

    def _run_command(self, line: str) -> bool:
        name, _, argument = line.partition(" ")
        if name in ("/quit", "/exit"):
            return False
        command = COMMANDS.get(name)
        if command is None:
            raise unknown("command", name, [*COMMANDS, "/quit"])
        command(self, argument.strip())
        return True

    def forget_places(self) -> None:
        """Begin to number places again."""
        self.places = Places(self.session.locate, linked=self.linked, numbered=True)

    def note(self, message: str) -> None:
        self.console.print(Text(printable(message), style="dim"))


def _read_piped_line() -> str:
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.strip()
