"""Options that several commands share, with one spelling and one help text."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from seminar.cli.main import Flags
from seminar.settings import Settings, load_settings

Command = TypeVar("Command", bound=Callable[..., Any])

# Settings with an option.
CHOSEN = (
    "encoder", "history", "reader", "answers", "diversity", "threshold", "pragmatic", "followups",
    "threads", "llm", "model",
)  # fmt: skip


def _remember_debug(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    flags = ctx.find_object(Flags)
    if flags and value:
        flags.debug = True


def paths(command: Command) -> Command:
    return click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))(
        command
    )


def debug(command: Command) -> Command:
    return click.option(
        "--debug",
        is_flag=True,
        expose_value=False,
        callback=_remember_debug,
        help="Show the traceback of an error.",
    )(command)


def debugging() -> bool:
    """Whether the running command was given --debug."""
    flags = click.get_current_context().find_object(Flags)
    return flags is not None and flags.debug


def chosen(name: str) -> bool:
    """Whether the running command was given that option, rather than its default."""
    source = click.get_current_context().get_parameter_source(name)
    return source is ParameterSource.COMMANDLINE


def scope(command: Command) -> Command:
    return click.option(
        "--scope",
        metavar="PATH",
        help="Ask only a part: a file, a folder, a channel, a thread (/scopes in chat lists them).",
    )(command)


def encoder(command: Command) -> Command:
    return click.option(
        "--encoder",
        metavar="NAME",
        help="How passages become vectors: static (quick), minilm (better, slow to index), "
        "or a folder that holds model.onnx and tokenizer.json.",
    )(command)


def threads(command: Command) -> Command:
    return click.option(
        "--threads/--no-threads",
        default=None,
        help="Tell apart the conversations of a channel that has no threads (default: yes); "
        "else its messages make one conversation a day.",
    )(command)


def settings(command: Command, **usual: object) -> Command:
    """The options that make up `Settings`, given to the command as one `settings` argument.

    `usual` are the command's own defaults.
    """

    @functools.wraps(command)
    def gathered(*args: object, config: Path | None, **kwargs: object) -> object:
        chosen = {name: kwargs.pop(name) for name in CHOSEN}
        return command(*args, settings=load_settings(config, usual, **chosen), **kwargs)

    for option in (
        click.option("--config", type=click.Path(path_type=Path), help="A TOML file of settings."),
        encoder,
        threads,
        click.option(
            "--history",
            metavar="WORD",
            help="What is searched with a question: auto (the dialogue where it helps), "
            "original (itself), all (every turn with it), or rewrite (made to stand alone).",
        ),
        click.option(
            "--reader",
            metavar="NAME",
            help="What finds the answer: sentence (light), span (trained), or a folder that holds "
            "model.onnx, tokenizer.json and calibration.json.",
        ),
        click.option(
            "--answers",
            metavar="WORD",
            help="one, or several where the question can be read in several ways (default).",
        ),
        click.option(
            "--diversity",
            type=click.FloatRange(0, 1),
            help="How much less probable than the first a further answer may be "
            f"(default {Settings().diversity}).",
        ),
        click.option(
            "--threshold",
            type=click.FloatRange(0, 1),
            help=f"Least probability of an answer that is told (default {Settings().threshold}).",
        ),
        click.option(
            "--pragmatic/--no-pragmatic",
            default=None,
            help="Add what you may want to know next, apart from the answer (default: yes).",
        ),
        click.option(
            "--followups/--no-followups",
            default=None,
            help="Suggest questions, each tried before it is shown (default: only in chat).",
        ),
        click.option(
            "--llm",
            metavar="URL",
            help="Let a language model rewrite and read: the address of an OpenAI-compatible "
            "endpoint, as in http://localhost:8080/v1. The key comes from SEMINAR_LLM_KEY.",
        ),
        click.option("--model", metavar="NAME", help="The endpoint's name of its model."),
    ):
        gathered = option(gathered)
    return gathered  # type: ignore[return-value]
