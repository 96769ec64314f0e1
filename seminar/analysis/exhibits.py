"""What an analysis shows: tables and charts with the data they are made of, in sections."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pandas as pd

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Frame = pd.DataFrame


@dataclass(frozen=True)
class Table:
    """A table; `lacks` is the sentence that stands in its place where the data have none of it."""

    name: str
    title: str
    frame: Frame
    note: str = ""
    lacks: str = ""


@dataclass(frozen=True)
class Chart:
    """A figure with its data; `tips` are the words shown for the marks of the figure by their id.

    Where the data lack what it shows, `figure` is None and `lacks` is the sentence in its place.
    """

    name: str
    title: str
    frame: Frame
    figure: Figure | None = None
    note: str = ""
    lacks: str = ""
    tips: Mapping[str, str] = field(default_factory=dict)


Exhibit = Table | Chart


@dataclass(frozen=True)
class Section:
    """A part of a report; `errors` are the rows of an error browser."""

    title: str
    exhibits: tuple[Exhibit, ...] = ()
    text: str = ""
    errors: tuple[Mapping[str, Any], ...] = ()

    @property
    def shown(self) -> tuple[Exhibit, ...]:
        """The exhibits for which the data are there."""
        return tuple(one for one in self.exhibits if not one.lacks)


def missing_chart(name: str, title: str, lacks: str) -> Chart:
    """The chart that can't be drawn, with the sentence that says why."""
    return Chart(name, title, pd.DataFrame(), lacks=lacks)


def missing_table(name: str, title: str, lacks: str) -> Table:
    """The table that can't be filled, with the sentence that says why."""
    return Table(name, title, pd.DataFrame(), lacks=lacks)
