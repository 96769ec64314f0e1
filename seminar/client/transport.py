"""httpx2, or the error that says how to install it."""

from __future__ import annotations

from typing import Any

from seminar.errors import ConfigurationError, MissingExtraError

try:
    import httpx2
except ModuleNotFoundError:
    raise MissingExtraError("the client of the service", "client") from None

__all__ = ["httpx2", "options"]


def options(url: str, token: str, timeout: float, connections: int) -> dict[str, Any]:
    """The options of a connection."""
    if not url.startswith(("http://", "https://")):
        raise ConfigurationError(f"'{url}' is no address of a service, as in http://127.0.0.1:8765")
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    limits = httpx2.Limits(max_connections=connections)
    address = url.rstrip("/")
    return {"base_url": address, "headers": headers, "timeout": timeout, "limits": limits}
