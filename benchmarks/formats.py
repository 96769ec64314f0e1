"""What is read of a file of each format, and how fast: text, sections, table, the cited place.

    scripts/bench formats [--sections 4000] [--files FILE...]

The files are made by `benchmarks.format_files`: office formats need LibreOffice (`soffice`),
notebooks nbformat (`pip install nbformat`); without them those rows are left out. Small files are
asked "How much is it for children?", large ones are read to passages through the sandbox. Speed is
in MB of text for a second of the worker's CPU time, and its ratio to plain text in the same run.
"""

from __future__ import annotations

import argparse
import os
import resource
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.format_files import OPENING, make_all
from benchmarks.results import read_result, write_result
from seminar.assembly import open_files
from seminar.errors import IngestionError
from seminar.ingestion.discover import SourceFile
from seminar.ingestion.loader import read, read_passages
from seminar.ingestion.sandbox.pool import Sandbox
from seminar.types import Dialogue, Document, Span

QUESTION = "How much is it for children?"
ROW = "Children; Price: 4 pounds"
# Kinds without prose and sections, without tables, and without either.
SHEETS = ("csv", "xlsx", "ods")
PROSE = ("txt", "py", "chat.txt")
KEYS = ("json", "yaml", "toml")


def check(kind: str, path: Path) -> dict[str, object]:
    """What a small file gives: its text, sections, table, and the answer's place in the file."""
    items = list(read(SourceFile(path, path.name), print))
    text = "\n".join(item.text for item in items)
    documents = [item for item in items if isinstance(item, Document)]
    titles = [section.title for document in documents for section in document.sections]
    slides = [page for document in documents for page in document.pages]
    has_section = any("fares" in title.lower() for title in titles) or len(slides) > 1
    opened = open_files([path])
    reply = opened.assistant.reply(Dialogue(), QUESTION)
    [span] = reply.literal[:1] or [None]
    return {
        "text": ("9 pounds" if kind in SHEETS else OPENING.split(".")[0]) in " ".join(text.split()),
        "sections": None if kind in (*SHEETS, *KEYS, "chat.txt") else has_section,
        "table": None if kind in (*PROSE, *KEYS) else ROW in text,
        "answer": reply.text,
        "cited": None if span is None else _place(span),
        "opens there": span is not None and _opens(path, span),
    }


def _place(span: Span) -> str:
    parts = [span.source]
    parts += [f"page {span.page}"] if span.page else []
    parts += [f"line {span.line}"] if span.line else []
    parts += [span.place] if span.place else []
    return ", ".join(parts)


def _opens(path: Path, span: Span) -> bool:
    """Whether the cited line holds the words; of pages and cells, whether one is named."""
    if span.line and path.suffix not in (".epub", ".zip", ".gz"):
        lines = path.read_text(encoding="utf-8").split("\n")
        return span.text.split()[0] in " ".join(lines[span.line - 1 : span.line + 1])
    return bool(span.page or span.place or span.line or "#" in span.source)


def measure(path: Path) -> dict[str, object]:
    """Speed and memory of a worker that reads a large file."""
    sandbox = Sandbox()
    problem = ""
    characters = 0
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        for passage in read_passages(SourceFile(path, path.name), lambda _: None, sandbox=sandbox):
            characters += len(passage.text)
    except IngestionError as error:
        problem = str(error)
    memory = _memory(sandbox)
    sandbox.close()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "file MB": round(path.stat().st_size / 1e6, 3),
        "text MB": round(characters / 1e6, 3),
        "CPU s": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        "MiB": memory,
        **({"problem": problem} if problem else {}),
    }


def _memory(sandbox: Sandbox) -> float | None:
    """The most memory that the idle worker has held, in MiB."""
    for worker in sandbox._idle:
        status = Path(f"/proc/{worker._process.pid}/status").read_text()
        return round(int(status.partition("VmHWM:")[2].split()[0]) / 1024, 1)
    return None


def starting(folder: Path) -> float:
    """The CPU seconds that a worker takes to start and read a line, which are not the format's."""
    path = folder / "line.txt"
    path.write_text("It leaves at nine.")
    return median(float(str(measure(path)["CPU s"])) for _ in range(5))


def speeds(files: dict[str, Path], folder: Path) -> dict[str, object]:
    """Speed and memory of each format, and its speed as a part of that of plain text."""
    start = starting(folder)
    rows = {kind: measure(path) for kind, path in files.items()}
    for row in rows.values():
        row["CPU s"] = round(float(str(row["CPU s"])) - start, 2)
        row["MB/s"] = round(float(str(row["text MB"])) / max(row["CPU s"], 0.01), 2)
    plain = float(str(rows["txt"]["MB/s"]))
    for row in rows.values():
        row["of plain text"] = round(float(str(row["MB/s"])) / plain, 3)
    return {"speed": rows, "worker start CPU s": round(start, 2)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sections", type=int, default=4_000)
    parser.add_argument("--files", type=Path, nargs="*", default=[], help="files of your own")
    options = parser.parse_args()
    results = read_result("formats")
    with TemporaryDirectory() as folder:
        os.environ["SEMINAR_HOME"] = str(Path(folder) / "home")
        small = make_all(Path(folder) / "small")
        large = make_all(Path(folder) / "large", options.sections)
        large |= {path.name: path for path in options.files}
        results["read"] = {kind: check(kind, path) for kind, path in small.items()}
        results |= speeds(large, Path(folder))
    write_result("formats", results)


if __name__ == "__main__":
    main()
