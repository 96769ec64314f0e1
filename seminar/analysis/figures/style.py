"""The look of all figures: fonts, colours that colour-blind people tell apart, and tips."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from seminar.errors import MissingExtraError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Okabe and Ito's colours, the light yellow left out: they differ for every kind of colour vision.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#5B5B5B", "#882255")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
INK, QUIET, GRID = "#1A1A1A", "#5B5B5B", "#DDDDDD"
HEAT = "cividis"  # dark to light for every kind of colour vision
STYLE = {
    "font.family": ["DejaVu Sans", "sans-serif"],
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": QUIET,
    "axes.labelcolor": INK,
    "axes.grid": False,
    "axes.axisbelow": True,
    "grid.color": GRID,
    "grid.linewidth": 0.8,
    "xtick.color": INK,
    "ytick.color": INK,
    "legend.frameon": False,
    "legend.fontsize": 9,
    "text.parse_math": False,  # texts of users hold $ and _
    "svg.fonttype": "none",
    "svg.hashsalt": "seminar",  # the same data give the same file
}
LABEL = 28  # characters of a label


@contextmanager
def drawing() -> Iterator[None]:
    """Draw in this style; the caller's settings of matplotlib stay as they are."""
    try:
        import matplotlib as mpl
    except ImportError as error:
        raise MissingExtraError("drawing figures", "analyze") from error
    with mpl.rc_context(STYLE):
        yield


def new_figure(width: float = 7.5, height: float = 4.2) -> Figure:
    """An empty figure that belongs to no window."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained", facecolor="white")


def whole_ticks(axis: Any) -> None:  # noqa: ANN401 - matplotlib has no types
    """Mark whole numbers only."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(integer=True))


def colour(place: int) -> str:
    return COLOURS[place % len(COLOURS)]


def marker(place: int) -> str:
    return MARKERS[place % len(MARKERS)]


def short(text: str, limit: int = LABEL) -> str:
    """A label on one line that is not too long for a figure.

    >>> short("a  b\\nc"), short("abcdef", limit=4)
    ('a b c', 'abc…')
    """
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


class Tips:
    """The tips of one chart: an id for each mark, and the words to show for it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.words: dict[str, str] = {}

    def add(self, artist: Any, words: str) -> None:  # noqa: ANN401 - matplotlib has no types
        mark = f"{self.name}-{len(self.words)}"
        artist.set_gid(mark)
        self.words[mark] = words


def ink_on(rgba: Sequence[float]) -> str:
    """Black or white, whichever is read better on a colour."""
    channels = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgba[:3]]
    luminance = 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]
    return "#000000" if luminance > 0.179 else "#FFFFFF"


def heat_cells(
    axes: Any,  # noqa: ANN401
    values: Sequence[Sequence[float]],
    tips: Tips,
    *,
    rows: Sequence[str],
    columns: Sequence[str],
    texts: Sequence[Sequence[str]],
    words: Sequence[Sequence[str]],
    top: float | None = None,
) -> None:
    """Draw a heat map of one rectangle a cell, so that each has its text and its tip."""
    import matplotlib as mpl
    from matplotlib.patches import Rectangle

    highest = top or max((value for row in values for value in row if value == value), default=1)
    scale = mpl.colormaps[HEAT]
    for y, row in enumerate(values):
        for x, value in enumerate(row):
            known = value == value and value > 0
            shade = scale(min(1.0, value / (highest or 1))) if known else (0.96, 0.96, 0.96, 1)
            cell = Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=shade, edgecolor="white")
            axes.add_patch(cell)
            tips.add(cell, words[y][x])
            if texts[y][x]:
                axes.text(
                    x, y, texts[y][x], ha="center", va="center", fontsize=7.5, color=ink_on(shade)
                )
    axes.set_xlim(-0.5, len(columns) - 0.5)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xticks(range(len(columns)), columns)
    axes.set_yticks(range(len(rows)), rows)
    axes.tick_params(length=0)
    for side in axes.spines.values():
        side.set_visible(False)
