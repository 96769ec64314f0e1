"""Errors that the readers of Office files share: damaged files, and an extra that is missing."""

from __future__ import annotations

import sys
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from seminar.errors import IngestionError, MissingExtraError

EXTRA = "office"
# What the libraries raise at a package whose parts don't fit together. None of it is an error of
# ours to be found: the readers' own tests read whole files.
_DAMAGE = (
    ArithmeticError, AssertionError, AttributeError, EOFError, LookupError, NotImplementedError,
    SyntaxError, TypeError, ValueError, zipfile.BadZipFile, zlib.error,
)  # fmt: skip


# The libraries' own errors, which are there only if the library is.
_OWN = (
    ("docx.exceptions", "PythonDocxError"),
    ("docx.opc.exceptions", "OpcError"),
    ("openpyxl.utils.exceptions", "InvalidFileException"),
    ("pptx.exc", "PythonPptxError"),
)


def _errors() -> tuple[type[Exception], ...]:
    own = (getattr(sys.modules[module], name) for module, name in _OWN if module in sys.modules)
    return (*_DAMAGE, *own)


@contextmanager
def reading(kind: str) -> Iterator[None]:
    """Turn what a library raises at a damaged file into one line; say which extra is missing."""
    try:
        yield
    except ModuleNotFoundError:
        raise MissingExtraError(f"reading {kind} files", EXTRA) from None
    except _errors() as error:
        reason = " ".join(str(error).split())[:100]
        raise IngestionError(
            f"damaged: no whole {kind} ({type(error).__name__}: {reason})"
        ) from None
