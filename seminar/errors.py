"""Every error that Seminar raises on purpose.

SeminarError                 any error the user can fix; shown as one line, exit code 2
├── IngestionError           a file that can't be read: names the file and the reason
│   └── UnreadableError      a file that can't be read at present: its permissions, its disk
├── IndexStoreError          an index that can't be opened, has another encoder, or is damaged
│   ├── IndexBusyError       an index that another process is writing
│   └── IndexDamagedError    an index whose files are not as they were written
├── ConfigurationError       an unknown option, key or name
├── DatasetError             a record that isn't what its dataset promises
├── ScoringError             predictions and references that don't fit
├── EndpointError            a language model that can't be reached, or gives nothing usable
├── MissingExtraError        an optional part that isn't installed: prints the pip line
└── MissingWeightsError      a model whose weights aren't installed: prints the pip line
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence


class SeminarError(Exception):
    """Any error the user can fix; the message says what, which value, where and what to do next."""


class IngestionError(SeminarError):
    """A file that can't be read."""


class UnreadableError(IngestionError):
    """A file that can't be read at present, whatever it holds."""


class IndexStoreError(SeminarError):
    """An index that can't be opened or written."""


class IndexBusyError(IndexStoreError):
    """An index that another process is writing."""


class IndexDamagedError(IndexStoreError):
    """An index whose files are not as they were written; `seminar doctor` repairs it."""


class ConfigurationError(SeminarError):
    """A choice that doesn't exist."""


class DatasetError(SeminarError):
    """A record that isn't what its dataset promises."""


class ScoringError(SeminarError):
    """Predictions and references that don't fit together."""


class EndpointError(SeminarError):
    """A language model that can't be reached, or whose output can't be used.

    `outputs` has the outputs that did arrive, and None for each that did not.
    """

    def __init__(self, message: str, outputs: Sequence[str | None] = ()) -> None:
        super().__init__(message)
        self.outputs = tuple(outputs)


class MissingExtraError(SeminarError):
    """An optional part that isn't installed."""

    def __init__(self, activity: str, extra: str) -> None:
        super().__init__(f"{activity} needs more packages: pip install 'seminar[{extra}]'")


class MissingWeightsError(SeminarError):
    """A model whose weights aren't installed."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"the weights of '{name}' are not installed: "
            "pip install seminar-weights seminar-weights-reader"
        )


def unknown(kind: str, name: str, known: Iterable[str]) -> ConfigurationError:
    """The error for a name that isn't among the known ones, with the nearest one suggested.

    >>> print(unknown("encoder", "statc", ["static", "minilm"]))
    unknown encoder 'statc'. Did you mean 'static'? Known: minilm, static
    """
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=1)
    hint = f" Did you mean '{near[0]}'?" if near else ""
    return ConfigurationError(f"unknown {kind} '{name}'.{hint} Known: {', '.join(names)}")
