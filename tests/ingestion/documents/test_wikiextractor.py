import bz2
import json
from pathlib import Path

import pytest

from seminar.errors import IngestionError
from seminar.ingestion.discover import SourceFile
from seminar.ingestion.documents.wikiextractor import parse, read
from seminar.ingestion.loader import read as read_file
from seminar.types import Document

DOCS = """<doc id="1" url="https://e.org?curid=1" title="Ferry &amp; Co">
Ferry &amp; Co

A ferry is a <a href="Water%20boat#x">boat</a> &lt; ship.

History.
The first ferry sailed in 1800, they say.
BULLET::::- One
BULLET::::- Two
Section::::History:Steam.
Then came steam.

</doc>
<doc id="2" url="" title="Empty">
Empty

</doc>
"""


def documents(path: Path) -> list[Document]:
    return list(read(path, path.name, print))


def test_doc_elements_give_articles(tmp_path: Path):
    path = tmp_path / "wiki_00"
    path.write_text(DOCS)
    [document] = documents(path)
    assert (document.source, document.title) == ("wiki_00#Ferry & Co", "Ferry & Co")
    assert document.text == (
        "A ferry is a boat < ship.\n\nHistory\n\nThe first ferry sailed in 1800, they say."
        "\n\nOne\nTwo\n\nSteam\n\nThen came steam."
    )
    assert [section.title for section in document.sections] == ["", "History", "History > Steam"]
    [link] = document.links
    assert document.text[link.start : link.end] == "boat"
    assert link.target == "wiki_00#Water boat"


@pytest.mark.parametrize("name", ["wiki_01", "wiki_01.bz2", "pages.jsonl"])
def test_json_lines_and_packed_files_are_recognised_by_their_first_bytes(tmp_path: Path, name: str):
    lines = [
        json.dumps(
            {"id": str(number), "url": "", "title": f"T{number}", "text": f"T{number}\n\nA."}
        )
        for number in range(2)
    ]
    content = "\n".join(lines).encode()
    path = tmp_path / name
    path.write_bytes(bz2.compress(content) if name.endswith("bz2") else content)
    found = list(read_file(SourceFile(path, name), print))
    assert [(document.source, document.text) for document in found] == [
        (f"{name}#T0", "A."),
        (f"{name}#T1", "A."),
    ]


def test_line_of_an_article_may_begin_with_a_brace(tmp_path: Path):
    path = tmp_path / "wiki_00"
    path.write_text(
        '<doc id="1" title="Sets">\n{1, 2} is a set.\n</doc>\n'
        '<doc id="2" title="Ferry">\nIt leaves at nine.\n</doc>\n'
    )
    assert [document.text for document in documents(path)] == [
        "{1, 2} is a set.",
        "It leaves at nine.",
    ]


def test_many_lines_are_read_in_linear_time():
    document = parse([*[(1, "<br>")] * 400_000, (2, "ab")], "wiki_00#T", file="wiki_00")
    assert document is not None
    assert document.text == "ab"


def test_unclosed_doc_tag_is_no_article(tmp_path: Path):
    path = tmp_path / "wiki_00"
    path.write_text("<doc " + 'title="" ' * 400_000)
    with pytest.raises(IngestionError, match="line 1 is outside of any <doc>"):
        documents(path)


def test_lone_surrogate_is_marked_unreadable(tmp_path: Path):
    path = tmp_path / "wiki_00"
    path.write_text('{"id": "1", "title": "T", "text": "a \\ud800 b"}')
    assert documents(path)[0].text == "a \ufffd b"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ('<doc id="1" title="T">\ntext\n', "cut off within the article 'T'"),
        ('<doc id="1" title="T">\n</doc>\nstray\n', "line 3 is outside of any <doc>"),
        ('{"id": "1", "title": "T"}\n', "line 1 is not an article"),
        ('{"id": "1", "title": "T", "te', "line 1 is not an article"),
        ('<doc id="1" title="T">\n' + "x" * 4_100_000, "line 2 is longer than"),
    ],
)
def test_errors_name_the_damaged_line(tmp_path: Path, content: str, reason: str):
    path = tmp_path / "wiki_00"
    path.write_text(content)
    with pytest.raises(IngestionError, match=reason):
        documents(path)
