"""The commands of a chat, as in `/scope halls`; each takes the chat and the rest of the line."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from seminar.cli.consoles import counted, printable
from seminar.cli.paging import print_paged
from seminar.cli.printing import print_hits
from seminar.cli.show import print_place
from seminar.dialogue_exports import EXPORTS, Export
from seminar.dialogue_files import unwritable
from seminar.errors import SeminarError
from seminar.io import write_atomic
from seminar.types import Span

if TYPE_CHECKING:
    from seminar.cli.chat import Chat

Command = Callable[["Chat", str], None]


def why(chat: Chat, _: str) -> None:
    """show what was searched and found for the last question"""
    turns = chat.session.dialogue.turns
    if turns:
        print_paged(chat.console, partial(print_hits, chat.console, turns[-1].reply))
    else:
        chat.note("Nothing was asked yet.")


def show(chat: Chat, number: str) -> None:
    """show place N of the last answer with the text around it; also a citation as choir.md:13"""
    span = _cited(chat, number)
    print_paged(
        chat.console,
        partial(print_place, chat.console, chat.session, span, linked=chat.linked),
    )


def open_place(chat: Chat, number: str) -> None:
    """open place N of the last answer: text in EDITOR at its line, documents in their program"""
    from seminar.cli.viewers import open_location

    span = _cited(chat, number)
    if not open_location(chat.session.locate(span)):
        chat.note("Set EDITOR to open text in an editor.")
        print_place(chat.console, chat.session, span, linked=chat.linked)


def _cited(chat: Chat, number: str) -> Span:
    """The span of a number, of the first place without one, or of a citation."""
    spans = chat.places.spans
    if number and not number.isdecimal():
        return chat.session.find(number)
    if not spans:
        raise SeminarError("the last answer cites no place; name one, as in /show choir.md:13")
    at = int(number[:4] or 1)
    if not 0 < at <= len(spans):
        known = "1" if len(spans) == 1 else f"1–{len(spans)}"
        raise SeminarError(f"There is no place {at} ({known})")
    return spans[at - 1]


def sources(chat: Chat, _: str) -> None:
    """list the files that are asked"""
    names = chat.session.sources

    def render() -> None:
        for source in names:
            chat.console.print(Text(printable(source)))
        chat.note(counted(len(names), "source"))

    print_paged(chat.console, render)


def scope(chat: Chat, path: str) -> None:
    """ask only PATH from now on: a file, a folder, a channel, a thread; without PATH, all"""
    chat.session.set_scope(path)
    chat.note(f"Asking {chat.session.scope}." if path else "Asking everything.")


def scopes(chat: Chat, path: str) -> None:
    """list the parts that /scope takes, with their passages; below PATH if one is named"""
    parts = chat.session.scopes(path)

    def render() -> None:
        for part, passages in parts.items():
            chat.console.print(Text(printable(f"{part}: {passages:,}")))

    print_paged(chat.console, render)


def reload(chat: Chat, _: str) -> None:
    """read new, changed and deleted files; the conversation goes on"""
    chat.session.opened = chat.reopen(chat.session.opened.settings)
    chat.note(f"Up to date: {counted(len(chat.session.sources), 'source')}.")


def reset(chat: Chat, _: str) -> None:
    """begin a new conversation"""
    chat.session.reset()
    chat.forget_places()
    chat.note("A new conversation.")


def save(chat: Chat, name: str) -> None:
    """write this and every further turn to FILE, JSON lines (default: conversation.jsonl)"""
    file = name or "conversation.jsonl"
    chat.session.save(file)
    chat.note(f"{counted(len(chat.session.records), 'turn')} in {file}")


def export(chat: Chat, name: str) -> None:
    """write the conversation so far to FILE.md, FILE.html or FILE.json, to read or to share"""
    kinds = {f".{one.suffix}": one for one in EXPORTS.values()}
    kind = kinds.get(Path(name).suffix.lower())
    if kind is None:
        raise SeminarError("name a file that ends in .md, .html or .json, as in /export talk.html")
    _write_new(name, kind, chat.session.export())
    chat.note(f"{counted(len(chat.session.records), 'turn')} in {name}")


def _write_new(name: str, kind: Export, record: dict[str, object]) -> None:
    try:
        path = Path(name).expanduser().resolve()
        if path.exists():
            raise SeminarError(f"{name} exists already; export under another name")
        write_atomic(path, kind.write(record).encode("utf-8", "replace"))
    except (OSError, RuntimeError, ValueError) as error:  # no such home, a NUL in the name
        reason = error.strerror if isinstance(error, OSError) else error
        raise unwritable(name, reason) from None


def list_commands(chat: Chat, _: str) -> None:
    """show this list"""
    for name, command in COMMANDS.items():
        chat.console.print(Text(f"{name:10}{command.__doc__}"))
    chat.console.print(Text(f"{'/quit':10}end the conversation"))


COMMANDS: dict[str, Command] = {
    "/show": show,
    "/open": open_place,
    "/why": why,
    "/sources": sources,
    "/scope": scope,
    "/scopes": scopes,
    "/reload": reload,
    "/reset": reset,
    "/save": save,
    "/export": export,
    "/help": list_commands,
}
