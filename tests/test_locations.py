"""Files, columns and lines of spans, over real files that were indexed."""

from pathlib import Path

import pytest

from seminar.ingestion.discover import SourceFile
from seminar.ingestion.loader import read_passages
from seminar.locations import find_file, locate
from seminar.types import Passage, Span


def passages(folder: Path, name: str) -> list[Passage]:
    return list(read_passages(SourceFile(folder / name, name), lambda _: None))


def span_of(folder: Path, name: str, words: str) -> Span:
    passage = next(one for one in passages(folder, name) if words in one.text)
    start = passage.text.index(words)
    return Span(passage, start, start + len(words))


@pytest.mark.parametrize(
    ("name", "content", "words", "citation"),
    [
        ("a.txt", "The ferry.\nIt takes 55 minutes.\n", "55 minutes", "a.txt:2:10"),
        ("a.md", "# A\n\nIt is *very* long: **55 minutes**.\n", "55 minutes", "a.md:3:22"),
        ("a.md", "# A\n\nFree, and free for dogs.\n", "free", "a.md:3:11"),
        ("a.html", "<h1>A</h1>\n<p>It is  <b>55</b> miles.</p>\n", "55", "a.html:2:14"),
        ("a.md", "# A\n\nIt takes 55 *minutes* now.\n", "55 minutes", "a.md:3"),
        ("a.py", '"""The gate.\n\nIt opens at four.\n"""\n', "four", "a.py:3:13"),
        ("a.txt", "Café Zürich öffnet um neun.\n", "neun", "a.txt:1:23"),
    ],
)
def test_line_and_column_are_those_of_the_file(
    tmp_path: Path, name: str, content: str, words: str, citation: str
):
    (tmp_path / name).write_text(content, encoding="utf-8")
    found = locate(span_of(tmp_path, name, words), {name: tmp_path / name})
    assert (found.citation, found.file) == (citation, tmp_path / name)


def test_second_occurrence_of_a_word_in_a_line_has_its_own_column(tmp_path: Path):
    (tmp_path / "a.txt").write_text("One boat, two boat, three boat.\n")
    [passage] = passages(tmp_path, "a.txt")
    columns = [
        locate(Span(passage, at, at + 4), {"a.txt": tmp_path / "a.txt"}).column
        for at in (4, 14, 26)
    ]
    assert columns == [5, 15, 27]


def test_changed_file_has_no_column(tmp_path: Path):
    (tmp_path / "a.txt").write_text("It takes 55 minutes.\n")
    span = span_of(tmp_path, "a.txt", "55 minutes")
    (tmp_path / "a.txt").write_text("It takes an hour and more.\n")
    assert locate(span, {"a.txt": tmp_path / "a.txt"}).column is None
    (tmp_path / "a.txt").unlink()
    assert locate(span, {"a.txt": tmp_path / "a.txt"}).file is None


def test_index_without_files_gives_the_line_only(tmp_path: Path):
    (tmp_path / "a.txt").write_text("It takes 55 minutes.\n")
    found = locate(span_of(tmp_path, "a.txt", "55"), {})
    assert (found.citation, found.file, found.column) == ("a.txt:1", None, None)


def test_file_within_a_folder_that_is_read_as_one_is_found(tmp_path: Path):
    day = tmp_path / "boathouse" / "2024-01-02.json"
    day.parent.mkdir()
    day.write_text("[]")
    files = {"slack/boathouse": day.parent}
    assert find_file("slack/boathouse/2024-01-02.json", files) == day
    assert find_file("slack/boathouse/2024-01-03.json", files) is None


@pytest.mark.parametrize("source", ["../a.txt", "sub/../../a.txt", "sub/link", "other.txt", ""])
def test_source_never_leads_out_of_its_folder(tmp_path: Path, source: str):
    (tmp_path / "a.txt").write_text("secret")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "link").symlink_to(tmp_path / "a.txt")
    assert find_file(f"sub/{source}", {"sub": tmp_path / "sub"}) is None
    assert find_file(source, {"sub": tmp_path / "sub"}) is None
