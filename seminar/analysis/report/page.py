"""The report as one HTML file that loads nothing: text escaped, data as JSON, one script."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import Any

import pandas as pd

from seminar.analysis.exhibits import Chart, Exhibit, Section, Table

ROWS = 500  # of a table in the page; its CSV has all
TEXT = 400  # characters of a cell in the page
_ESCAPES = {
    "<": "\\u003c",
    ">": "\\u003e",
    "&": "\\u0026",
    "\u2028": "\\u2028",
    "\u2029": "\\u2029",
}
_IDS = re.compile(r'(\bid="|\bhref="#|url\(#)([^")]+)')


def page(title: str, sections: Sequence[Section], svgs: Mapping[str, str]) -> str:
    """The report; `svgs` holds the SVG of each chart by its name."""
    script, style = (_own_file(name) for name in ("report.js", "report.css"))
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; "
        "base-uri 'none'; form-action 'none'"
    )
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}</title>",
            f"<style>{style}</style>",
            "</head>",
            "<body>",
            '<a class="skip" href="#content">To the content</a>',
            f"<header><h1>{escape(title)}</h1></header>",
            _contents(sections),
            '<main id="content" tabindex="-1">',
            *(_section(number, section, svgs) for number, section in enumerate(sections, 1)),
            "</main>",
            '<div id="tip" role="tooltip" hidden></div>',
            f'<script type="application/json" id="data">{safe_json(_data(sections))}</script>',
            f"<script>{script}</script>",
            "</body>",
            "</html>",
            "",
        ]
    )


def safe_json(value: object) -> str:
    """JSON that stays data inside a script element, whatever text it holds.

    >>> safe_json("</script>")
    '"\\\\u003c/script\\\\u003e"'
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return "".join(_ESCAPES.get(character, character) for character in text)


def chart_svg(chart: Chart, raw: str) -> str:
    """The SVG of a chart for the page: no prologue, no metadata, ids of its own."""
    body = raw[raw.index("<svg") :]
    body = re.sub(r"<metadata>.*?</metadata>", "", body, flags=re.DOTALL)
    own = set(chart.tips)
    body = _IDS.sub(lambda m: m[0] if m[2] in own else f"{m[1]}{chart.name}.{m[2]}", body)
    label = escape(f"{chart.title}. The data are in the table below.", quote=True)
    return body.replace("<svg", f'<svg role="img" aria-label="{label}"', 1)


def _own_file(name: str) -> str:
    return files("seminar.analysis.report").joinpath(name).read_text(encoding="utf-8")


def _contents(sections: Sequence[Section]) -> str:
    items = "".join(
        f'<li><a href="#part-{number}">{escape(section.title)}</a></li>'
        for number, section in enumerate(sections, start=1)
    )
    return f'<nav aria-label="Contents"><ol>{items}</ol></nav>'


def _section(number: int, section: Section, svgs: Mapping[str, str]) -> str:
    lines = [
        f'<section id="part-{number}" aria-labelledby="title-{number}">',
        f'<h2 id="title-{number}">{escape(section.title)}</h2>',
    ]
    if section.text:
        lines.append(f"<p>{escape(section.text)}</p>")
    shown = [one for one in section.exhibits if not one.lacks]
    lines += (_exhibit(f"{number}-{at}", one, svgs) for at, one in enumerate(shown, start=1))
    lacking = [one for one in section.exhibits if one.lacks]
    if lacking:
        items = "".join(
            f"<li><b>{escape(one.title)}</b>: {escape(one.lacks)}</li>" for one in lacking
        )
        lines += [
            f"<details><summary>What these data don’t have ({len(lacking)})</summary>",
            f"<ul>{items}</ul></details>",
        ]
    if section.errors:
        lines.append(f'<div class="errors" data-errors="{number}"></div>')
        lines.append("<noscript><p>The error browser needs JavaScript.</p></noscript>")
    return "\n".join([*lines, "</section>"])


def _exhibit(at: str, one: Exhibit, svgs: Mapping[str, str]) -> str:
    note = f'<p class="note">{escape(one.note)}</p>' if one.note else ""
    head = f'<article id="{escape(one.name)}"><h3>{escape(one.title)}</h3>'
    if isinstance(one, Table):
        return f"{head}{_table(at, one.frame, one.title)}{note}</article>"
    files_named = escape(f"{one.name}.svg, {one.name}.png and {one.name}.csv beside this file")
    data = (
        f"<details><summary>Data of this figure</summary>{_table(at, one.frame, one.title)}"
        f'<p class="note">{files_named}</p></details>'
    )
    return f'{head}<div class="figure">{svgs[one.name]}</div>{note}{data}</article>'


def _table(at: str, frame: pd.DataFrame, title: str) -> str:
    """A table that scrolls in itself; the script lets it be sorted and filtered."""
    names = [str(column) for column in frame.columns]
    numeric = [pd.api.types.is_numeric_dtype(frame[column]) for column in frame.columns]
    heads = "".join(
        f'<th scope="col"{_numeric(number)}>{escape(name) or "&nbsp;"}</th>'
        for name, number in zip(names, numeric, strict=True)
    )
    rows = "".join(
        "<tr>" + "".join(_cells(row, numeric)) + "</tr>"
        for row in frame.head(ROWS).itertuples(index=False, name=None)
    )
    more = f"<p>The first {ROWS:,} of {len(frame):,} rows.</p>" if len(frame) > ROWS else ""
    label = escape(title, quote=True)
    return (
        f'<div class="scroll" role="region" tabindex="0" aria-label="Table {at}: {label}">'
        f'<table id="table-{at}"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>'
        f"</div>{more}"
    )


def _numeric(number: object) -> str:
    return ' class="number"' if number else ""


def _cells(row: Sequence[Any], numeric: Sequence[bool]) -> Iterator[str]:
    for value, number in zip(row, numeric, strict=True):
        shown = shown_value(value)
        order = f' data-value="{value}"' if number and isinstance(value, int | float) else ""
        yield f"<td{_numeric(number)}{order}>{escape(shown[:TEXT])}</td>"


def shown_value(value: object) -> str:
    """A cell as text: whole numbers with separators, others with at most four digits.

    >>> shown_value(12345), shown_value(3.14159), shown_value(1234.5), shown_value(float("nan"))
    ('12,345', '3.14', '1,234.5', '–')
    """
    if value is None or value is pd.NA:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, int | float):
        return str(value)
    if math.isnan(value):
        return "–"
    if float(value).is_integer():
        return f"{int(value):,}"
    if abs(value) >= 100:
        return f"{value:,.1f}"
    return f"{value:.2f}" if abs(value) >= 0.01 else f"{value:.2g}"


def _data(sections: Sequence[Section]) -> dict[str, object]:
    """What the script needs: the tips of the charts, and the rows of the error browsers."""
    charts = [one for section in sections for one in section.exhibits if isinstance(one, Chart)]
    return {
        "tips": {mark: words for chart in charts for mark, words in chart.tips.items()},
        "errors": {
            str(number): list(section.errors)
            for number, section in enumerate(sections, start=1)
            if section.errors
        },
    }
