"""Random secrets, of which only hashes are kept."""

from __future__ import annotations

import hashlib
import secrets


def new_secret() -> str:
    """256 random bits, as text for URLs, cookies and headers."""
    return secrets.token_urlsafe(32)


def hash_of(secret: str) -> bytes:
    """What the database keeps of a secret: it is random, so that a fast hash suffices."""
    return hashlib.sha256(secret.encode()).digest()
