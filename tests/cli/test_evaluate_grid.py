import json
from pathlib import Path

import pytest

from tests.paths import DATASET_FILES


@pytest.fixture(autouse=True)
def data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SEMINAR_DATA", str(DATASET_FILES))
    monkeypatch.chdir(tmp_path)


def test_grid_prints_the_papers_figures_beside_ours(seminar):
    ended = seminar("evaluate", "--grid", "quac-table4", "--row", "majority", "--row", "bidaf")
    assert ended.code == 0
    lines = ended.out.splitlines()
    assert lines[2] == "answers and dialog acts (QuAC table 4, dev): quac/val, 4 of 4 questions"
    [majority] = [line for line in lines if line.startswith("Majority")]
    assert majority.split()[:3] == ["Majority", "–", "25.0"]
    [two] = [line for line in lines if line.startswith("BiDAF++ w/ 2-ctx")]
    assert two.split()[2:5] == ["2-ctx", "60.6", "–"]
    assert "bidaf-2 [1]" in two
    assert "[1] no trained network in this role: --network ROLE=FOLDER" in ended.out
    assert "runs kept in evaluations/quac-table4" in ended.err
    assert Path("evaluations/quac-table4/answers-and-dialog-acts/majority/scores.json").exists()


def test_json_format_prints_the_limited_rows(seminar):
    ended = seminar(
        "evaluate", "--grid", "quac-table4", "--row", "majority", "--limit", "2", "--format", "json"
    )
    value = json.loads(ended.out)
    assert (value["grid"], value["tables"][0]["asked"]) == ("quac-table4", 2)


def test_grid_runs_on_the_named_split(seminar):
    ended = seminar("evaluate", "quac/val-part", "--grid", "quac-table4", "--row", "majority")
    assert "quac/val-part, " in ended.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--grid", "quac"], "unknown grid 'quac'"),
        (["--grid", "quac"], "quac-table4, topiocqa-table5"),
        (["--grid", "quac-table4", "--system", "majority"], "a grid has rows of its own"),
        (["quac/val", "--row", "majority"], "need a --grid"),
        (["--grid", "quac-table4", "--network", "bidaf-2"], "expected ROLE=FOLDER"),
        (["--grid", "quac-table4", "--network", "bidaf=x"], "unknown role of this grid 'bidaf'"),
        (["--grid", "quac-table4", "--network", "bidaf-2=nowhere"], "nowhere/settings.json"),
        (["--grid", "quac-table4", "--networks", "nowhere"], "nowhere is no folder"),
        ([], "name a dataset and its split, as in quac/val, or a --grid"),
    ],
)
def test_wrong_argument_prints_one_line_and_exits_with_2(
    seminar, arguments: list[str], message: str
):
    ended = seminar("evaluate", *arguments)
    assert ended.code == 2
    assert message in ended.err
    assert "Traceback" not in ended.err
