"""Archives are read as folders, whatever their entries are called and claim."""

import io
import random
import stat
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from seminar.errors import IngestionError
from seminar.ingestion.discover import Problem, SourceFile, discover
from seminar.ingestion.loader import read
from seminar.ingestion.sandbox.pool import Sandbox
from seminar.ingestion.sandbox.processes import Limits
from seminar.types import Document, Thread

FILES = {
    "docs/ferry.md": "# The ferry\n\nIt costs four pounds.",
    "docs/times.txt": "It leaves at nine.",
    ".hidden/secret.md": "Nobody reads this.",
    "src/app.py": "print('code')",
    "docs/.gitignore": "drafts/",
    "docs/drafts/old.md": "It cost three pounds.",
}
TARS = {".tar": "w", ".tar.gz": "w:gz", ".tgz": "w:gz", ".tar.bz2": "w:bz2", ".tar.xz": "w:xz"}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with closing(Sandbox(Limits(seconds=20))) as made:
        yield made


def zipped(files: dict[str, str | bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return content.getvalue()


def tarred(files: dict[str, str], mode: str = "w") -> bytes:
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode=mode) as archive:  # type: ignore[call-overload]
        for name, text in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(text.encode())
            archive.addfile(entry, io.BytesIO(text.encode()))
    return content.getvalue()


def items(path: Path, sandbox: Sandbox) -> tuple[dict[str, str], list[str], str]:
    """The texts by source, the notices, and the error."""
    found: dict[str, str] = {}
    notes: list[Problem] = []
    try:
        for item in read(SourceFile(path, path.name), notes.append, sandbox=sandbox):
            found[item.source] = item.text
    except IngestionError as error:
        return found, [note.reason for note in notes], str(error)
    return found, [note.reason for note in notes], ""


@pytest.mark.parametrize("suffix", [".zip", *TARS])
def test_the_files_of_an_archive_are_read_as_those_of_a_folder(
    tmp_path: Path, sandbox: Sandbox, suffix: str
):
    path = tmp_path / f"pack{suffix}"
    path.write_bytes(zipped({**FILES}) if suffix == ".zip" else tarred(FILES, TARS[suffix]))
    found, notes, error = items(path, sandbox)
    assert found == {
        f"pack{suffix}/docs/ferry.md": "The ferry\n\nIt costs four pounds.",
        f"pack{suffix}/docs/times.txt": "It leaves at nine.",
    }
    assert notes == ["passed over 1 file of code or settings (1 .py); --include '*' reads them too"]
    assert error == ""


def test_an_archive_in_a_folder_is_a_document_of_it(tmp_path: Path):
    (tmp_path / "pack.zip").write_bytes(zipped({"a.md": "It leaves at nine."}))
    (tmp_path / "pack.tar.gz").write_bytes(tarred({"a.md": "It leaves at ten."}, "w:gz"))
    (tmp_path / "app.py").write_text("print()")
    files, _ = discover([tmp_path])
    assert [file.source for file in files] == ["pack.tar.gz", "pack.zip"]


def test_folders_that_are_read_as_one_are_so_in_archives(tmp_path: Path, sandbox: Sandbox):
    day = '[{"type": "message", "user": "U1", "ts": "1700000000.0", "text": "Four pounds."}]'
    path = tmp_path / "export.tar"
    path.write_bytes(tarred({"general/2023-11-14.json": day, "users.json": "[]"}))
    file = SourceFile(path, path.name)
    [thread] = read(file, print, sandbox=sandbox)
    assert isinstance(thread, Thread)
    assert thread.channel.startswith("export.tar/general")


def test_archives_inside_are_read_to_a_depth(tmp_path: Path, sandbox: Sandbox):
    content: bytes = zipped({"deep.md": "At the bottom."})
    for level in range(3):
        content = zipped({f"{level}.zip": content, f"{level}.md": f"Level {level}."})
    path = tmp_path / "a.zip"
    path.write_bytes(content)
    found, notes, error = items(path, sandbox)
    assert list(found) == ["a.zip/2.md", "a.zip/2.zip/1.md", "a.zip/2.zip/1.zip/0.md"]
    assert notes == ["2.zip: 1.zip: 0.zip: an archive more than 3 archives deep"]
    assert error == ""


@pytest.mark.parametrize(
    "name", ["../out.md", "/etc/out.md", "a/../../out.md", "C:/out.md", "..\\out.md", "x" * 300]
)
def test_names_that_lead_out_are_left_out(tmp_path: Path, sandbox: Sandbox, name: str):
    path = tmp_path / "a.zip"
    path.write_bytes(zipped({name: "Out.", "in.md": "In."}))
    found, notes, _ = items(path, sandbox)
    assert list(found) == ["a.zip/in.md"]
    assert notes == ["1 entry left out: names that lead out of it or can't be used"]
    assert list(tmp_path.parent.rglob("out.md")) == []


def test_links_and_devices_are_left_out(tmp_path: Path, sandbox: Sandbox):
    path = tmp_path / "a.tar"
    with tarfile.open(path, "w") as archive:
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE):
            entry = tarfile.TarInfo(f"{kind.decode()}.md")
            entry.type, entry.linkname = kind, "/etc/hostname"
            archive.addfile(entry)
        entry = tarfile.TarInfo("in.md")
        entry.size = 3
        archive.addfile(entry, io.BytesIO(b"In."))
    found, notes, _ = items(path, sandbox)
    assert (list(found), notes) == (["a.tar/in.md"], ["3 entries left out: links or devices"])


def test_links_in_a_zip_are_left_out(tmp_path: Path, sandbox: Sandbox):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        link = zipfile.ZipInfo("link.md")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/hostname")
        archive.writestr("in.md", "In.")
    found, notes, _ = items(path, sandbox)
    assert (list(found), notes) == (["a.zip/in.md"], ["1 entry left out: links or devices"])


def test_a_bomb_is_read_only_to_its_bound(tmp_path: Path, sandbox: Sandbox):
    path = tmp_path / "bomb.zip"
    path.write_bytes(zipped({"a.md": "It leaves at nine.", "b.md": b"0" * 120_000_000}))
    found, _, error = items(path, sandbox)
    assert list(found) == ["bomb.zip/a.md"]
    assert "expands more than 100-fold" in error


def test_too_many_entries_are_left_out(tmp_path: Path, sandbox: Sandbox):
    path = tmp_path / "many.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.md", "It leaves at nine.")
        for number in range(20_000):
            archive.writestr(f"{number}.png", b"")
    found, notes, error = items(path, sandbox)
    assert list(found) == ["many.zip/a.md"]
    assert notes == ["19999 entries left out: not documents"]
    assert "more than 20,000 entries" in error


def test_a_broken_file_inside_costs_only_itself(tmp_path: Path, sandbox: Sandbox):
    path = tmp_path / "a.zip"
    path.write_bytes(zipped({"bad.pdf": "no pdf", "good.md": "It leaves at nine."}))
    found, notes, error = items(path, sandbox)
    assert (list(found), error) == (["a.zip/good.md"], "")
    assert notes == ["bad.pdf: damaged, or not a PDF at all"]


def test_a_truncated_archive_gives_what_came_before(tmp_path: Path, sandbox: Sandbox):
    chance = random.Random(1)
    path = tmp_path / "a.tar.gz"
    texts = {f"{at}.md": "".join(chance.choices("abcdefg ", k=5_000)) for at in range(20)}
    path.write_bytes(tarred(texts, "w:gz")[:20_000])
    found, _, error = items(path, sandbox)
    assert 3 < len(found) < 20
    assert "damaged" in error


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.zip", b"", "neither a zip nor a tar"),
        ("a.tar", b"text", "neither a zip nor a tar"),
        ("a.xz", b"text", "neither a zip nor a tar"),
        ("a.zip", zipped({"a.png": b"\x89PNG"}), "it holds no file that can be read"),
        ("notes.txt.gz", b"text", "damaged: it can't be unpacked"),
    ],
)
def test_what_is_no_archive_is_refused(
    tmp_path: Path, sandbox: Sandbox, name: str, content: bytes, reason: str
):
    path = tmp_path / name
    path.write_bytes(content)
    found, _, error = items(path, sandbox)
    assert (found, error.startswith(f"{name}: "), reason in error) == ({}, True, True)


def test_nothing_that_was_unpacked_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(place))
    path = tmp_path / "a.zip"
    path.write_bytes(
        zipped({"a.md": "It leaves at nine.", "b.md": "It returns at ten.\n\n" * 20_000})
    )
    with closing(Sandbox()) as own:
        reading = read(SourceFile(path, "a.zip"), print, sandbox=own)
        assert isinstance(next(reading), Document)
        assert list(place.rglob("a.md"))
        reading.close()  # type: ignore[attr-defined] # the worker is ended while it reads
    assert list(place.iterdir()) == []
