"""The keys or tags at the beginning of a file, by which its dataset is recognised."""

from __future__ import annotations

import re
from pathlib import Path

from seminar.datasets.files import read_lines
from seminar.errors import DatasetError

KEY = re.compile(r'"(?P<key>[^"\\]{1,40})"\s*:|<(?P<tag>\w{1,40})[ >]')
PEEK = 200_000


def opening_keys(path: Path) -> set[str]:
    """The JSON keys and XML tags in the first 200,000 characters of a file.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "unknown.json")
    ...     _ = path.write_text('[{"article_segment_id": "bc3-1", "QG": false}]')
    ...     sorted(opening_keys(path))
    ['QG', 'article_segment_id']
    """
    return {match["key"] or match["tag"] for match in KEY.finditer(_beginning(path))}


def _beginning(path: Path) -> str:
    lines: list[str] = []
    length = 0
    try:
        for _, line in read_lines(path):
            lines.append(line[:PEEK])
            length += len(line)
            if length > PEEK:
                break
    except DatasetError:
        return "\n".join(lines)
    return "\n".join(lines)
