"""Files of each format, made by the programs that people make them with, where they run here.

LibreOffice writes the office formats, pandoc an e-book, nbformat notebooks; the text formats are
written as a person would type them. All hold the same sections and the same table of fares.
"""

from __future__ import annotations

import email.message
import html
import json
import shutil
import subprocess
import tarfile
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from fpdf import FPDF

ROWS = (("Ticket", "Price"), ("Adults", "9 pounds"), ("Children", "4 pounds"))
OPENING = "The ferry was founded in 1987 by Marta Lindqvist. It sails every day but Sunday."
FILLER = (
    "The boat leaves the pier below the old light and crosses the sound in forty minutes. Its crew "
    "knows the currents, and in autumn it waits for the fog to lift before it passes the rocks."
)
# The filters of LibreOffice for a page of HTML, a flat presentation and a sheet.
WRITER = ("docx", "odt", "rtf", "epub")
CALC = ("xlsx", "ods")
IMPRESS = ("pptx", "odp")


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and the paragraphs below it."""

    title: str
    paragraphs: tuple[str, ...]


def sections(count: int) -> list[Section]:
    """The sections of a file: the opening, so many others, and the table's, which is the last."""
    first = Section("History", (OPENING,))
    return [
        first,
        *(
            Section(f"Voyage {number}", (f"Voyage {number}. {FILLER}",) * 3)
            for number in range(count)
        ),
        Section("Fares", ("These are the fares.",)),
    ]


def make_all(folder: Path, size: int = 2) -> dict[str, Path]:
    """Write a file of every format with so many sections, and return them by format."""
    folder.mkdir(parents=True, exist_ok=True)
    parts = sections(size)
    made = {kind: folder / f"ferry.{kind}" for kind in TEXTS}
    for kind, path in made.items():
        path.write_text(TEXTS[kind](parts), encoding="utf-8")
    made["pdf"] = _pdf(folder / "ferry.pdf", parts)
    made["mhtml"] = _saved_page(folder / "ferry.mhtml", made["html"])
    made |= _notebook(folder, parts)
    if shutil.which("soffice"):
        made |= _office(folder, parts, made)
    if shutil.which("pandoc"):
        made["pandoc.epub"] = folder / "ferry.pandoc.epub"
        command = ["pandoc", "--from", "gfm", "--metadata", "title=The ferry", str(made["md"])]
        subprocess.run([*command, "-o", str(made["pandoc.epub"])], check=True, timeout=300)
    made |= _archives(folder, made)
    return made


def _html(parts: Sequence[Section]) -> str:
    body = "".join(
        f"<h2>{html.escape(part.title)}</h2>"
        + "".join(f"<p>{one}</p>\n" for one in part.paragraphs)
        for part in parts
    )
    head, *rows = ROWS
    table = "<tr>" + "".join(f"<th>{cell}</th>" for cell in head) + "</tr>"
    table += "".join(
        "<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>\n" for row in rows
    )
    return (
        "<!doctype html><html><head><meta charset='utf-8'><title>The ferry</title></head>"
        f"<body><h1>The ferry</h1>\n{body}<table>{table}</table></body></html>\n"
    )


def _markdown(parts: Sequence[Section]) -> str:
    head, *rows = ROWS
    table = [f"| {' | '.join(head)} |", "|---|---|", *(f"| {' | '.join(row)} |" for row in rows)]
    body = [f"## {part.title}\n\n" + "\n\n".join(part.paragraphs) for part in parts]
    return "\n\n".join(["# The ferry", *body, "\n".join(table)]) + "\n"


def _rst(parts: Sequence[Section]) -> str:
    rule = "======== ========"
    head, *rows = (f"{left:8} {right}" for left, right in ROWS)
    table = [rule, head, rule, *rows, rule]
    body = [
        f"{part.title}\n{'-' * len(part.title)}\n\n" + "\n\n".join(part.paragraphs)
        for part in parts
    ]
    return "\n\n".join(["The ferry\n=========", *body, "\n".join(table)]) + "\n"


def _org(parts: Sequence[Section]) -> str:
    table = [f"| {' | '.join(row)} |" for row in ROWS]
    table.insert(1, "|---+---|")
    body = [f"* {part.title}\n" + "\n\n".join(part.paragraphs) for part in parts]
    return "\n".join(["#+TITLE: The ferry", *body, "", *table]) + "\n"


def _plain(parts: Sequence[Section]) -> str:
    body = [f"{part.title.upper()}\n\n" + "\n\n".join(part.paragraphs) for part in parts]
    return "\n\n".join([*body, *(": ".join(row) for row in ROWS[1:])]) + "\n"


def _csv(parts: Sequence[Section]) -> str:
    return "\n".join(",".join(row) for row in _sheet(parts)) + "\n"


def _sheet(parts: Sequence[Section]) -> list[tuple[str, ...]]:
    """The table of fares, and below it as many rows as there are sections."""
    more = [(f"Group {number}", f"{number} crowns") for number in range(20 * (len(parts) - 2))]
    return [*ROWS, *more]


def _python(parts: Sequence[Section]) -> str:
    functions = [
        f'def {part.title.lower().replace(" ", "_")}():\n    """{part.paragraphs[0]}"""\n'
        "    return 4  # pounds\n"
        for part in parts
    ]
    return '"""The ferry."""\n\n\n' + "\n\n".join(functions)


def _keys(parts: Sequence[Section]) -> dict[str, object]:
    fares = [dict(zip(ROWS[0], row, strict=True)) for row in ROWS[1:]]
    return {"ferry": {part.title: list(part.paragraphs) for part in parts}, "fares": fares}


def _json(parts: Sequence[Section]) -> str:
    return json.dumps(_keys(parts), indent=1) + "\n"


def _yaml(parts: Sequence[Section]) -> str:
    lines = ["ferry:"]
    for part in parts:
        lines += [f"  {part.title}:", *(f'    - "{one}"' for one in part.paragraphs)]
    lines.append("fares:")
    lines += [f"  - {{Ticket: {left}, Price: {right}}}" for left, right in ROWS[1:]]
    return "\n".join(lines) + "\n"


def _toml(parts: Sequence[Section]) -> str:
    lines = ["[ferry]"]
    for part in parts:
        every = ", ".join(f'"{one}"' for one in part.paragraphs)
        lines.append(f'"{part.title}" = [{every}]')
    for left, right in ROWS[1:]:
        lines += ["[[fares]]", f'Ticket = "{left}"', f'Price = "{right}"']
    return "\n".join(lines) + "\n"


def _whatsapp(parts: Sequence[Section]) -> str:
    texts = [text for part in parts for text in part.paragraphs]
    texts.append("The price for children is 4 pounds.")
    return "".join(
        f"01/05/2024, {at // 60 % 24:02}:{at % 60:02} - {('Ada', 'Bo')[at % 2]}: {text}\n"
        for at, text in enumerate(texts)
    )


TEXTS: dict[str, Callable[[Sequence[Section]], str]] = {
    "html": _html,
    "md": _markdown,
    "rst": _rst,
    "org": _org,
    "txt": _plain,
    "csv": _csv,
    "py": _python,
    "json": _json,
    "yaml": _yaml,
    "toml": _toml,
    "chat.txt": _whatsapp,
}


def _pdf(path: Path, parts: Sequence[Section]) -> Path:
    pdf = FPDF()
    pdf.add_page()
    for part in parts:
        pdf.set_font("helvetica", size=16)
        pdf.multi_cell(0, 12, part.title, new_x="LMARGIN", new_y="NEXT")
        pdf.set_font("times", size=11)
        for text in part.paragraphs:
            pdf.multi_cell(0, 5, text, new_x="LMARGIN", new_y="NEXT", align="L")
            pdf.ln(4)
    with pdf.table() as table:
        for row in ROWS:
            cells = table.row()
            for cell in row:
                cells.cell(cell)
    pdf.output(str(path))
    return path


def _saved_page(path: Path, page: Path) -> Path:
    message = email.message.EmailMessage()
    message["Subject"] = "The ferry"
    message.set_content(page.read_text(encoding="utf-8"), subtype="html")
    message.add_related(b"\x89PNG" * 50, "image", "png")
    path.write_bytes(bytes(message))
    return path


def _notebook(folder: Path, parts: Sequence[Section]) -> dict[str, Path]:
    try:
        import nbformat
    except ModuleNotFoundError:
        return {}
    cells = [nbformat.v4.new_markdown_cell(_markdown(parts)), nbformat.v4.new_code_cell("1 + 1")]
    path = folder / "ferry.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    return {"ipynb": path}


def _office(folder: Path, parts: Sequence[Section], made: dict[str, Path]) -> dict[str, Path]:
    slides = folder / "ferry.fodp"
    slides.write_text(_slides(parts), encoding="utf-8")
    found = {}
    for kind in WRITER:
        found[kind] = _convert(made["html"], kind, "HTML (StarWriter)")
    for kind in CALC:
        found[kind] = _convert(made["csv"], kind, "")
    for kind in IMPRESS:
        found[kind] = _convert(slides, kind, "")
    slides.unlink()
    return {kind: path for kind, path in found.items() if path.exists()}


def _convert(path: Path, kind: str, source: str) -> Path:
    command = ["soffice", "--headless", "--norestore", "--convert-to", kind]
    command += [f"--infilter={source}"] if source else []
    profile = f"-env:UserInstallation=file://{path.parent / 'profile'}"
    subprocess.run(
        [*command, profile, "--outdir", str(path.parent), str(path)],
        check=True, capture_output=True, timeout=300,
    )  # fmt: skip
    return path.with_suffix(f".{kind}")


def _slides(parts: Sequence[Section]) -> str:
    """A presentation as flat OpenDocument: a slide for each section, the table on the last."""
    slides = []
    for part in parts:
        title = f"<text:p>{html.escape(part.title)}</text:p>"
        body = "".join(f"<text:p>{html.escape(text)}</text:p>" for text in part.paragraphs)
        slides.append(
            f'<draw:page draw:name="{html.escape(part.title)}" draw:master-page-name="Default">'
            f"{_frame('title', 1, title)}{_frame('outline', 4, body)}"
            f"{_TABLE if part is parts[-1] else ''}</draw:page>"
        )
    return (
        '<?xml version="1.0" encoding="UTF-8"?><office:document office:version="1.3" '
        f'office:mimetype="application/vnd.oasis.opendocument.presentation" {_SPACES}>'
        "<office:automatic-styles><style:page-layout style:name='P'/></office:automatic-styles>"
        "<office:master-styles><style:master-page style:name='Default' style:page-layout-name='P'/>"
        f"</office:master-styles><office:body><office:presentation>{''.join(slides)}"
        "</office:presentation></office:body></office:document>"
    )


def _frame(kind: str, top: int, text: str) -> str:
    return (
        f'<draw:frame presentation:class="{kind}" svg:width="20cm" svg:height="3cm" svg:x="1cm" '
        f'svg:y="{top}cm"><draw:text-box>{text}</draw:text-box></draw:frame>'
    )


_SPACES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{space}:1.0"'
    for name, space in {
        "office": "office", "style": "style", "text": "text", "table": "table", "draw": "drawing",
        "presentation": "presentation", "svg": "svg-compatible",
    }.items()
)  # fmt: skip
_TABLE = (
    '<draw:frame svg:width="20cm" svg:height="3cm" svg:x="1cm" svg:y="9cm"><table:table '
    'table:use-first-row-styles="true"><table:table-column/><table:table-column/>'
    + "".join(
        "<table:table-row>"
        + "".join(f"<table:table-cell><text:p>{cell}</text:p></table:table-cell>" for cell in row)
        + "</table:table-row>"
        for row in ROWS
    )
    + "</table:table></draw:frame>"
)


def _archives(folder: Path, made: dict[str, Path]) -> dict[str, Path]:
    packed = [made["html"], made["md"]]
    with zipfile.ZipFile(folder / "ferry.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in packed:
            archive.write(path, path.name)
    with tarfile.open(folder / "ferry.tar.gz", "w:gz") as tar:
        for path in packed:
            tar.add(path, path.name)
    return {"zip": folder / "ferry.zip", "tar.gz": folder / "ferry.tar.gz"}
