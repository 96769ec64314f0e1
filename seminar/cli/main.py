"""The `seminar` command: each subcommand lives in a file of its own and is imported when used."""

from __future__ import annotations

import importlib
import sys
from dataclasses import dataclass

import click
from rich.text import Text

from seminar.cli import consoles
from seminar.errors import SeminarError
from seminar.version import package_version

COMMANDS = {
    "ask": "seminar.cli.ask",
    "chat": "seminar.cli.chat",
    "collect": "seminar.cli.collect",
    "evaluate": "seminar.cli.evaluate",
    "index": "seminar.cli.index",
    "score": "seminar.cli.score",
    "train": "seminar.cli.train",
}
CLOSED_PIPE = 141  # as of a program that SIGPIPE ended: 128 + 13


@dataclass
class Flags:
    """What the outermost error handler must know of the command line."""

    debug: bool = False


class Lazy(click.Group):
    """A group that imports a subcommand's module only when that subcommand is named."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(COMMANDS[cmd_name]).command
        if not isinstance(command, click.Command):
            raise TypeError(f"{COMMANDS[cmd_name]}.command is not a click command")
        return command

    def invoke(self, ctx: click.Context) -> object:
        """Run the subcommand; who closes the pipe that it prints to has read enough."""
        try:
            returned = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            consoles.drop_output()
            sys.exit(CLOSED_PIPE)
        return returned


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_version())
def main() -> None:
    """Ask your files in conversation: answers in their exact words, with the place they stand."""


def run(arguments: list[str] | None = None) -> None:
    """Run the command line; errors are one line on stderr, a traceback only with --debug."""
    flags = Flags()
    consoles.tolerate_any_text()
    try:
        main.main(args=arguments, prog_name="seminar", obj=flags, standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        sys.exit(2)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(130)
    except Exception as error:  # noqa: BLE001 - the last line of defence keeps tracebacks from users
        _fail(error, debug=flags.debug)


def _fail(error: Exception, *, debug: bool) -> None:
    if debug:
        raise error
    told, code = explained(error)
    console = consoles.errors()
    console.print(Text(f"seminar: {consoles.printable(told)}", style="red"), soft_wrap=True)
    sys.exit(code)


def explained(error: Exception) -> tuple[str, int]:
    """What an error says in one line and its exit code: 2 where the user can mend it."""
    if isinstance(error, SeminarError):
        return str(error), 2
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}", 2
    told = f"unexpected {type(error).__name__}: {error}. Run again with --debug to see where."
    return told, 1


if __name__ == "__main__":
    run()
