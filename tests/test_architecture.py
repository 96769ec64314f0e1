"""Which folder may import which; docs/architecture.md draws the same picture."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "seminar"

# Highest first. A module imports from its own folder and from lower rows, never from its own row.
LAYERS: list[set[str]] = [
    {"__main__"},
    {"cli"},
    {"collection"},
    {"serving"},
    {"training", "evaluation"},
    {"analysis"},
    {"async_session", "integrations"},
    {"session", "health", "watching"},
    {"assembly", "cluster_indexing", "dialogue_files", "dialogue_exports"}
    | {"locations", "span_lookup"},
    {"stages"},
    {"assistant", "indexing", "writing"},
    {"settings", "saved_turns", "file_batches"},
    {"questions", "retrieval", "reading", "answering", "baselines"},
    {"networks"},
    {"datasets"},
    {"ingestion", "metrics", "models"},
    {"text", "io", "logistic", "weights", "index_marker", "index_url", "cluster"},
    {"protocols", "examples", "client"},
    {"types", "errors", "regular_files", "version"},
    {"citations"},
]
ROW = {folder: row for row, folders in enumerate(LAYERS) for folder in folders}

# A heavy package and the only folders that may import it.
CONFINED = {
    "torch": {"networks", "training"},
    "transformers": {"networks", "training"},
    "accelerate": {"training"},
    "sqlalchemy": {"serving", "collection"},
    "starlette": {"serving", "collection"},
    "fastapi": {"serving", "collection"},
    "lancedb": {"retrieval"},
    "pymilvus": {"retrieval"},
    "ray": {"cluster"},
    "onnxruntime": {"models", "training"},
    "httpcore2": {"ingestion"},
    "watchfiles": {"watching"},
    "langchain_core": {"integrations"},
    "llama_index": {"integrations"},
    "mcp": {"integrations"},
    "prompt_toolkit": {"cli"},
    "httpx2": {"client", "models", "serving"},
}
FORBIDDEN_NAMES = {"utils", "common", "core", "base", "helpers"}


def folder_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports_of(path: Path) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: imports are absolute"
            yield node.lineno, node.module or ""


MODULES = sorted(p for p in PACKAGE.rglob("*.py") if p.parent != PACKAGE or p.stem != "__init__")


def test_every_folder_has_a_row():
    assert {folder_of(path) for path in MODULES} <= set(ROW)


def test_the_documentation_draws_the_same_layers():
    page = (PACKAGE.parent / "docs" / "architecture.md").read_text(encoding="utf-8")
    _, _, section = page.partition("## Layers")
    picture = section.split("```")[1].strip().splitlines()
    assert [set(row.split(" | ")) for row in picture] == LAYERS


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_downward(path: Path):
    folder = folder_of(path)
    for line, name in imports_of(path):
        top, *rest = name.split(".")
        if top == "seminar":
            assert rest, f"{path}:{line}: no module imports the package root"
            below = rest[0] == folder or ROW[rest[0]] > ROW[folder]
            assert below, f"{path}:{line}: {folder} must not import {rest[0]}"
        allowed = CONFINED.get(top)
        assert allowed is None or folder in allowed, f"{path}:{line}: {top} only in {allowed}"


def test_only_assembly_imports_an_engine():
    importers = {
        str(path.relative_to(PACKAGE))
        for path in MODULES
        if not path.is_relative_to(PACKAGE / "retrieval" / "engines")
        for _, name in imports_of(path)
        if name.startswith("seminar.retrieval.engines")
    }
    assert importers == {"assembly.py"}


def test_every_folder_with_modules_is_a_package():
    folders = {folder for path in MODULES for folder in path.parents if PACKAGE in folder.parents}
    assert [str(folder) for folder in folders if not (folder / "__init__.py").is_file()] == []


def test_no_module_has_a_name_without_meaning():
    assert not {path.stem for path in MODULES} & FORBIDDEN_NAMES
