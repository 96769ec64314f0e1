"""Settings of an assistant: defaults, then a TOML file, then explicit arguments.

No other module reads the configuration file.
"""

from __future__ import annotations

import dataclasses
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_cache_path, user_state_path

from seminar.errors import ConfigurationError, unknown
from seminar.ingestion.read_options import LANGUAGES, ReadOptions
from seminar.models.encoders.registry import AUTO, ENCODERS
from seminar.models.llm.endpoint import check_url
from seminar.models.llm.local import check_model_file, is_model_file
from seminar.questions.registry import HISTORIES
from seminar.reading.iterative import DIVERSITY
from seminar.reading.readers import READERS

ANSWERS = ("one", "several", "quote")
GROUNDING = ("strict", "mark")
LEAST_CONTEXT = 1024  # tokens: less has no room for passages
LONGEST_PATIENCE = 86_400  # seconds: a day
KINDS = {str: "a word", bool: "true or false", int: "a number", float: "a number"}


@dataclass(frozen=True, slots=True)
class Settings:
    """How an assistant is assembled; the docs page of each stage gives the reasons for defaults."""

    encoder: str = "static"
    history: str = "auto"
    reader: str = "span"
    answers: str = "several"
    diversity: float = DIVERSITY
    hits: int = 10
    scope: str = ""
    threads: bool = True  # separate channels without threads into conversations
    ocr: str = ""  # languages in which the text of scanned pages is recognised
    threshold: float = 0.3
    pragmatic: bool = True
    followups: bool = False  # slow, since each is searched and read; `seminar chat` turns it on
    llm: str = ""  # a language model's endpoint or GGUF file; without it none is used
    model: str = ""
    patience: float = 60.0  # seconds to wait for a batch of prompts to the language model
    tokens: int = 1024  # limit for one output of the language model, its reasoning included
    context: int = 4096  # of the language model, in tokens, where its server does not tell
    llm_budget: int = 0  # tokens that the language model may read and write; 0 is no limit
    grounding: str = "strict"  # or "mark": what nothing bears out is shown, marked as such

    @property
    def reading(self) -> ReadOptions:
        """How files are read."""
        return ReadOptions(self.threads, self.ocr)


def load_settings(
    file: Path | None, defaults: Mapping[str, object] | None = None, **explicit: object
) -> Settings:
    """Read settings from a file; explicit arguments override it, except those that are None.

    `defaults` replace some of the defaults of `Settings`.
    """
    values = {**(defaults or {}), **(_read(file) if file else {})}
    values |= {key: value for key, value in explicit.items() if value is not None}
    return _checked(values, where=str(file) if file else "settings")


def home() -> Path:
    """The folder for automatically made indexes: `SEMINAR_HOME`, else the user's cache folder."""
    chosen = os.environ.get("SEMINAR_HOME")
    return Path(chosen).expanduser() if chosen else user_cache_path("seminar", appauthor=False)


def state_folder() -> Path:
    """The folder of what outlives a run: `SEMINAR_HOME`, else the user's state folder."""
    return home() if os.environ.get("SEMINAR_HOME") else user_state_path("seminar", appauthor=False)


def _read(file: Path) -> dict[str, object]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigurationError(f"{file}: can't be read ({error.strerror})") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{file}: not TOML ({error})") from error


def _checked(values: dict[str, object], where: str) -> Settings:
    defaults = {field.name: field.default for field in dataclasses.fields(Settings)}
    for key, value in values.items():
        if key not in defaults:
            raise unknown(f"setting in {where}:", key, defaults)
        if not fits_default(value, defaults[key]):
            kind = KINDS[type(defaults[key])]
            raise ConfigurationError(f"{where}: {key} = {value!r} is not {kind}")
    settings = Settings(**values)  # type: ignore[arg-type]
    if settings.history not in HISTORIES:
        raise unknown("history", settings.history, HISTORIES)
    encoders = (AUTO, *ENCODERS)
    if settings.encoder not in encoders and not Path(settings.encoder).is_dir():
        raise unknown("encoder", settings.encoder, encoders)
    if settings.reader not in READERS and not Path(settings.reader).is_dir():
        raise unknown("reader", settings.reader, READERS)
    if settings.answers not in ANSWERS:
        raise unknown("answers", settings.answers, ANSWERS)
    if settings.ocr and not LANGUAGES.fullmatch(settings.ocr):
        raise ConfigurationError(
            f"ocr = {settings.ocr!r} must be languages as Tesseract names them: eng, or deu+fra"
        )
    if settings.grounding not in GROUNDING:
        raise unknown("grounding", settings.grounding, GROUNDING)
    _check_numbers(settings)
    _check_language_model(settings)
    return settings


def _check_numbers(settings: Settings) -> None:
    """Raise an error for a number outside its range, nan included."""
    for name, share in (("diversity", settings.diversity), ("threshold", settings.threshold)):
        if not 0 <= share <= 1:
            raise ConfigurationError(f"{name} = {share} must be between 0 and 1")
    for name, count in (("hits", settings.hits), ("tokens", settings.tokens)):
        if count < 1:
            raise ConfigurationError(f"{name} = {count} must be at least 1")
    if settings.llm_budget < 0:
        raise ConfigurationError(f"llm_budget = {settings.llm_budget} must be at least 0")
    if settings.context < LEAST_CONTEXT:
        raise ConfigurationError(f"context = {settings.context} must be at least {LEAST_CONTEXT}")
    if not 0 < settings.patience <= LONGEST_PATIENCE:
        raise ConfigurationError(
            f"patience = {settings.patience} must be more than 0 seconds, "
            f"and {LONGEST_PATIENCE} (a day) at most"
        )


def _check_language_model(settings: Settings) -> None:
    if is_model_file(settings.llm):
        check_model_file(settings.llm)
    elif settings.llm:
        check_url(settings.llm)
        if not settings.model:
            listed = f"{check_url(settings.llm)}/models"
            raise ConfigurationError(
                f"name the language model that is to answer: --model NAME ({listed} lists them)"
            )
    elif settings.model:
        raise ConfigurationError(
            f"model '{settings.model}' needs the address of its endpoint: --llm URL"
        )


def fits_default(value: object, default: object) -> bool:
    """Whether a value has the type of a default; a whole number may replace any number.

    >>> fits_default(1, 0.5), fits_default(True, 1)
    (True, False)
    """
    if isinstance(value, bool) or isinstance(default, bool):
        return isinstance(value, bool) and isinstance(default, bool)
    return isinstance(value, (int, float) if isinstance(default, float) else type(default))
