"""The version of the installed package."""

from __future__ import annotations

from importlib import metadata

UNKNOWN = "0+unknown"  # of a checkout that is imported without being installed


def package_version(package: str = "seminar") -> str:
    """Return the version of an installed package, or `UNKNOWN`."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return UNKNOWN
