from pathlib import Path

from seminar.datasets.catalog import documents
from seminar.types import Document, Element, Link, Section


def test_article_with_sections_and_links(files: Path):
    [article] = documents("wikispeedia", files)
    assert article == Document(
        source="Lindmere",
        title="Lindmere",
        text=(
            "Lindmere\nLindmere is a town by the sound.\n History\nIt was founded in 1702.\n"
            "Ferry\nThe ferry began in 1922.\nPeople"
        ),
        sections=(
            Section("Lindmere", 0, 42),
            Section("History", 42, 75),
            Section("History > Ferry", 75, 106),
            Section("People", 106, 112),
        ),
        links=(Link(35, 40, "Sound"), Link(85, 90, "Ferry")),
        elements=(
            Element("0", 0, 8),
            Element("2", 9, 41),
            Element("3", 42, 50),
            Element("4", 51, 74),
            Element("5", 75, 80),
            Element("6", 81, 105),
            Element("7", 106, 112),
        ),
    )
    assert [article.text[link.start : link.end] for link in article.links] == ["sound", "ferry"]
