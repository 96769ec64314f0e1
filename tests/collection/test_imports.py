"""Within collection/ imports point downward, and only the service's parts know sockets or SQL."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.paths import ROOT

PACKAGE = ROOT / "seminar" / "collection"

# Highest first. A part imports from itself and from lower rows.
LAYERS: list[set[str]] = [
    {"running"},
    {"app"},
    {"api", "site", "framing"},
    {"live"},
    {"storage", "assistant"},
    {"study"},
    {"protocols", "exports"},
    {"rules", "assignment", "messages"},
    {"records"},
    {"corpus"},
    {"questions", "pay"},
]
ROW = {part: row for row, parts in enumerate(LAYERS) for part in parts}
OF_THE_SERVICE = {"sqlalchemy", "fastapi", "starlette", "uvicorn", "websockets", "asyncio"}
SERVING = ROW["storage"]  # and above: the parts that may know of it
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if path.name != "__init__.py")


def imports_of(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            several = module == "seminar.collection"
            yield from (f"{module}.{one.name}" for one in node.names) if several else (module,)


def part_of(folder: str) -> str:
    """The part of a folder; exports show reports, and reports count what is exported."""
    return "exports" if folder == "reports" else folder


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_within_collection_point_downward(path: Path):
    part = part_of(path.relative_to(PACKAGE).parts[0].removesuffix(".py"))
    for name in imports_of(path):
        parts = name.split(".")
        if parts[:2] == ["seminar", "collection"]:
            other = part_of(parts[2])
            assert other == part or ROW[other] > ROW[part], f"{part} must not import {other}"
        service = parts[0] in OF_THE_SERVICE or parts[:2] == ["seminar", "serving"]
        assert not service or ROW[part] <= SERVING, f"{part} must not import {name}"
