"""Generated blocks as files of each text format, read back as documents."""

import json

import yaml

from seminar.ingestion.documents import (
    json_paths,
    notebook,
    org,
    rst,
    source_code,
    yaml_paths,
)
from seminar.types import Document

Blocks = list[tuple[str, str]]


def from_rst(blocks: Blocks) -> Document:
    shapes = {"item": "- {}", "link": "see `{} <x.html>`__ there"}
    parts = [shapes.get(kind, "{}").format(text) for kind, text in blocks]
    ruled = [
        f"{part}\n{'-' * (2 * len(part) + 4)}" if kind == "heading" else part
        for part, (kind, _) in zip(parts, blocks, strict=True)
    ]
    return rst.parse("\n\n".join(ruled), "a.rst")


def from_org(blocks: Blocks) -> Document:
    shapes = {"heading": "* {}", "item": "- {}", "link": "see [[x.html][{}]] there"}
    parts = [shapes.get(kind, "{}").format(text) for kind, text in blocks]
    return org.parse("\n\n".join(parts), "a.org")


def from_notebook(blocks: Blocks) -> Document:
    cells: list[dict[str, object]] = []
    for kind, text in blocks:
        if kind == "raw":
            output = {"output_type": "stream", "text": text.splitlines(keepends=True)}
            cells.append({"cell_type": "code", "outputs": [output], "source": ["x = 1"]})
        else:
            shape = "## {}" if kind == "heading" else "{}"
            cells.append({"cell_type": "markdown", "source": [shape.format(text)]})
    return notebook.parse(json.dumps({"cells": cells}, indent=1), "a.ipynb")


def from_code(blocks: Blocks) -> Document:
    shapes = {"heading": "class Name:\n    def f(self, x={!r}): pass\n", "item": "# {}\n"}
    parts = [shapes.get(kind, "x = {!r}\n").format(text) for kind, text in blocks]
    return source_code.parse("\n".join(parts), "a.py")


def from_json(blocks: Blocks) -> Document:
    return json_paths.parse(json.dumps([{kind: text} for kind, text in blocks]), "a.json")


def from_yaml(blocks: Blocks) -> Document:
    return yaml_paths.parse(yaml.safe_dump([{kind: text} for kind, text in blocks]), "a.yaml")


TEXT_READERS = [from_rst, from_org, from_notebook, from_code, from_json, from_yaml]
