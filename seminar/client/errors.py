"""Errors of the client: the service refused a request, or can't be reached."""

from __future__ import annotations

from seminar.errors import SeminarError


class ServiceError(SeminarError):
    """A request that the service refused; `status` is that of HTTP, the message says what to do."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class UnreachableError(SeminarError):
    """A service that can't be reached, or that hung up."""
