"""The protocols by their names; a name with a dot is a module of one's own."""

from __future__ import annotations

import importlib

from seminar.collection.protocols import pragmaticqa, qaconv, quac, topiocqa
from seminar.collection.protocols.activity import ProtocolType
from seminar.errors import ConfigurationError, unknown

PROTOCOLS: dict[str, ProtocolType] = {
    one.PROTOCOL.name: one.PROTOCOL for one in (quac, topiocqa, pragmaticqa, qaconv)
}


def find_protocol(name: str) -> ProtocolType:
    """A protocol of Seminar, or the `PROTOCOL` of a module that can be imported."""
    if name in PROTOCOLS:
        return PROTOCOLS[name]
    if "." not in name:
        raise unknown("protocol", name, PROTOCOLS)
    try:
        found = getattr(importlib.import_module(name), "PROTOCOL", None)
    except ImportError as error:
        raise ConfigurationError(f"protocol '{name}' can't be imported: {error}") from error
    if not isinstance(found, ProtocolType):
        raise ConfigurationError(f"module '{name}' has no PROTOCOL, a ProtocolType")
    return found
