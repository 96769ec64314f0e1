"""The documentation site names every page, and no page loads anything from outside."""

import re

import pytest

from scripts.check_offline import loads_from_outside
from seminar.weights import FOLDER
from tests.paths import ROOT

DOCS = ROOT / "docs"
LINK = re.compile(r"\]\(([^)#:\s]+\.\w+)(?:#[^)]*)?\)")


def test_navigation_names_every_page_once():
    configuration = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    pages = [page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")]
    cards = [f"cards/{card.parent.name}.md" for card in FOLDER.glob("*/card.md")]
    assert sorted(re.findall(r"(\S+\.md)$", configuration, re.MULTILINE)) == sorted(pages + cards)


@pytest.mark.parametrize(
    "page", [*DOCS.rglob("*.md"), *ROOT.glob("*.md")], ids=lambda page: page.stem
)
def test_page_links_to_existing_files(page):
    targets = LINK.findall(page.read_text(encoding="utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []


@pytest.mark.parametrize(
    "text",
    [
        '<script src="https://example.org/a.js">',
        "<img class=x src='//example.org/a.png'>",
        '<link rel="stylesheet" href="https://example.org/a.css">',
        '@font-face { src: url("https://example.org/a.woff2"); }',
        '@import "http://example.org/a.css";',
        '<pre class="mermaid">',
    ],
)
def test_loading_from_another_server_is_reported(text: str):
    assert len(loads_from_outside(text)) == 1


@pytest.mark.parametrize("text", ['<a href="https://example.org">', '<img src="a.png">'])
def test_links_and_own_files_are_not_reported(text: str):
    assert loads_from_outside(text) == []
