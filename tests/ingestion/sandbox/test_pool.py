import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from seminar.errors import IngestionError
from seminar.ingestion.passages import split
from seminar.ingestion.sandbox.pool import Sandbox
from seminar.ingestion.sandbox.processes import Limits, Worker


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    pool = Sandbox(Limits(memory=1 << 30, seconds=2.0))
    yield pool
    pool.close()


def html(folder: Path, name: str, content: str) -> Path:
    path = folder / name
    path.write_text(content)
    return path


def read(sandbox: Sandbox, path: Path) -> list[str]:
    return [document.text for document in sandbox.read(path, path.name, print)]


def test_read_passages_splits_the_documents_of_a_file(sandbox: Sandbox, tmp_path: Path):
    path = html(tmp_path, "a.html", "<h1>A</h1><p>One.</p><h2>B</h2><p>Two.</p>")
    [document] = sandbox.read(path, "a.html", print)
    assert list(sandbox.read_passages(path, "a.html", print)) == split(document)


def test_one_worker_reads_many_files(sandbox: Sandbox, tmp_path: Path):
    for number in range(3):
        path = html(tmp_path, f"{number}.html", f"<p>{number}</p>")
        assert read(sandbox, path) == [str(number)]
    assert len(sandbox._idle) == 1


def test_reader_above_its_limits_is_ended_and_the_next_file_is_read(
    sandbox: Sandbox, tmp_path: Path
):
    # Unclosed formatting is opened anew in every paragraph: the tree grows without measure.
    marks = "".join(f"<b id={number}>" for number in range(1_900))
    bomb = html(tmp_path, "bomb.html", marks + "<p>x" * 2_000_000)
    with pytest.raises(IngestionError, match=r"took longer than 2 s|needed more than 1024 MB"):
        read(sandbox, bomb)
    assert read(sandbox, html(tmp_path, "a.html", "<p>a</p>")) == ["a"]


def test_killed_worker_is_replaced(sandbox: Sandbox, tmp_path: Path):
    path = html(tmp_path, "a.html", "<p>a</p>")
    read(sandbox, path)
    [worker] = sandbox._idle
    os.kill(worker._process.pid, 9)
    worker._process.wait()
    assert read(sandbox, path) == ["a"]


def test_malformed_reply_ends_the_worker_and_the_next_file_is_read(
    sandbox: Sandbox, tmp_path: Path
):
    path = html(tmp_path, "a.html", "<p>a</p>")
    worker = Worker(sandbox.limits)
    worker.kill()
    worker._process = subprocess.Popen(
        ["sh", "-c", "echo rubbish; sleep 60"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    sandbox._idle.append(worker)
    with pytest.raises(IngestionError, match=r"^its reader sent a malformed reply: "):
        read(sandbox, path)
    assert worker._process.poll() == -9
    assert read(sandbox, path) == ["a"]


def test_format_is_chosen_by_the_worker(sandbox: Sandbox, tmp_path: Path):
    assert sandbox.format_of(html(tmp_path, "a.html", "<p>a</p>")) == "html"
    assert len(sandbox._idle) == 1
    with pytest.raises(IngestionError, match=r"^no reader knows this kind of \.mbx file$"):
        sandbox.format_of(html(tmp_path, "a.mbx", "{}"))


def test_lone_surrogate_in_source_is_refused(sandbox: Sandbox, tmp_path: Path):
    path = html(tmp_path, "a.html", "<p>a</p>")
    with pytest.raises(IngestionError, match="half of a surrogate pair"):
        list(sandbox.read(path, "a\udcff.html", print))


def test_lone_surrogates_of_json_are_marked_unreadable(sandbox: Sandbox, tmp_path: Path):
    path = html(tmp_path, "a.jsonl", '{"speaker": "Ada", "text": "half \\ud800 pair"}\n')
    assert read(sandbox, path) == ["Ada: half \ufffd pair"]


def test_two_files_are_read_at_once_and_one_abandoned(sandbox: Sandbox, tmp_path: Path):
    dump = tmp_path / "d.xml"
    pages = "".join(
        f"<page><title>{name}</title><ns>0</ns><revision><text>{name * 9}</text></revision></page>"
        for name in "ABC"
    )
    dump.write_text(f"<mediawiki>{pages}</mediawiki>")
    first = sandbox.read(dump, "d.xml", print)
    second = sandbox.read(dump, "d.xml", print)
    assert [next(first).title, next(second).title, next(first).title] == ["A", "A", "B"]
    first.close()
    assert [document.title for document in second] == ["B", "C"]


def test_errors_and_notices_of_a_worker_reach_the_caller(sandbox: Sandbox, tmp_path: Path):
    path = tmp_path / "a.html"
    path.write_bytes("<p>Café au lait, s'il vous plaît</p>".encode("cp1252"))
    notices: list[str] = []
    list(sandbox.read(path, "a.html", notices.append))
    assert notices == ["not UTF-8; read as windows-1252"]
    with pytest.raises(IngestionError, match=r"^empty: it holds no text$"):
        read(sandbox, html(tmp_path, "b.html", ""))
    with pytest.raises(IngestionError, match="can't be read: No such file"):
        read(sandbox, tmp_path / "gone.html")


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs Linux's /proc")
def test_worker_environment_holds_only_what_reading_needs(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("SEMINAR_LLM_KEY", "made up")
    monkeypatch.setenv("DATABASE_URL", "postgresql://someone:made-up@host/db")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    read(sandbox, html(tmp_path, "a.html", "<p>a</p>"))
    [worker] = sandbox._idle
    held = Path(f"/proc/{worker._process.pid}/environ").read_bytes()
    assert b"LC_ALL=C.UTF-8" in held
    assert b"made" not in held


def fake(sandbox: Sandbox, script: str, **limits: float) -> None:
    """Put a worker into the pool that runs a script of the shell instead."""
    worker = Worker(Limits(**limits) if limits else sandbox.limits)
    worker.kill()
    worker._process = subprocess.Popen(
        ["sh", "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    )
    sandbox._idle.append(worker)


def test_a_reader_that_says_nothing_is_given_up(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("seminar.ingestion.sandbox.processes.GRACE", 0.5)
    fake(sandbox, "sleep 60", seconds=0.01)
    with pytest.raises(IngestionError, match="took longer to read than a file of its size may"):
        read(sandbox, html(tmp_path, "a.html", "<p>a</p>"))


def test_a_reader_that_never_ends_its_line_is_given_up(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("seminar.ingestion.sandbox.processes.LINE_BYTES", 1_000_000)
    fake(sandbox, "cat /dev/zero")
    with pytest.raises(IngestionError, match="more than a file of this size can give"):
        read(sandbox, html(tmp_path, "a.html", "<p>a</p>"))


def passages_reply(**changes: object) -> str:
    passage = {"source": "a.html", "start": 0, "end": 2, "text": "ab", **changes}
    lines = [{"type": "passages", "content": [passage]}, {"type": "end"}]
    printed = " ".join(f"'{json.dumps(line)}'" for line in lines)
    return f"printf '%s\\n' {printed}; cat > /dev/null"  # a worker that ended is not asked


def test_a_reader_gives_only_passages_of_its_own_source_with_their_offsets(
    sandbox: Sandbox, tmp_path: Path
):
    path = html(tmp_path, "a.html", "<p>a</p>")
    for changes, accepted in (
        ({}, True),
        ({"source": "a.html#b"}, True),
        ({"source": "b.html"}, False),
        ({"source": "a.html2"}, False),
        ({"end": 10**9}, False),
        ({"start": -1, "end": 1}, False),
        ({"text": 3}, False),
    ):
        fake(sandbox, passages_reply(**changes))
        if accepted:
            assert len(list(sandbox.read_passages(path, "a.html", print))) == 1
        else:
            with pytest.raises(IngestionError, match="its reader sent a malformed reply"):
                list(sandbox.read_passages(path, "a.html", print))


def test_what_a_worker_wrote_is_removed_with_it(sandbox: Sandbox, tmp_path: Path):
    read(sandbox, html(tmp_path, "a.html", "<p>a</p>"))
    [worker] = sandbox._idle
    folder = worker._folder
    (folder / "left").write_text("x")
    sandbox.close()
    assert not folder.exists()
