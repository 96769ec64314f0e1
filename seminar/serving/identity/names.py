"""Names of accounts, groups and tokens, as people type them."""

from __future__ import annotations

import unicodedata

from seminar.serving.problems import Problem
from seminar.serving.storage.schema import NAME_LENGTH


def checked_name(name: str) -> str:
    """The name in Unicode's composed form; empty, long or with invisible characters is a problem.

    >>> checked_name("  Zoe\\u0301 ")
    'Zoé'
    """
    name = unicodedata.normalize("NFKC", name).strip()
    if not 1 <= len(name) <= NAME_LENGTH:
        raise Problem(422, f"A name has 1 to {NAME_LENGTH} characters, not {len(name)}.")
    # Control and format characters hide or reorder what people read.
    odd = next((char for char in name if unicodedata.category(char).startswith("C")), None)
    if odd is not None:
        raise Problem(422, f"A name may not contain the character U+{ord(odd):04X}.")
    return name
