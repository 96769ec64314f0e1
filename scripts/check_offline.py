"""Check that no file of a built site makes a browser load anything from another server.

Run as `python scripts/check_offline.py site`. Links that a reader may follow are allowed.
"""

import re
import sys
from pathlib import Path

ADDRESS = r"""["']?\s*(?:https?:)?//[^"'\s>)]+"""
LOADED = [
    re.compile(rf"<(?!a\b)\w+\b[^>]*?\s(?:src|srcset|data|poster)={ADDRESS}"),
    re.compile(rf"<link\b[^>]*?\shref={ADDRESS}"),
    re.compile(rf"url\({ADDRESS}"),
    re.compile(rf"@import\s+{ADDRESS}"),
    re.compile(r'class="mermaid"'),  # the theme would fetch the program that draws such a diagram
]
CHECKED = {".css", ".html", ".svg"}


def loads_from_outside(text: str) -> list[str]:
    """References of a page, style sheet or picture that a browser follows by itself.

    >>> loads_from_outside('<script src="https://example.org/a.js"></script>')
    ['<script src="https://example.org/a.js']
    >>> loads_from_outside('<a href="https://example.org">a link</a> <img src="a.png">')
    []
    """
    return [match[0] for pattern in LOADED for match in pattern.finditer(text)]


def main(site: Path) -> None:
    """Exit with the list of such references, if there are any."""
    files = sorted(file for file in site.rglob("*") if file.suffix in CHECKED)
    problems = [
        f"{file.relative_to(site)} loads from outside: {reference[:200]}"
        for file in files
        for reference in loads_from_outside(file.read_text(encoding="utf-8"))
    ]
    if problems or not files:
        sys.exit("\n".join(problems) or f"{site}: no pages to check; run scripts/docs build")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
