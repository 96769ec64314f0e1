import os
from pathlib import Path

import pytest

from seminar.errors import IngestionError
from seminar.ingestion.discover import Problem, SourceFile, discover
from seminar.ingestion.formats import choose
from seminar.ingestion.loader import read
from seminar.ingestion.sandbox.pool import Sandbox
from seminar.ingestion.streams import decoding

PLAIN = ["a.txt", "a.md", "a.html", "a.unknown"]


def texts(path: Path, notify=print) -> list[str]:
    return [document.text for document in read(SourceFile(path, f"docs/{path.name}"), notify)]


def refusal(path: Path) -> str:
    with pytest.raises(IngestionError) as error:
        texts(path)
    message = str(error.value)
    assert "\n" not in message
    assert message.startswith(f"docs/{path.name}: ")
    return message.removeprefix(f"docs/{path.name}: ")


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("a.HTML", "html"),
        ("a.htm", "html"),
        ("README.md", "markdown"),
        ("LICENSE", "text"),
        ("a.rst", "rst"),
        ("a.unknown", "text"),
        ("a.PY", "source code"),
        ("a.toml", "toml"),
        ("a.ipynb", "notebook"),
        ("a.mht", "mhtml"),
        ("a.json", "json"),
        ("a.tex", "text"),
        ("a.pdf", "pdf"),
        ("simplewiki.xml", "mediawiki"),
    ],
)
def test_suffix_chooses_the_format(tmp_path: Path, name: str, form: str):
    (tmp_path / name).write_text("text")
    assert choose(tmp_path / name).name == form


def test_first_bytes_choose_between_formats_of_one_suffix(tmp_path: Path):
    (tmp_path / "wiki_00").write_text('<doc id="1" title="T">')
    assert choose(tmp_path / "wiki_00").name == "wikiextractor"


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize("content", [b"", b" \n\t\r\n", b"\xef\xbb\xbf \n"])
def test_file_without_text_is_refused(tmp_path: Path, name: str, content: bytes):
    (tmp_path / name).write_bytes(content)
    assert refusal(tmp_path / name).startswith("empty: ")


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize("content", [b"\x89PNG\r\n\x1a\n\0\0", bytes(range(256)), b"a\0b"])
def test_binary_content_is_refused_under_any_name(tmp_path: Path, name: str, content: bytes):
    (tmp_path / name).write_bytes(content)
    assert refusal(tmp_path / name) == "binary: not a text file"


@pytest.mark.parametrize("name", PLAIN)
def test_guessed_encoding_gives_a_notice(tmp_path: Path, name: str):
    (tmp_path / name).write_bytes("The café opens at nine.".encode("cp1252"))
    problems: list[Problem] = []
    assert texts(tmp_path / name, problems.append) == ["The café opens at nine."]
    assert [str(problem) for problem in problems] == [
        f"docs/{name}: not UTF-8; read as windows-1252"
    ]


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_unicode_with_byte_order_mark_is_read(tmp_path: Path, name: str, encoding: str):
    text = "שלום עולם, 👩‍👩‍👧 and e\u0301."
    (tmp_path / name).write_bytes(text.encode(encoding))
    assert texts(tmp_path / name) == [text]


@pytest.mark.parametrize("name", PLAIN)
def test_bytes_of_no_encoding_are_refused(tmp_path: Path, name: str):
    (tmp_path / name).write_bytes(bytes(range(0x80, 0x100)) * 20)
    assert refusal(tmp_path / name).startswith("unknown encoding")


@pytest.mark.parametrize("name", PLAIN)
def test_line_ends_of_every_system_are_normalised(tmp_path: Path, name: str):
    (tmp_path / name).write_bytes(b"<p>One.</p>\r\n\r\n<p>Two.</p>\r\r")
    [text] = texts(tmp_path / name)
    assert "\r" not in text
    assert text.count("\n\n") == 1


@pytest.mark.parametrize("name", PLAIN)
def test_line_above_the_limit_is_refused(tmp_path: Path, name: str):
    (tmp_path / name).write_bytes(b"first\n" + b"word " * 2_000_000)
    assert "is longer than 1,000,000 characters" in refusal(tmp_path / name)


def test_file_above_the_limit_is_refused(tmp_path: Path):
    path = tmp_path / "a.txt"
    with path.open("wb") as file:
        file.truncate(decoding.FILE_LIMIT + 1)
    assert refusal(path) == (
        "100,000,001 bytes are more than the 100,000,000 that a document may have"
    )


def test_folder_or_missing_file_is_refused(tmp_path: Path):
    (tmp_path / "folder.md").mkdir()
    assert refusal(tmp_path / "folder.md") == "can't be read: Is a directory"
    assert refusal(tmp_path / "gone.txt") == "can't be read: No such file or directory"


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is closed to root")
def test_unreadable_file_is_refused(tmp_path: Path):
    (tmp_path / "a.md").write_text("x")
    (tmp_path / "a.md").chmod(0)
    assert refusal(tmp_path / "a.md") == "can't be read: Permission denied"


def test_compressed_documents_are_refused(tmp_path: Path):
    (tmp_path / "a.html.gz").write_bytes(b"\x1f\x8b")
    assert refusal(tmp_path / "a.html.gz").startswith("cut off")
    (tmp_path / "a.md.bz2").write_bytes(b"BZh9\x17\x72\x45\x38\x50\x90\0\0\0\0")
    reason = "compressed, and neither a wiki dump nor a tar; unpack it first"
    assert refusal(tmp_path / "a.md.bz2") == reason


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.txt", "Nine."), ("wiki_00", '<doc id="1" title="T">\nNine.\n</doc>\n')],
)
def test_text_is_read_by_a_worker(tmp_path: Path, name: str, content: str):
    (tmp_path / name).write_text(content)
    sandbox = Sandbox()
    [document] = read(SourceFile(tmp_path / name, name), print, sandbox=sandbox)
    assert document.text == "Nine."
    assert len(sandbox._idle) == 1
    sandbox.close()


def test_bad_file_leaves_the_others_readable(tmp_path: Path):
    (tmp_path / "a.md").write_text("# A\n\nGood.")
    (tmp_path / "b.pdf").write_bytes(b"%PDF-1.7 broken")
    (tmp_path / "c.html").write_text("<div>" * 100_000)
    (tmp_path / "d.html").write_text("<p>Good.")
    files, problems = discover([tmp_path])
    found, refused = [], []
    for file in files:
        try:
            found += [document.source for document in read(file, problems.append)]
        except IngestionError as error:
            refused.append(str(error))
    assert problems == []
    assert found == ["a.md", "d.html"]
    assert refused == [
        "b.pdf: damaged, or not a PDF at all",
        "c.html: elements nested more than 2,000 deep",
    ]


@pytest.mark.parametrize(
    ("name", "expected"), [("a.doc", ".docx"), ("a.XLS", ".xlsx"), ("a.ppt", ".pptx")]
)
def test_old_office_file_is_refused_with_what_to_save_it_as(
    tmp_path: Path, name: str, expected: str
):
    (tmp_path / name).write_bytes(bytes.fromhex("d0cf11e0a1b11ae1") + bytes(1_000))
    assert refusal(tmp_path / name).endswith(f"files are not read; save it as {expected}")


def test_flat_opendocument_is_refused_with_what_to_save_it_as(tmp_path: Path):
    (tmp_path / "a.fodt").write_text('<?xml version="1.0"?><office:document/>')
    assert refusal(tmp_path / "a.fodt") == ".fodt files are not read; save it as .odt"


@pytest.mark.parametrize(
    "content",
    ["{\\rtf1 It leaves at nine.}", "<html><p>It leaves at nine.</p></html>", "It leaves at nine."],
)
def test_rich_text_pages_and_text_with_the_suffix_of_word_are_read(tmp_path: Path, content: str):
    (tmp_path / "a.doc").write_text(content)
    [found] = read(SourceFile(tmp_path / "a.doc", "a.doc"), pytest.fail)
    assert found.text == "It leaves at nine."
