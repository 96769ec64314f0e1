import os
import re
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from seminar.errors import IngestionError
from seminar.ingestion.discover import Problem, SourceFile, discover
from seminar.ingestion.sandbox.pool import Sandbox
from seminar.ingestion.selection import Selection
from seminar.retrieval.engines.lance.store import LanceStore

NOBODY = 65534


def tree(root: Path, *names: str) -> Path:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(f"text of {name}")
    return root


def sources(files: list[SourceFile]) -> list[str]:
    return [file.source for file in files]


def test_files_are_sorted_and_cited_relative_to_the_given_folder(tmp_path: Path):
    tree(tmp_path, "b.md", "a/z.txt", "a/c/d.html")
    files, problems = discover([tmp_path])
    assert sources(files) == ["a/c/d.html", "a/z.txt", "b.md"]
    assert files[1].path == tmp_path / "a" / "z.txt"
    assert problems == []


def test_file_given_directly_is_cited_by_its_name(tmp_path: Path):
    tree(tmp_path, "deep/er/notes.txt")
    assert sources(discover([tmp_path / "deep" / "er" / "notes.txt"])[0]) == ["notes.txt"]


def test_hidden_files_and_package_folders_are_skipped(tmp_path: Path):
    tree(tmp_path, ".git/HEAD", ".hidden.md", "node_modules/x/README.md", "a.md")
    assert sources(discover([tmp_path])[0]) == ["a.md"]


def test_files_that_are_no_documents_are_counted_in_one_line(tmp_path: Path):
    tree(tmp_path / "site", "a.html", "a.css", "b.CSS", "logo.png")
    files, problems = discover([tmp_path / "site"])
    assert sources(files) == ["a.html"]
    assert [str(problem) for problem in problems] == [
        "site: passed over 3 files that are not documents (2 .css, 1 .png)"
    ]


def test_missing_path_is_an_error_that_names_it(tmp_path: Path):
    with pytest.raises(IngestionError, match=r"nowhere: no such file or folder"):
        discover([tmp_path, tmp_path / "nowhere"])
    (tmp_path / "link").symlink_to(tmp_path / "gone")
    with pytest.raises(IngestionError, match=r"link: is a broken link"):
        discover([tmp_path / "link"])


def test_links_out_of_the_folder_are_never_followed(tmp_path: Path):
    tree(tmp_path, "secret/key.txt", "docs/a.md")
    (tmp_path / "docs" / "key.txt").symlink_to(tmp_path / "secret" / "key.txt")
    (tmp_path / "docs" / "all").symlink_to(tmp_path / "secret")
    files, problems = discover([tmp_path / "docs"])
    assert sources(files) == ["a.md"]
    assert [str(problem) for problem in problems] == [
        "all: link leads out of the given folder; not followed",
        "key.txt: link leads out of the given folder; not followed",
    ]


def test_cyclic_and_broken_links_are_reported(tmp_path: Path):
    tree(tmp_path, "a/b.md")
    (tmp_path / "a" / "up").symlink_to(tmp_path)
    (tmp_path / "self").symlink_to(tmp_path / "self")
    (tmp_path / "gone").symlink_to(tmp_path / "missing")
    files, problems = discover([tmp_path])
    assert sources(files) == ["a/b.md"]
    assert {str(problem) for problem in problems} == {
        "gone: link leads nowhere, or in a circle",
        "self: link leads nowhere, or in a circle",
        "a/up: link to a folder inside; read there, not twice",
    }


def test_link_to_a_file_inside_is_read_once(tmp_path: Path):
    tree(tmp_path, "a.md")
    (tmp_path / "b.md").symlink_to(tmp_path / "a.md")
    assert sources(discover([tmp_path])[0]) == ["a.md"]


def test_link_given_directly_is_read_under_its_own_name(tmp_path: Path):
    tree(tmp_path, "a.md")
    (tmp_path / "b.md").symlink_to(tmp_path / "a.md")
    assert sources(discover([tmp_path / "b.md"])[0]) == ["b.md"]


def test_pipes_and_sockets_are_not_opened(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe.txt")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "s.txt"))
        files, problems = discover([tmp_path])
    assert files == []
    assert [str(problem) for problem in problems] == [
        "pipe.txt: not a regular file (named pipe)",
        "s.txt: not a regular file (socket)",
    ]


@pytest.fixture
def closable() -> Iterator[Path]:
    """A folder whose folders can be closed to us: nothing is closed to root."""
    with TemporaryDirectory() as name:
        if os.geteuid() != 0:
            yield Path(name).resolve()
            return
        os.chown(name, NOBODY, NOBODY)
        os.seteuid(NOBODY)
        try:
            yield Path(name).resolve()
        finally:
            os.seteuid(0)


def test_unreadable_folder_is_reported_and_the_rest_is_read(closable: Path):
    tree(closable, "a.md", "closed/b.md")
    (closable / "closed").chmod(0)
    files, problems = discover([closable])
    assert sources(files) == ["a.md"]
    assert [str(problem) for problem in problems] == [
        "closed: folder can't be listed: Permission denied"
    ]
    assert [str(problem) for problem in discover([closable / "closed"])[1]] == [
        ".: folder can't be listed: Permission denied"
    ]


def test_path_in_an_unreadable_folder_is_an_error_that_names_it(closable: Path):
    tree(closable, "closed/b.md")
    (closable / "closed").chmod(0)
    with pytest.raises(IngestionError, match=r"closed/b\.md: can't be read: Permission denied"):
        discover([closable / "closed" / "b.md"])


def test_files_of_a_folder_without_access_are_reported(closable: Path):
    tree(closable, "a.md", "listed/b.md", "listed/c.md", "listed/sub/d.md", "listed/users.json")
    (closable / "listed").chmod(0o400)
    files, problems = discover([closable])
    assert sources(files) == ["a.md"]
    assert sorted(str(problem) for problem in problems) == [
        "listed/b.md: can't be read: Permission denied",
        "listed/c.md: can't be read: Permission denied",
        "listed/sub: folder can't be listed: Permission denied",
        "listed/users.json: can't be read: Permission denied",
    ]


def test_unreadable_box_of_a_maildir_is_reported_and_its_subfolders_are_read(closable: Path):
    tree(closable, "Mail/cur/1", "Mail/new/2", "Mail/.Sent/cur/3", "Mail/.Old/cur/4")
    for folder in (".Sent", ".Old"):
        (closable / "Mail" / folder / "new").mkdir()
    (closable / "Mail" / "cur").chmod(0)
    (closable / "Mail" / ".Old").chmod(0)
    files, problems = discover([closable])
    assert sources(files) == ["Mail/.Sent"]
    assert [str(problem) for problem in problems] == [
        "Mail: folder can't be listed: Permission denied"
    ]


def test_index_inside_the_folder_is_skipped(tmp_path: Path):
    tree(tmp_path, "a.md", "sub/b.md")
    LanceStore.create(tmp_path / "sub" / "index", encoder="fake", dimensions=4)
    files, problems = discover([tmp_path])
    assert sources(files) == ["a.md", "sub/b.md"]
    assert [str(problem) for problem in problems] == ["sub/index: an index of Seminar; passed over"]


def test_colliding_sources_get_the_names_of_their_folders(tmp_path: Path):
    tree(tmp_path, "one/a.md", "two/a.md", "two/b.md")
    files, _ = discover([tmp_path / "two", tmp_path / "one"])
    assert sources(files) == ["one/a.md", "two/a.md", "two/b.md"]


def test_folders_of_one_name_get_the_names_of_their_parents(tmp_path: Path):
    tree(tmp_path, "x/docs/a.md", "y/docs/a.md")
    files, _ = discover([tmp_path / "x" / "docs", tmp_path / "y" / "docs"])
    assert sources(files) == ["x/docs/a.md", "y/docs/a.md"]
    files, _ = discover([tmp_path / "x" / "docs" / "a.md", tmp_path / "y" / "docs" / "a.md"])
    assert sources(files) == ["x/docs/a.md", "y/docs/a.md"]


def test_overlapping_paths_give_each_file_once(tmp_path: Path):
    tree(tmp_path, "a.md", "sub/b.md")
    files, _ = discover([tmp_path / "sub", tmp_path, tmp_path / "a.md", tmp_path])
    assert sources(files) == ["a.md", "sub/b.md"]


def test_unprintable_names_are_made_printable(tmp_path: Path):
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9\n.md")).write_text("x")
    [file] = discover([tmp_path])[0]
    assert file.source == "caf\ufffd\ufffd.md"
    assert file.path.read_text() == "x"


def test_names_that_differ_in_characters_not_shown_are_told_apart(tmp_path: Path):
    for name in ("a\x01.md", "a\x02.md", "b\x01.md"):
        (tmp_path / name).write_text(name)
    (tmp_path / "sub").mkdir()
    (tmp_path / os.fsdecode(b"sub/c\xe9.md")).write_text("c")
    (tmp_path / os.fsdecode(b"sub/c\xe8.md")).write_text("c")
    files, _ = discover([tmp_path])
    sources = {file.path.name: file.source for file in files}
    assert len(set(sources.values())) == len(files) == 5
    assert sources["b\x01.md"] == "b\ufffd.md"
    assert re.fullmatch("a\ufffd~[0-9a-f]{8}\\.md", sources["a\x01.md"])


def test_plain_folder_starts_no_worker(tmp_path: Path):
    tree(tmp_path, "a.md", "b.txt", "c.html", "style.css", "picture.png")
    with closing(Sandbox()) as sandbox:
        discover([tmp_path], sandbox=sandbox)
        assert sandbox._idle == []


def test_worker_looks_into_what_may_be_an_export(tmp_path: Path):
    (tmp_path / "a.json").write_text('{"guild": {}, "messages": []}')
    (tmp_path / "b.json").write_text("{}")
    with closing(Sandbox()) as sandbox:
        files, problems = discover([tmp_path], sandbox=sandbox)
        assert len(sandbox._idle) == 1
    assert sources(files) == ["a.json"]
    assert [problem.reason for problem in problems] == [
        "passed over 1 file of code or settings (1 .json); --include '*' reads them too"
    ]


def test_source_of_file_whose_name_is_no_text_is_printable(tmp_path: Path):
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.txt"))
    path.write_text("Nine.")
    assert sources(discover([path])[0]) == ["caf\ufffd.txt"]


def reasons(problems: list[Problem]) -> list[str]:
    return [str(problem) for problem in problems]


def test_code_and_settings_are_read_where_there_are_no_documents(tmp_path: Path):
    tree(tmp_path / "src", "a.py", "b/c.toml", "package-lock.json", "logo.png")
    files, problems = discover([tmp_path / "src"])
    assert sources(files) == ["a.py", "b/c.toml"]
    assert reasons(problems) == [
        "src: passed over 2 files that are not documents (1 .json, 1 .png)"
    ]


def test_documents_of_a_code_repository_come_before_its_code(tmp_path: Path):
    tree(tmp_path / "repo", "README.md", "docs/a.rst", "src/a.py", "src/b.py", "setup.toml")
    files, problems = discover([tmp_path / "repo"])
    assert sources(files) == ["README.md", "docs/a.rst"]
    assert reasons(problems) == [
        "repo: passed over 3 files of code or settings (2 .py, 1 .toml); "
        "--include '*' reads them too"
    ]
    everything, _ = discover([tmp_path / "repo"], selection=Selection(code=True))
    assert sources(everything) == ["README.md", "docs/a.rst", "setup.toml", "src/a.py", "src/b.py"]
    assert sources(discover([tmp_path / "repo" / "src" / "a.py"])[0]) == ["a.py"]


def test_patterns_include_and_exclude_files_of_folders(tmp_path: Path):
    tree(tmp_path, "a.md", "b.txt", "docs/c.md", "docs/old/d.md", "src/e.py")
    found = discover([tmp_path], selection=Selection(include=("*.md",)))[0]
    assert sources(found) == ["a.md", "docs/c.md", "docs/old/d.md"]
    found = discover([tmp_path], selection=Selection(include=("*.py", "/b.*")))[0]
    assert sources(found) == ["b.txt", "src/e.py"]
    found = discover([tmp_path], selection=Selection(exclude=("old/", "*.txt")))[0]
    assert sources(found) == ["a.md", "docs/c.md"]
    with pytest.raises(IngestionError, match="--exclude: "):
        Selection(exclude=("!",))


def test_ignore_files_are_respected_in_their_folders(tmp_path: Path):
    tree(tmp_path, "a.md", "build/b.md", "docs/c.md", "docs/keep.md", "docs/build/d.md", "x.txt")
    (tmp_path / ".gitignore").write_text("build/\n# comment\n\nc.md\n*keep.md\n")
    (tmp_path / ".seminarignore").write_text("*.txt\n")
    (tmp_path / "docs" / ".gitignore").write_text("!keep.md\n")
    assert sources(discover([tmp_path])[0]) == ["a.md", "docs/keep.md"]
    assert sources(discover([tmp_path / "x.txt"])[0]) == ["x.txt"]


@pytest.mark.parametrize(
    "content", [b"!\n*.txt\n", b"*a*a*a*a*a*a*b\n*.txt\n", b"x\n" * 1_000_000, b"*.txt\n" * 2_000]
)
def test_faulty_ignore_file_is_reported_and_the_rest_read(tmp_path: Path, content: bytes):
    tree(tmp_path, "a" * 200 + ".md", "b.md")
    (tmp_path / ".gitignore").write_bytes(content)
    files, problems = discover([tmp_path])
    assert sources(files) == ["a" * 200 + ".md", "b.md"]
    assert reasons(problems) == [".gitignore: patterns that can't be used are left out"]
