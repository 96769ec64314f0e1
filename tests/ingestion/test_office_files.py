"""Every Office format from end to end: questions about a table, and hostile files."""

import random
import sys
import zipfile
from pathlib import Path

import pytest

from seminar.assembly import open_files
from seminar.errors import IngestionError, MissingExtraError
from seminar.ingestion.discover import Problem, SourceFile
from seminar.ingestion.documents import docx, pptx, rtf, xlsx
from seminar.ingestion.loader import read
from seminar.ingestion.streams import packages
from seminar.types import Dialogue, Document
from tests.ingestion.documents.packages_made import open_document
from tests.ingestion.office_files import MAKERS, make_docx

PACKAGES = [kind for kind in MAKERS if kind not in ("rtf", "csv")]
PLACES = {
    "docx": (None, None, "table 1, row 3"),
    "pptx": (1, None, "slide 1"),
    "xlsx": (None, None, "'Fares of the ferry'!A3:B3"),
    "ods": (None, None, "'Fares of the ferry'!A3:B3"),
    "odt": (None, None, "table 1, row 3"),
    "odp": (1, None, "slide 1"),
    "epub": (None, 1, None),
    "rtf": (None, None, "table 1, row 3"),
    "csv": (None, 3, None),
}
BOMB = b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;&b;">]>'
MUTATIONS = 200  # of all formats together


@pytest.fixture(autouse=True)
def private_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEMINAR_HOME", str(tmp_path / "home"))


def items(path: Path, notes: list[Problem] | None = None) -> list[Document]:
    file = SourceFile(path, path.name)
    found = list(read(file, (notes if notes is not None else []).append))
    return [item for item in found if isinstance(item, Document)]


def refusal(path: Path) -> str:
    """The line of the error that a file gives; empty for one that is read."""
    try:
        items(path)
    except IngestionError as error:
        return str(error)
    return ""


def reason(path: Path) -> str:
    """Why a file is refused."""
    line = refusal(path)
    assert line.startswith(f"{path.name}: ")
    assert "\n" not in line
    return line.removeprefix(f"{path.name}: ")


@pytest.mark.parametrize("kind", MAKERS)
def test_question_about_a_table_is_answered_by_the_cell_and_cites_the_row(
    tmp_path: Path, kind: str
):
    MAKERS[kind](tmp_path / f"fares.{kind}")
    opened = open_files([tmp_path / f"fares.{kind}"])
    reply = opened.assistant.reply(Dialogue(), "How much is it for children?")
    assert reply.text == "4 pounds"
    [span] = reply.literal
    row = span.passage.text.split("\n")[-1]
    assert row == "Ticket: Child; Price: 4 pounds"
    assert (span.page, span.line, span.place) == PLACES[kind]


@pytest.mark.parametrize("kind", PACKAGES)
def test_package_that_unpacks_to_too_much_is_refused(tmp_path: Path, kind: str):
    MAKERS[kind](tmp_path / f"a.{kind}")
    with zipfile.ZipFile(tmp_path / f"a.{kind}", "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb.bin", bytes(60_000_000))
    assert "expands to 60," in reason(tmp_path / f"a.{kind}")


@pytest.mark.parametrize("kind", PACKAGES)
def test_package_that_declares_entities_is_refused(tmp_path: Path, kind: str):
    MAKERS[kind](tmp_path / f"good.{kind}")
    with (
        zipfile.ZipFile(tmp_path / f"good.{kind}") as good,
        zipfile.ZipFile(tmp_path / f"a.{kind}", "w") as bad,
    ):
        for name in good.namelist():
            content = good.read(name)
            bad.writestr(
                name, BOMB + content.partition(b"?>")[2] if name.endswith("xml") else content
            )
    assert "declares a document type" in reason(tmp_path / f"a.{kind}")


def test_package_of_very_many_entries_is_refused(tmp_path: Path):
    with zipfile.ZipFile(tmp_path / "a.docx", "w") as archive:
        for number in range(packages.ENTRY_LIMIT + 1):
            archive.writestr(f"{number}.bin", b"")
    assert "more than 20,000 entries" in reason(tmp_path / "a.docx")


@pytest.mark.parametrize("kind", PACKAGES)
def test_old_or_encrypted_office_file_is_named_as_such(tmp_path: Path, kind: str):
    (tmp_path / f"a.{kind}").write_bytes(bytes.fromhex("d0cf11e0a1b11ae1") + bytes(1_000))
    assert reason(tmp_path / f"a.{kind}").startswith("encrypted, or of an old Office format")


def test_mutated_files_give_one_line_each_and_the_good_ones_are_read(tmp_path: Path):
    rolls = random.Random(23)
    for number in range(MUTATIONS):
        kind = list(MAKERS)[number % len(MAKERS)]
        path = tmp_path / f"a.{kind}"
        MAKERS[kind](path)
        content = bytearray(path.read_bytes())
        if rolls.random() < 0.3:
            del content[rolls.randrange(len(content)) :]
        for _ in range(rolls.choice((1, 5, 40)) if content else 0):
            content[rolls.randrange(len(content))] ^= 1 << rolls.randrange(8)
        path.write_bytes(content)
        line = refusal(path)
        assert "\n" not in line
        assert "crashed" not in line
    for kind, make in MAKERS.items():
        make(tmp_path / f"a.{kind}")
        [found] = items(tmp_path / f"a.{kind}")
        assert found.text.endswith("Ticket: Child; Price: 4 pounds")


@pytest.mark.parametrize(
    ("kind", "reader", "library"),
    [
        ("docx", docx.read, "docx"),
        ("pptx", pptx.read, "pptx"),
        ("xlsx", xlsx.read, "openpyxl"),
        ("rtf", rtf.read, "striprtf.striprtf"),
    ],
)
def test_missing_extra_is_one_line_with_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, reader, library: str
):
    MAKERS[kind](tmp_path / f"a.{kind}")
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingExtraError, match=r"pip install 'seminar\[office\]'$"):
        list(reader(tmp_path / f"a.{kind}", f"a.{kind}", pytest.fail))


def test_damaged_files_are_problems_and_the_good_one_beside_them_is_answered_from(tmp_path: Path):
    folder = tmp_path / "files"
    folder.mkdir()
    for kind in PACKAGES:
        MAKERS[kind](folder / f"bad.{kind}")
        content = (folder / f"bad.{kind}").read_bytes()
        (folder / f"bad.{kind}").write_bytes(content[: len(content) // 2])
    make_docx(folder / "good.docx")
    opened = open_files([folder])
    assert opened.sources == ["good.docx"]
    assert sorted(str(problem) for problem in opened.problems) == sorted(
        f"bad.{kind}: damaged, or not what its name says" for kind in PACKAGES
    )
    assert opened.assistant.reply(Dialogue(), "How much is it for children?").text == "4 pounds"


@pytest.mark.parametrize(
    ("kind", "entry", "old", "new", "expected"),
    [
        ("docx", "word/document.xml", b"UTF-8", b"UTF-T", "unknown encoding"),
        ("pptx", "ppt/_rels/presentation.xml.rels", b" Type=", b" Kind=", "InvalidXmlError"),
        ("odt", "content.xml", b"<table:table-row>", b"", "mismatched tag"),
    ],
)
def test_damaged_part_is_named_in_the_line(
    tmp_path: Path, kind: str, entry: str, old: bytes, new: bytes, expected: str
):
    MAKERS[kind](tmp_path / f"good.{kind}")
    with (
        zipfile.ZipFile(tmp_path / f"good.{kind}") as good,
        zipfile.ZipFile(tmp_path / f"a.{kind}", "w") as bad,
    ):
        for name in good.namelist():
            content = good.read(name)
            bad.writestr(name, content.replace(old, new, 1) if name == entry else content)
    assert expected in reason(tmp_path / f"a.{kind}")


def test_cells_outside_of_rows_are_read(tmp_path: Path):
    cells = "<table:table-cell><text:p>Child</text:p></table:table-cell>" * 2
    body = f"<office:text><text:p>Fares</text:p><table:table>{cells}</table:table></office:text>"
    [found] = items(open_document(tmp_path / "a.odt", body))
    assert found.text.startswith("Fares")
