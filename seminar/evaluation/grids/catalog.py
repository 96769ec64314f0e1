"""The papers' tables as grids, by name."""

from __future__ import annotations

from seminar.errors import unknown
from seminar.evaluation.grids import ambigprompt, pragmaticqa, qaconv, quac, topiocqa
from seminar.evaluation.grids.grid import Grid

GRIDS: dict[str, Grid] = {
    "topiocqa-table5": topiocqa.TABLE_5,
    "pragmaticqa-table4": pragmaticqa.TABLE_4,
    "ambigprompt-table2": ambigprompt.TABLE_2,
    "ambigprompt-table3": ambigprompt.TABLE_3,
    "ambigprompt-table5": ambigprompt.TABLE_5,
    "quac-table4": quac.TABLE_4,
    "qaconv-table6": qaconv.TABLE_6,
    "qaconv-table7": qaconv.TABLE_7,
    "qaconv-table9": qaconv.TABLE_9,
}


def find_grid(name: str) -> Grid:
    """The grid of a name, or the error that lists those there are."""
    if name not in GRIDS:
        raise unknown("grid", name, GRIDS)
    return GRIDS[name]
