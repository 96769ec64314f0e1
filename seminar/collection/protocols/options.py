"""What may be wrong with the values of a protocol's options, beyond their types."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

Options = Mapping[str, Any]


def beyond(options: Options, name: str, least: int, most: int) -> Iterator[str]:
    """The fault of a number that isn't within bounds."""
    if not least <= options[name] <= most:
        yield f"{name} is {options[name]}; it goes from {least} to {most}"


def unordered(options: Options, lesser: str, greater: str) -> Iterator[str]:
    """The fault of two numbers of which the first is larger."""
    if options[lesser] > options[greater]:
        yield f"{lesser} is {options[lesser]}, above {greater}, which is {options[greater]}"


def unknown_choice(options: Options, name: str, known: Collection[str]) -> Iterator[str]:
    """The fault of a value that isn't among the known ones."""
    if options[name] not in known:
        yield f"{name} is '{options[name]}'; known: {', '.join(sorted(known))}"
