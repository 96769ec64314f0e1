"""Writes a report as a folder, whole or not at all: HTML, SVG and PNG of figures, CSV of tables."""

from __future__ import annotations

import io
import os
import shutil
import tempfile
import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from seminar.analysis.exhibits import Chart, Exhibit, Section, Table
from seminar.analysis.figures.style import drawing
from seminar.analysis.report.page import chart_svg, page
from seminar.errors import ConfigurationError
from seminar.text import whole

INDEX = "index.html"
DOTS = 144  # an inch of a PNG

Watch = Callable[[int, int], None]  # exhibits done, of how many


def write_report(
    title: str,
    sections: Sequence[Section],
    folder: Path,
    *,
    watch: Watch = lambda done, total: None,
) -> list[Path]:
    """Write a report to a folder that is new, empty or an earlier report; return its files.

    The files are written beside it first: a crash leaves no half report, and an earlier report
    stays until the new one is complete.
    """
    check_folder(folder)
    folder = folder.resolve()
    folder.parent.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
    try:
        _write_files(title, _named_apart(sections), scratch, watch)
        scratch.chmod(0o755)
        _replace(scratch, folder)
    except BaseException:
        shutil.rmtree(scratch, ignore_errors=True)
        raise
    return sorted(path for path in folder.iterdir() if path.is_file())


def check_folder(folder: Path) -> None:
    """Stop where a report would replace other files."""
    if folder.is_file():
        raise ConfigurationError(f"{folder} is a file: name a folder for the report")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / INDEX).is_file():
        raise ConfigurationError(f"{folder} holds other files: name a new folder for the report")
    foreign = _foreign(folder) if folder.is_dir() else []
    if foreign:
        raise ConfigurationError(
            f"{folder} holds '{foreign[0]}', which no report has: name a new folder for the report"
        )


def _foreign(folder: Path) -> list[str]:
    known = {".csv", ".svg", ".png"}
    return sorted(
        path.name
        for path in folder.iterdir()
        if path.name != INDEX and (path.suffix not in known or not path.is_file())
    )


def _replace(scratch: Path, folder: Path) -> None:
    """Put the new folder in the place of the old one."""
    if not folder.exists():
        os.rename(scratch, folder)  # noqa: PTH104 - the pair below needs the same call
        return
    old = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}.old."))
    os.rename(folder, old / "report")  # noqa: PTH104
    try:
        os.rename(scratch, folder)  # noqa: PTH104
    except BaseException:
        os.rename(old / "report", folder)  # noqa: PTH104
        raise
    finally:
        shutil.rmtree(old, ignore_errors=True)


def _named_apart(sections: Sequence[Section]) -> list[Section]:
    """Number the names of exhibits that several sections have: they are names of files."""
    seen: dict[str, int] = {}
    named = []
    for section in sections:
        exhibits: list[Exhibit] = []
        for one in section.exhibits:
            seen[one.name] = seen.get(one.name, 0) + (not one.lacks)
            number = seen[one.name]
            exhibits.append(one if number <= 1 else _renamed(one, f"{one.name}-{number}"))
        named.append(replace(section, exhibits=tuple(exhibits)))
    return named


def _renamed(one: Exhibit, name: str) -> Exhibit:
    """An exhibit under another name, the marks of its figure too."""
    if isinstance(one, Table) or one.figure is None:
        return replace(one, name=name)
    marks = {mark: f"{name}-{number}" for number, mark in enumerate(one.tips)}
    for artist in one.figure.findobj(lambda artist: artist.get_gid() in marks):
        artist.set_gid(marks[str(artist.get_gid())])
    tips = {marks[mark]: words for mark, words in one.tips.items()}
    return replace(one, name=name, tips=tips)


def _write_files(title: str, sections: Sequence[Section], folder: Path, watch: Watch) -> None:
    exhibits = [one for section in sections for one in section.exhibits if not one.lacks]
    svgs: dict[str, str] = {}
    for number, one in enumerate(exhibits, start=1):
        one.frame.to_csv(folder / f"{one.name}.csv", index=False, errors="replace")
        if isinstance(one, Chart) and one.figure is not None:
            raw = render(one, folder)
            svgs[one.name] = chart_svg(one, raw)
        watch(number, len(exhibits))
    (folder / INDEX).write_text(whole(page(title, sections, svgs)), encoding="utf-8")


def render(chart: Chart, folder: Path) -> str:
    """Write a chart's figure as PNG and SVG, and return the SVG."""
    if chart.figure is None:
        raise ValueError(f"{chart.name} has no figure")
    stream = io.StringIO()
    # A label in a script that the font lacks is drawn as boxes in the PNG; the SVG keeps its text.
    with drawing(), warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        chart.figure.savefig(folder / f"{chart.name}.png", dpi=DOTS)
        chart.figure.savefig(stream, format="svg", metadata={"Date": None})
    raw = stream.getvalue()
    (folder / f"{chart.name}.svg").write_text(raw, encoding="utf-8")
    return raw
