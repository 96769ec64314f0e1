"""Which Host headers are answered, and which requests another site's page may have caused.

A page of any site can send requests to a port of this machine. It cannot choose their Host header
other than by a name that it controls (DNS rebinding), and its browser tells where it comes from.
"""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import ip_address
from urllib.parse import urlsplit

from seminar.serving.settings import ServiceSettings

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
OWN_SITES = frozenset({"same-origin", "none"})  # "none": typed or a bookmark


def host_name(host: str) -> str:
    """The name of a Host header, without its port."""
    try:
        return (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return ""


def is_known_host(host: str, settings: ServiceSettings) -> bool:
    """Whether a Host header names this service.

    Those are loopback, the names of the settings, and any IP address: no name was resolved for it.
    """
    name = host_name(host)
    try:
        ip_address(name)
    except ValueError:
        known = {"localhost", urlsplit(settings.address).hostname, *settings.hosts}
        return bool(name) and (name in known or name.endswith(".localhost"))
    return True


def is_from_elsewhere(
    method: str, headers: Mapping[str, str], scheme: str, settings: ServiceSettings
) -> bool:
    """Whether a page of another origin caused a request that changes something.

    Browsers send Sec-Fetch-Site, and Origin with everything but GET; a request without both was
    made by a program, which acts with its own rights.
    """
    if method in SAFE_METHODS:
        return False
    origin = headers.get("origin")
    own = f"{scheme}://{headers.get('host', '')}"
    if origin is not None and origin in {own, settings.address.rstrip("/")}:
        return False
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site not in OWN_SITES
    return origin is not None
