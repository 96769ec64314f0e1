"""Bulk work on three nodes on this machine, of which one is killed (`tests.cluster_run`)."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from seminar.assembly import index_files, open_index
from seminar.cli.main import run
from seminar.evaluation.evaluate import Plan, evaluate
from seminar.models.encoders.registry import load_encoder
from seminar.retrieval.file_index import FileIndex
from seminar.types import Passage, Query
from tests.paths import DATASET_FILES

NOTES = 600  # in two units
DUMP_BYTES = 8_200_000  # one that is read by itself, and encoded in parts
SECONDS = 600


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with small files and a large one."""
    words = random.Random(0).choices([f"word{n}" for n in range(3_000)], k=100_000)
    folder = tmp_path_factory.mktemp("cluster")
    files = folder / "files"
    files.mkdir()
    for number in range(NOTES):
        text = " ".join(words[20 * number : 20 * number + 20])
        (files / f"note{number:03}.md").write_text(f"# Note {number}\n\n{text}.\n")
    with (files / "dump.txt").open("w") as dump:
        number = 0
        while dump.tell() < DUMP_BYTES:
            at = 97 * number % 99_000
            dump.write(f"Item {number}: {' '.join(words[at : at + 150])}.\n\n")
            number += 1
    return folder


@pytest.fixture(scope="module")
def outcome(folder: Path) -> dict[str, Any]:
    """What the run on the cluster gave; its index is in `index`."""
    pytest.importorskip("ray")
    log = folder / "log.txt"
    with log.open("w") as output:
        command = [sys.executable, "-m", "tests.cluster_run", str(folder)]
        ended = subprocess.run(command, stdout=output, stderr=output, timeout=SECONDS, check=False)
    assert ended.returncode == 0, log.read_text()[-3_000:]
    result: dict[str, Any] = json.loads((folder / "outcome.json").read_text())
    return result


def content(index: FileIndex) -> list[Passage]:
    sources = sorted(index.files())
    return [passage for passages in index.passages(sources) for passage in passages]


def test_index_of_a_cluster_that_lost_a_node_is_that_of_one_machine(
    folder: Path, outcome: dict[str, Any]
):
    encoder = load_encoder("static")
    here, _ = index_files([folder / "files"], folder / "here", encoder)
    there = open_index(folder / "index")
    assert 0 < outcome["killed_at"] < outcome["passages"]
    assert outcome["nodes"] == [3, 2]
    assert (outcome["read"], outcome["problems"]) == (NOTES + 1, [])
    assert there.files() == here.files()
    found = content(there)
    assert found == content(here)
    assert len({passage.id for passage in found}) == len(found) == there.count()
    question = "Item 40"
    query = Query(question, vector=encoder.encode([question])[0])
    assert there.search_vector([query], k=5) == here.search_vector([query], k=5)


def test_second_run_on_a_cluster_reads_nothing_again(outcome: dict[str, Any]):
    assert (outcome["read_again"], outcome["kept"]) == (0, NOTES + 1)


def test_evaluation_on_a_cluster_gives_the_same_scores(folder: Path, outcome: dict[str, Any]):
    report = evaluate(Plan("quac/val", ("similarity",), folder / "runs-here", DATASET_FILES))
    [row] = report.tables[0].rows
    here = {name: (score.mean, score.low, score.high) for name, score in row.scores.items()}
    assert {name: tuple(score) for name, score in outcome["scores"].items()} == here


def test_corpus_encoded_on_a_cluster_has_the_vectors_of_one_machine(outcome: dict[str, Any]):
    if outcome["corpus"] is None:
        pytest.skip("needs PyTorch")
    assert outcome["corpus"] == {"passages": 23, "same_hits": True}


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("127.0.0.1:1", "can't reach a Ray cluster at 127.0.0.1:1: Connection refused"),
        ("ray://host:10001", "expected the address of the head of a Ray cluster"),
        ("host:port", "expected the address of the head of a Ray cluster"),
    ],
)
def test_wrong_address_of_a_cluster_is_one_line_and_nothing_is_made(
    address: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    pytest.importorskip("ray")
    (tmp_path / "note.md").write_text("The tower is red.")
    with pytest.raises(SystemExit) as ended:
        run(["index", str(tmp_path), "--to", str(tmp_path / "index"), "--ray", address])
    lines = capsys.readouterr().err.strip().splitlines()
    assert (ended.value.code, len(lines)) == (2, 1)
    assert message in lines[0]
    assert [path.name for path in tmp_path.iterdir()] == ["note.md"]
