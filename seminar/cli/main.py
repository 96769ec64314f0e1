"""The `seminar` command: each subcommand has a module of its own, imported when it is used."""

from __future__ import annotations

import importlib
import io
import sys
from dataclasses import dataclass

import click
from rich.text import Text

from seminar.cli import consoles
from seminar.errors import SeminarError
from seminar.version import package_version

# The sections of `seminar --help`, each with its commands in the order shown.
SECTIONS = {
    "Commands": {
        "chat": "seminar.cli.chat",
        "ask": "seminar.cli.ask",
        "show": "seminar.cli.show",
        "index": "seminar.cli.index",
        "watch": "seminar.cli.watch",
        "serve": "seminar.cli.serve",
        "mcp": "seminar.cli.mcp",
        "doctor": "seminar.cli.doctor",
    },
    "For researchers": {
        "evaluate": "seminar.cli.evaluate",
        "score": "seminar.cli.score",
        "analyze": "seminar.cli.analyze",
        "train": "seminar.cli.train",
        "collect": "seminar.cli.collect",
    },
}
COMMANDS = {name: module for commands in SECTIONS.values() for name, module in commands.items()}
CLOSED_PIPE = 141  # as of a program that SIGPIPE ended: 128 + 13


@dataclass
class Flags:
    """Options that the outermost error handler needs."""

    debug: bool = False


class LazyGroup(click.Group):
    """A group that imports a subcommand's module only when that subcommand is named."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(COMMANDS[cmd_name]).command
        if not isinstance(command, click.Command):
            raise TypeError(f"{COMMANDS[cmd_name]}.command is not a click command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands by section."""
        width = formatter.width - max(map(len, COMMANDS))
        for section, names in SECTIONS.items():
            commands = {name: self.get_command(ctx, name) for name in names}
            rows = [(name, one.get_short_help_str(width)) for name, one in commands.items() if one]
            with formatter.section(section):
                formatter.write_dl(rows)

    def invoke(self, ctx: click.Context) -> object:
        """Run the subcommand; a reader that closes the pipe early is not an error."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            consoles.drop_output()
            sys.exit(CLOSED_PIPE)
        return result


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="To begin: seminar chat FOLDER",
)
@click.version_option(package_version())
def main() -> None:
    """Ask your files in conversation. Answers are quoted from them, with the place of each."""


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
        _show(error)
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(130)
    except Exception as error:  # noqa: BLE001 - the last handler keeps tracebacks from users
        _fail(error, debug=flags.debug)


def _show(error: click.ClickException) -> None:
    """Print an error of the command line; it may repeat the name of a file."""
    shown = io.StringIO()
    error.show(file=shown)
    print(consoles.printable_lines(shown.getvalue()), end="", file=sys.stderr)


def _fail(error: Exception, *, debug: bool) -> None:
    if debug:
        raise error
    message, code = explained(error)
    console = consoles.errors()
    console.print(Text(f"seminar: {consoles.printable(message)}", style="red"), soft_wrap=True)
    sys.exit(code)


def explained(error: Exception) -> tuple[str, int]:
    """Return an error's message in one line and its exit code: 2 for any the user can fix."""
    if isinstance(error, SeminarError):
        return str(error), 2
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}", 2
    kind = type(error).__name__
    return f"unexpected {kind}: {error}. Run again with --debug to see where.", 1


if __name__ == "__main__":
    run()
