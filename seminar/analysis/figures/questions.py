"""Types of questions as a sunburst and a treemap, and types of answers as bars."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

from seminar.analysis.exhibits import Chart, missing_chart
from seminar.analysis.figures.style import COLOURS, QUIET, Tips, drawing, ink_on, new_figure, short
from seminar.analysis.question_types import prefix_counts

LEAST_ANGLE = 7.0  # degrees below which a ring's part has no label
NO_QUESTIONS = "There are no questions, so there are no types to show."
Box = tuple[float, float, float, float]  # x, y, width, height


def _tint(place: int, depth: int, brother: int = 0) -> tuple[float, float, float]:
    """The colour of a type, lighter for each word further in."""
    from matplotlib.colors import to_rgb

    red, green, blue = to_rgb(COLOURS[place % len(COLOURS)])
    light = 0.0 if depth == 0 else 0.38 + 0.12 * (brother % 2)
    return (red + (1 - red) * light, green + (1 - green) * light, blue + (1 - blue) * light)


def question_sunburst(questions: pd.Series) -> Chart:
    """QuAC figure 2: the word that gives the type inside, the word after it in the outer ring."""
    name, title = "question-types-sunburst", "Question types (QuAC, figure 2)"
    if not len(questions):
        return missing_chart(name, title, NO_QUESTIONS)
    frame = prefix_counts(questions)
    tips = Tips(name)
    with drawing():
        figure = new_figure(7.0, 6.6)
        axes = figure.add_subplot()
        at = 0.0
        heads = frame.groupby("word 1", sort=False)["questions"].sum()
        total = int(heads.sum())
        for place, (head, number) in enumerate(heads.items()):
            share = int(number) / total
            _ring(axes, tips, at, share, (0.28, 0.62), _tint(place, 0), str(head), total)
            inner = at
            rows = frame[frame["word 1"] == head]
            for brother, (word, count) in enumerate(
                zip(rows["word 2"], rows["questions"], strict=True)
            ):
                part = int(count) / total
                label = str(word)
                _ring(
                    axes,
                    tips,
                    inner,
                    part,
                    (0.63, 1.0),
                    _tint(place, 1, brother),
                    label,
                    total,
                    before=f"{head} ",
                )
                inner += part
            at += share
        axes.text(0, 0, f"{total:,}\nquestions", ha="center", va="center", color=QUIET)
        axes.set(xlim=(-1.04, 1.04), ylim=(-1.04, 1.04), aspect="equal")
        axes.axis("off")
    note = "A word of fewer than 0.4 % of the questions is counted under “…”."
    return Chart(name, title, frame, figure, note, tips=tips.words)


def _ring(
    axes: Any,  # noqa: ANN401
    tips: Tips,
    at: float,
    share: float,
    radii: tuple[float, float],
    shade: tuple[float, float, float],
    label: str,
    total: int,
    before: str = "",
) -> None:
    from matplotlib.patches import Wedge

    inner, outer = radii
    first, last = 90 - 360 * (at + share), 90 - 360 * at
    wedge = Wedge(
        (0, 0),
        outer,
        first,
        last,
        width=outer - inner,
        facecolor=shade,
        edgecolor="white",
        linewidth=0.8,
    )
    axes.add_patch(wedge)
    tips.add(wedge, f"{before}{label}: {round(share * total):,} questions, {100 * share:.1f} %")
    if not label or last - first < (LEAST_ANGLE if inner < 0.5 else LEAST_ANGLE / 1.6):
        return
    middle = math.radians((first + last) / 2)
    radius = (inner + outer) / 2
    turn = math.degrees(middle)
    turn = turn + 180 if 90 < turn % 360 < 270 else turn
    wide = last - first > 40 and inner < 0.5
    axes.text(
        radius * math.cos(middle), radius * math.sin(middle), short(label, 11), ha="center",
        va="center", rotation=0 if wide else turn, fontsize=10 if inner < 0.5 else 8,
        color=ink_on(shade),
    )  # fmt: skip


def question_treemap(questions: pd.Series, *, depth: int = 3) -> Chart:
    """QAConv figure 2, PragmatiCQA figure 4: an area for each prefix, by appendix D's rule."""
    name = "question-types-treemap"
    title = "Question types (QAConv, figure 2; PragmatiCQA, figure 4)"
    if not len(questions):
        return missing_chart(name, title, NO_QUESTIONS)
    frame = prefix_counts(questions, depth=depth, least=0.003)
    tips = Tips(name)
    with drawing():
        figure = new_figure(9.0, 5.6)
        axes = figure.add_subplot()
        heads = frame.groupby("word 1", sort=False)["questions"].sum()
        total = int(heads.sum())
        boxes = squarify([float(n) for n in heads], (0, 0, 100, 62))
        for place, (head, box) in enumerate(zip(heads.index, boxes, strict=True)):
            _type_box(axes, tips, frame[frame["word 1"] == head], box, place, total)
        axes.set(xlim=(0, 100), ylim=(62, 0))
        axes.axis("off")
    note = (
        "The type is the first WH-word anywhere in a question, else its first auxiliary, else "
        "OTHER (PragmatiCQA, appendix D). Prefixes of fewer than 0.3 % are counted under “…”."
    )
    return Chart(name, title, frame, figure, note, tips=tips.words)


def _type_box(
    axes: Any,  # noqa: ANN401
    tips: Tips,
    rows: pd.DataFrame,
    box: Box,
    place: int,
    total: int,
) -> None:
    """A type's box: its name above, the boxes of its prefixes below."""
    from matplotlib.patches import Rectangle

    x, y, width, height = box
    number = int(rows["questions"].sum())
    shade = _tint(place, 0)
    head = str(rows["word 1"].iloc[0])
    frame = Rectangle((x, y), width, height, facecolor=shade, edgecolor="white", linewidth=2)
    axes.add_patch(frame)
    tips.add(frame, f"{head}: {number:,} questions, {100 * number / total:.1f} %")
    heading = f"{head} {100 * number / total:.0f} %"
    room = 3.2 if height > 6 and width > 1.1 * len(head) + 1 else 0.3
    if room > 1:
        text = heading if width > 1.35 * len(heading) + 1 else short(head, max(2, int(width)))
        axes.text(x + 0.7, y + 2.6, text, fontsize=9.5, color=ink_on(shade), weight="bold")
    if head == "OTHER":
        return
    inside = (x + 0.4, y + room + 0.3, max(width - 0.8, 0), max(height - room - 0.7, 0))
    words = [" ".join(str(w) for w in row if w) for row in rows.filter(like="word").values[:, 1:]]
    numbers = [int(n) for n in rows["questions"]]
    order = sorted(range(len(numbers)), key=lambda at: -numbers[at])
    for brother, (at, part) in enumerate(
        zip(order, squarify([float(numbers[at]) for at in order], inside), strict=True)
    ):
        px, py, pw, ph = part
        light = _tint(place, 1, brother)
        label = words[at]
        patch = Rectangle((px, py), pw, ph, facecolor=light, edgecolor="white", linewidth=0.7)
        axes.add_patch(patch)
        share = 100 * numbers[at] / total
        tips.add(patch, f"{head} {label}: {numbers[at]:,} questions, {share:.1f} %")
        if ph > 2.2 and pw > 1.02 * len(label) + 0.8:
            axes.text(
                px + pw / 2,
                py + ph / 2,
                label,
                ha="center",
                va="center",
                fontsize=8,
                color=ink_on(light),
            )


def squarify(sizes: Sequence[float], box: Box) -> list[Box]:
    """Boxes with areas in proportion to sizes, nearly square (Bruls et al., 2000), largest first.

    >>> squarify([3.0, 1.0], (0, 0, 4, 1))
    [(0, 0, 3.0, 1.0), (3.0, 0, 1.0, 1.0)]
    """
    x, y, width, height = box
    total = sum(sizes)
    if not sizes or total <= 0 or width <= 0 or height <= 0:
        return [(x, y, 0.0, 0.0) for _ in sizes]
    areas = [size * width * height / total for size in sizes]
    boxes: list[Box] = []
    while len(boxes) < len(areas):
        left = areas[len(boxes) :]
        row = left[: _best_row(left, min(width, height))]
        strip = sum(row) / min(width, height)
        along = _along(row, strip)
        if width >= height:
            at = y
            for length in along:
                boxes.append((x, at, strip, length))
                at += length
            x, width = x + strip, max(width - strip, 1e-9)
        else:
            at = x
            for length in along:
                boxes.append((at, y, length, strip))
                at += length
            y, height = y + strip, max(height - strip, 1e-9)
    return boxes


def _along(row: Sequence[float], strip: float) -> Iterator[float]:
    return (area / strip if strip else 0.0 for area in row)


def _best_row(areas: Sequence[float], side: float) -> int:
    """How many of the next areas make a row in which the worst box is least stretched."""
    best, worst = 1, math.inf
    total = 0.0
    for count, area in enumerate(areas, start=1):
        total += area
        strip = total / side
        lengths = [one / strip for one in areas[:count] if strip]
        stretch = max((max(strip / n, n / strip) for n in lengths if n), default=math.inf)
        if stretch > worst:
            break
        best, worst = count, stretch
    return best


def bars(name: str, title: str, frame: pd.DataFrame, *, lacks: str, note: str = "") -> Chart:
    """Horizontal bars of a table whose columns are a name, a count and a share in percent."""
    if frame.empty:
        return missing_chart(name, title, lacks)
    label, count, share = frame.columns[:3]
    tips = Tips(name)
    with drawing():
        figure = new_figure(7.5, 0.9 + 0.32 * len(frame))
        axes = figure.add_subplot()
        drawn = axes.barh(range(len(frame)), frame[share], color=COLOURS[0], height=0.72)
        for bar, words, number, percent in zip(
            drawn, frame[label], frame[count], frame[share], strict=True
        ):
            tips.add(bar, f"{words}: {number:,} ({percent:.1f} %)")
            axes.text(
                percent,
                bar.get_y() + bar.get_height() / 2,
                f" {percent:.1f}",
                va="center",
                fontsize=8.5,
                color=QUIET,
            )
        axes.set_yticks(range(len(frame)), [short(str(words)) for words in frame[label]])
        axes.set(xlabel=str(share), ylim=(len(frame) - 0.5, -0.5))
        axes.set_xlim(0, 1.1 * float(frame[share].max()) or 1)
        axes.tick_params(axis="y", length=0)
    return Chart(name, title, frame, figure, note, tips=tips.words)
