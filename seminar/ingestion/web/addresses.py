"""Addresses of web pages: their canonical form, the site around one, and public IP addresses."""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import quote, urljoin, urlsplit, urlunsplit

from seminar.errors import IngestionError

LONGEST = 2_000  # characters
_SCHEMES = {"http": 80, "https": 443}
_BEGINNING = re.compile(r"https?://", re.IGNORECASE)
_KEPT = "/%:=&?~#+!$,;'@()*[]-._"
_NOT_PUBLIC = (ip_network("64:ff9b::/96"), ip_network("64:ff9b:1::/48"))  # translated to IPv4


def is_address(text: str) -> bool:
    """Whether a text is meant as the address of a web page.

    >>> is_address("https://example.org/docs"), is_address("docs/a.md")
    (True, False)
    """
    return _BEGINNING.match(text) is not None


def canonical(address: str) -> str:
    """An address in one form, without its fragment; raises IngestionError where it is none.

    >>> canonical("HTTPS://Example.org:443#top")
    'https://example.org/'
    """
    try:
        parts = urlsplit(address.strip())
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise IngestionError(f"{address[:LONGEST]}: no web address ({error})") from None
    if parts.scheme not in _SCHEMES or not host or len(address) > LONGEST:
        raise IngestionError(f"{address[:LONGEST]}: no web address: expected https://HOST/PATH")
    if parts.username or parts.password:
        raise IngestionError(f"{host}: an address with a user name or password is not fetched")
    try:
        host = host.encode("idna").decode() if not host.isascii() else host
    except UnicodeError:
        raise IngestionError(f"{address[:LONGEST]}: no name of a host: {host}") from None
    shown = f"[{host}]" if ":" in host else host
    if port is not None and port != _SCHEMES[parts.scheme]:
        shown += f":{port}"
    path = quote(parts.path, safe=_KEPT) or "/"
    return urlunsplit((parts.scheme, shown, path, quote(parts.query, safe=_KEPT), ""))


def linked(href: str, page: str) -> str:
    """The canonical address that a link on a page leads to; empty where it is no web page."""
    try:
        return canonical(urljoin(page, href.strip()))
    except (IngestionError, ValueError):
        return ""


def folder_of(address: str) -> str:
    """The beginning that all pages under the same path share.

    >>> folder_of("https://example.org/docs/start.html?x=1")
    'https://example.org/docs/'
    """
    return urlsplit(address)._replace(query="").geturl().rpartition("/")[0] + "/"


def is_public(host: str) -> bool:
    """Whether an IP address belongs to the internet, not to this machine or a private network.

    >>> is_public("93.184.216.34"), is_public("127.0.0.1"), is_public("::ffff:10.0.0.1")
    (True, False, False)
    """
    address: IPv4Address | IPv6Address = ip_address(host.partition("%")[0])
    if isinstance(address, IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo or (None, None))[1]
        if inner is not None:
            return is_public(str(inner))
        if any(address in network for network in _NOT_PUBLIC):
            return False
    return address.is_global and not address.is_multicast
