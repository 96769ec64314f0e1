import json
from pathlib import Path

import pytest

from seminar.cli.main import run
from tests.paths import DATASET_FILES


def test_analyze_prints_the_report_and_its_sections(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    file = DATASET_FILES / "topiocqa" / "topiocqa_dev.json"
    if not file.exists():
        file = next((DATASET_FILES / "topiocqa").glob("topiocqa_*"))
    run(["analyze", str(file), "--to", str(tmp_path / "report")])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == str(tmp_path / "report" / "index.html")
    assert lines[1].startswith("  Dataset: topiocqa")


def test_analyze_as_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("SEMINAR_DATA", str(DATASET_FILES))
    run(["analyze", "quac/val", "--to", str(tmp_path / "report"), "--json"])
    record = json.loads(capsys.readouterr().out)
    exhibits = {one["name"]: one for one in record["sections"][0]["exhibits"]}
    assert exhibits["quac-table-2"]["rows"][0] == {"statistic": "questions", "val": 4.0}
    assert exhibits["topic-flow"]["lacks"].startswith("No turn has a topic")


def test_an_error_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as stopped:
        run(["analyze", "nothing", "--to", str(tmp_path / "report")])
    assert stopped.value.code == 2
    assert capsys.readouterr().err.startswith("seminar: unknown dataset or file 'nothing'")
