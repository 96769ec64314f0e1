from pathlib import Path

import pytest

from seminar.errors import IngestionError
from seminar.ingestion.documents.rtf import read
from seminar.types import Document

HANDBOOK = (
    rb"""{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\froman\fcharset0 Times;}}
{\stylesheet{\s1\outlinelevel0 heading 1;}}
{\info{\title Visitors' handbook}{\author Ada}}
\pard\plain\s1\outlinelevel0\b The harbour\par
\pard\plain It is \i small\i0 ; caf\'e9 and \u8364?4.\par
{\pict\pngblip """
    + b"89504e470d0a" * 500
    + rb"""}
\pard\plain\s2\outlinelevel1 Fares\par
\pard\plain\bullet  by boat\par
\bullet  by train\par
\trowd\cellx1000\cellx2000\pard\intbl Ticket\cell Price\cell\row
\trowd\cellx1000\cellx2000\pard\intbl Child\cell 4 pounds\cell\row
\pard\plain A line\line break.\par}"""
)


def document(path: Path, content: bytes) -> Document:
    path.write_bytes(content)
    [found] = read(path, path.name, pytest.fail)
    return found


def test_rich_text_gives_headings_paragraphs_and_rows(tmp_path: Path):
    found = document(tmp_path / "a.rtf", HANDBOOK)
    assert found.title == "Visitors' handbook"
    assert found.text.split("\n\n") == [
        "The harbour",
        "It is small; café and €4.",
        "Fares",
        "• by boat\n• by train",
        "Ticket | Price\nTicket: Child; Price: 4 pounds",
        "A line",
        "break.",
    ]
    assert [section.title for section in found.sections] == ["The harbour", "The harbour > Fares"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"plain words", "no rich text"),
        (b"{\\rtf1}", "empty"),
        (b"", "empty"),
        (b"{\\rtf1 \\u99999999999? a}", "damaged"),
    ],
)
def test_damaged_rich_text_is_refused(tmp_path: Path, content: bytes, reason: str):
    with pytest.raises(IngestionError, match=reason):
        document(tmp_path / "a.rtf", content)


def test_surrogate_pairs_are_joined_and_halves_replaced(tmp_path: Path):
    pair, half = rb"{\rtf1 a \u-10179?\u-8704? b}", rb"{\rtf1 a \u55357? b}"
    assert document(tmp_path / "a.rtf", pair).text == "a 😀 b"
    assert document(tmp_path / "a.rtf", half).text == "a \ufffd b"
