"""MkDocs hooks: the cards of the shipped weights become pages of the site."""

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

WEIGHTS = Path(__file__).parent.parent / "seminar" / "models" / "weights"
CARD = re.compile(r"\((?:\.\./)+seminar/models/weights/([\w-]+)/card\.md\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the card of every shipped model as cards/NAME.md."""
    for card in sorted(WEIGHTS.glob("*/card.md")):
        text = card.read_text(encoding="utf-8").replace("../../../../docs/", "../")
        files.append(File.generated(config, f"cards/{card.parent.name}.md", content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Let links to a card in the repository lead to its page."""
    folder = posixpath.dirname(page.file.src_uri)
    return CARD.sub(lambda link: f"({posixpath.relpath(f'cards/{link[1]}.md', folder)})", markdown)
