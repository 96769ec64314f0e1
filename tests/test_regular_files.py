import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from seminar.io import content_hash, read_bounded
from seminar.regular_files import is_regular, open_regular


@pytest.fixture
def listening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)  # the name of a socket may be no longer than 107 bytes
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        yield tmp_path / "socket"


def test_a_regular_file_is_opened(tmp_path: Path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"content")
    with open_regular(path) as file:
        assert file.read() == b"content"
    assert is_regular(path)


def test_a_pipe_is_refused_at_once_although_nobody_writes_to_it(tmp_path: Path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with pytest.raises(OSError, match=r"not a regular file \(named pipe\)"):
        open_regular(path)
    with pytest.raises(OSError, match="named pipe"):
        content_hash(path)
    with pytest.raises(OSError, match="named pipe"):
        read_bounded(path, 10)
    assert not is_regular(path)


def test_folders_sockets_and_devices_are_refused(tmp_path: Path, listening: Path):
    for path, kind in [(tmp_path, "folder"), (listening, "socket"), (Path("/dev/zero"), "device")]:
        with pytest.raises(OSError, match=rf"not a regular file \({kind}\)"):
            open_regular(path)
        assert not is_regular(path)


def test_links_are_opened_only_to_follow_them(tmp_path: Path):
    (tmp_path / "a.txt").write_bytes(b"content")
    (tmp_path / "link").symlink_to("a.txt")
    with pytest.raises(OSError, match=r"not a regular file \(link\)"):
        open_regular(tmp_path / "link")
    with open_regular(tmp_path / "link", follow=True) as file:
        assert file.read() == b"content"
    assert not is_regular(tmp_path / "link")


def test_a_link_to_a_pipe_is_refused_also_where_links_are_followed(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    with pytest.raises(OSError, match="named pipe"):
        open_regular(tmp_path / "link", follow=True)


def test_no_descriptor_is_left_open_where_a_file_is_refused(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")
    before = len(list(Path("/dev/fd").iterdir()))
    for _ in range(10):
        with pytest.raises(OSError, match="named pipe"):
            open_regular(tmp_path / "pipe")
    assert len(list(Path("/dev/fd").iterdir())) == before


def test_what_is_missing_is_not_regular_and_an_error(tmp_path: Path):
    assert not is_regular(tmp_path / "none")
    with pytest.raises(FileNotFoundError):
        open_regular(tmp_path / "none")
