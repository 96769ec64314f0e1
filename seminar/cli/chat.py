"""`seminar chat`: a conversation with files, in the terminal."""

from __future__ import annotations

import functools
import io
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from seminar.answering.records import reply_record
from seminar.assistant import Assistant
from seminar.cli import options
from seminar.cli.opening import open_for_asking
from seminar.cli.printing import print_hits, print_questions, print_reply, printable
from seminar.config import Settings
from seminar.errors import SeminarError
from seminar.io import write_json_lines
from seminar.opening import Opened
from seminar.retrieval.scopes import children, find_scope, with_parents
from seminar.types import Dialogue, Turn

GREETING = "Ask a question. /help lists the commands, Ctrl-D ends."


@click.command("chat")
@options.paths
@options.scope
@functools.partial(options.settings, followups=True)
@options.debug
def command(paths: tuple[Path, ...], settings: Settings, *, scope: str | None) -> None:
    """Talk with files, folders or an index made by `seminar index`."""
    console = Console(highlight=False)
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # a byte that is no UTF-8 must not end the talk
    if scope is not None:
        settings = replace(settings, scope=scope)
    opened = open_for_asking(paths, settings, Console(stderr=True, highlight=False))
    Conversation(console, opened).run()


@dataclass
class Conversation:
    """The prompt and what it remembers: the dialogue, and how long each reply took."""

    console: Console
    opened: Opened
    dialogue: Dialogue = field(default_factory=Dialogue)
    seconds: list[float] = field(default_factory=list)

    @property
    def assistant(self) -> Assistant:
        return self.opened.assistant

    def run(self) -> None:
        """Read and answer until the input ends; Ctrl-C drops the line or the answer at hand."""
        self.console.print(f"[dim]{GREETING}[/dim]")
        while True:
            try:
                line = self._line()
                if not self.take(line):
                    return
            except EOFError:
                self.console.print()
                return
            except KeyboardInterrupt:
                self.console.print("\n[dim](stopped; Ctrl-D or /quit ends)[/dim]")
            except SeminarError as error:
                self.console.print(Text(str(error), style="red"))

    def _line(self) -> str:
        if sys.stdin.isatty():
            _enable_line_editing()
            return input("\n» ").strip()
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line.strip()

    def take(self, line: str) -> bool:
        """Answer a question or obey a /command; False when the conversation is over."""
        if not line:
            return True
        if line.startswith("/"):
            return self._obey(line)
        self._ask(self._suggested(line) or line)
        return True

    def _suggested(self, line: str) -> str | None:
        """The question of that number among those that were suggested last."""
        questions = self.dialogue.turns[-1].reply.followups if self.dialogue.turns else ()
        number = int(line) if line.isdecimal() and len(line) < 4 else 0
        return questions[number - 1] if 0 < number <= len(questions) else None

    def _ask(self, question: str) -> None:
        begun = time.perf_counter()
        [reply] = self.assistant.answer_alone([self.dialogue], [question])
        self.seconds.append(time.perf_counter() - begun)
        before, self.dialogue = self.dialogue, self.dialogue.add(Turn(question, reply))
        print_reply(self.console, reply, self.seconds[-1])
        # Trying questions takes longer than answering one, so the answer doesn't wait for them.
        [reply] = self.assistant.suggest([before], [reply])
        self.dialogue = before.add(Turn(question, reply))
        print_questions(self.console, reply)

    def _obey(self, line: str) -> bool:
        name, _, rest = line.partition(" ")
        if name in ("/quit", "/exit"):
            return False
        action = ACTIONS.get(name)
        if action is None:
            known = ", ".join([*ACTIONS, "/quit"])
            self.console.print(Text(f"unknown command {printable(name)}. Known: {known}", "red"))
        else:
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
        self.console.print(Text(f"{len(self.opened.sources)} sources", style="dim"))

    def scope(self, path: str) -> None:
        """ask only PATH from now on: a file, a folder, a channel, a thread; without PATH, all"""
        self.opened = self.opened.within(path)
        told = f"Asking {self.opened.settings.scope}." if path else "Asking everything."
        self.console.print(Text(printable(told), style="dim"))

    def scopes(self, path: str) -> None:
        """list what can be asked by itself, with its passages; below PATH if one is named"""
        known = with_parents(self.opened.store.scopes())
        inside = find_scope(path, known) if path else ""
        for one, passages in children(known, inside).items():
            self.console.print(Text(printable(f"{one}: {passages:,}")))

    def reset(self, _: str) -> None:
        """forget the conversation"""
        self.dialogue, self.seconds = Dialogue(), []
        self.console.print("[dim]A new conversation.[/dim]")

    def save(self, name: str) -> None:
        """write the conversation to FILE as JSON lines (default: conversation.jsonl)"""
        named = name or "conversation.jsonl"
        turns = zip(self.dialogue.turns, self.seconds, strict=True)
        records = [reply_record(turn.question, turn.reply, taken) for turn, taken in turns]
        try:
            file = Path(named).expanduser()
            if file.exists():
                raise SeminarError(f"{file} is there already; name another: /save FILE")
            write_json_lines(file, records)
        except (OSError, RuntimeError, ValueError) as error:  # no such home, a NUL in the name
            reason = error.strerror if isinstance(error, OSError) else error
            raise SeminarError(
                f"{printable(named)} can't be written ({reason}); name another: /save FILE"
            ) from None
        self.console.print(Text(f"{len(records)} turns in {file}", "dim"))

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
    "/reset": Conversation.reset,
    "/save": Conversation.save,
    "/help": Conversation.help,
}


def _enable_line_editing() -> None:
    try:
        import readline  # noqa: F401 - importing it gives input() history and arrow keys
    except ImportError:
        return
