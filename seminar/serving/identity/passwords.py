"""Passwords: argon2id by argon2-cffi, with bounds on length, memory and time."""

from __future__ import annotations

from threading import BoundedSemaphore

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError

from seminar.serving.identity.secret import new_secret
from seminar.serving.problems import Problem
from seminar.serving.settings import ServiceSettings

SHORTEST, LONGEST = 8, 256  # characters
HASHED_AT_ONCE = 4  # each takes `password_memory`


class Passwords:
    """Hashes and verifies passwords; a bounded number at the same time."""

    def __init__(self, settings: ServiceSettings) -> None:
        self._hasher = PasswordHasher(
            time_cost=settings.password_rounds, memory_cost=settings.password_memory
        )
        self._turns = BoundedSemaphore(HASHED_AT_ONCE)
        self._nobody = self._hasher.hash(new_secret())

    def hash(self, password: str) -> str:
        """The hash of a new password; too short or too long is a problem."""
        if not SHORTEST <= len(password) <= LONGEST:
            raise Problem(
                422, f"A password has {SHORTEST} to {LONGEST} characters, not {len(password)}."
            )
        with self._turns:
            return self._hasher.hash(password)

    def fits(self, stored: str | None, password: str) -> bool:
        """Whether a password has this hash; without one it takes as long, and is wrong."""
        if len(password) > LONGEST:
            return False
        with self._turns:
            try:
                self._hasher.verify(stored or self._nobody, password)
            except VerificationError:
                return False
        return stored is not None

    def is_outdated(self, stored: str) -> bool:
        """Whether a hash was made with other parameters than today's."""
        return self._hasher.check_needs_rehash(stored)
