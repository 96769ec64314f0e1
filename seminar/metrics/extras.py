"""The optional packages that some scorers need."""

from __future__ import annotations

import importlib
from types import ModuleType

from seminar.errors import MissingExtraError


def require(module: str) -> ModuleType:
    """An optional module, or the error that says how to install it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingExtraError(f"this scorer ({module})", "evaluate") from error
