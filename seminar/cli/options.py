"""Options that several commands share, with one name and one help text."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from seminar.cli.main import Flags
from seminar.cli.pages import PlaceType, paths_or_index, paths_or_pages
from seminar.cluster import RUNNING
from seminar.ingestion.selection import Selection
from seminar.settings import Settings, load_settings

Command = TypeVar("Command", bound=Callable[..., Any])

# Settings that have an option.
CHOSEN = (
    "encoder", "history", "reader", "answers", "diversity", "threshold", "pragmatic", "followups",
    "threads", "ocr", "llm", "llm_budget", "model", "grounding",
)  # fmt: skip


def _remember_debug(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    flags = ctx.find_object(Flags)
    if flags and value:
        flags.debug = True


paths = paths_or_pages
places = paths_or_index
PLACE = PlaceType()


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
        help="Ask only a part of the files: a file, a folder, a channel or a thread "
        "(/scopes in chat lists them).",
    )(command)


def forget(command: Command) -> Command:
    return click.option(
        "--forget",
        is_flag=True,
        help="Forget every file that is gone, also if they are more than a fifth of all: without "
        "it they still answer, since their folder may only be missing for now.",
    )(command)


def ray(help_text: str) -> Callable[[Command], Command]:
    """Add --ray, which takes the address of a cluster or stands alone."""
    return click.option(
        "--ray", is_flag=False, flag_value=RUNNING, metavar="[HOST:PORT]", help=help_text
    )


def links(command: Command) -> Command:
    return click.option(
        "--links/--no-links",
        default=None,
        help="Print places as hyperlinks, which a click opens; by default in the terminals that "
        "are known to show them.",
    )(command)


def selection(command: Command) -> Command:
    """Add --include and --exclude, and pass them to the command as one `selection` argument."""

    @functools.wraps(command)
    def with_selection(
        *args: object, include: tuple[str, ...], exclude: tuple[str, ...], **kwargs: object
    ) -> object:
        return command(*args, selection=Selection(include, exclude), **kwargs)

    decorated: Callable[..., object] = with_selection
    for name, text in (
        (
            "--exclude",
            "Leave out the files and folders of the given folders that match a pattern as in "
            ".gitignore; may be repeated.",
        ),
        (
            "--include",
            "Of the given folders read only files that match a pattern as in .gitignore, code and "
            "settings among them; may be repeated.",
        ),
    ):
        decorated = click.option(name, multiple=True, metavar="GLOB", help=text)(decorated)
    return decorated  # type: ignore[return-value]


def encoder(command: Command) -> Command:
    return click.option(
        "--encoder",
        metavar="NAME",
        help="What finds passages by meaning: minilm (more accurate, indexes slowly), static "
        "(indexes fast), or a folder with model.onnx and tokenizer.json. By default chat, ask and "
        "index take minilm for small collections and static for large ones.",
    )(command)


def threads(command: Command) -> Command:
    return click.option(
        "--threads/--no-threads",
        default=None,
        help="Separate the conversations of a channel that has no threads (the default), or, "
        "where they come out wrong, take each day as one.",
    )(command)


def ocr(command: Command) -> Command:
    return click.option(
        "--ocr",
        metavar="LANGUAGES",
        help="Recognise the text of scanned PDF pages in these languages, as in eng or deu+fra; "
        "takes seconds a page and needs the program tesseract.",
    )(command)


# The options of `Settings`, in the order in which --help lists them.
SETTING_OPTIONS: tuple[Callable[[Command], Command], ...] = (
    click.option(
        "--answers",
        metavar="WORD",
        help="several (the default) shows further answers where a question can be read in several "
        "ways; one shows only the most probable; quote shows exact words alone where a language "
        "model writes.",
    ),
    click.option(
        "--diversity",
        type=click.FloatRange(0, 1),
        help="How much less probable than the first a further answer may be "
        f"(default {Settings().diversity}); raise it to see more of them, lower it to see fewer.",
    ),
    click.option(
        "--threshold",
        type=click.FloatRange(0, 1),
        help=f"How probable an answer must be to be shown (default {Settings().threshold}); raise "
        "it for fewer wrong answers, lower it for fewer questions without an answer.",
    ),
    click.option(
        "--pragmatic/--no-pragmatic",
        default=None,
        help="Show below the answer what you may want to know next (the default), or leave it out "
        "to see the answer only.",
    ),
    click.option(
        "--followups/--no-followups",
        default=None,
        help="Suggest questions to ask next that are answered here; on by default in chat only, "
        "since each is tried first and takes time.",
    ),
    click.option(
        "--history",
        metavar="WORD",
        help="What of the conversation is searched with a question: auto (the default: what "
        "helps), original (nothing), all (every turn) or rewrite (what completes the question); "
        "try another where follow-up questions are misunderstood.",
    ),
    click.option(
        "--reader",
        metavar="NAME",
        help="What finds the answer in a passage: span (the default, exact words), sentence "
        "(whole sentences, lighter), or a folder with model.onnx, tokenizer.json and "
        "calibration.json.",
    ),
    encoder,
    threads,
    ocr,
    click.option(
        "--llm",
        metavar="URL|FILE",
        help="Let a language model write the answer, checked sentence by sentence: the address of "
        "an OpenAI-compatible endpoint, as in http://localhost:8080/v1, or a .gguf file. The key "
        "comes from SEMINAR_LLM_KEY.",
    ),
    click.option("--model", metavar="NAME", help="The model that the --llm endpoint is to use."),
    click.option(
        "--llm-budget",
        type=click.IntRange(0),
        metavar="TOKENS",
        help="The most tokens that the language model may read and write in this run; after that "
        "answers are found without it (0, the default, is no limit).",
    ),
    click.option(
        "--grounding",
        metavar="WORD",
        help="What becomes of a language model's sentences that no file bears out: strict (the "
        "default) leaves them out, mark shows them marked.",
    ),
    click.option(
        "--config",
        type=click.Path(path_type=Path),
        help="Read these options from a TOML file, to use them again.",
    ),
)


def settings(command: Command, **usual: object) -> Command:
    """Add the options of `Settings`, and pass them to the command as one `settings` argument.

    `usual` are the command's own defaults.
    """

    @functools.wraps(command)
    def with_settings(*args: object, config: Path | None, **kwargs: object) -> object:
        chosen = {name: kwargs.pop(name) for name in CHOSEN}
        return command(*args, settings=load_settings(config, usual, **chosen), **kwargs)

    decorated: Callable[..., object] = with_settings
    for option in reversed(SETTING_OPTIONS):  # the last decorator is listed first
        decorated = option(decorated)
    return decorated  # type: ignore[return-value]
