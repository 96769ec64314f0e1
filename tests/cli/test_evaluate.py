import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.completions import Response, serving

TESTS = Path(__file__).parent.parent
FILES = TESTS / "datasets" / "files"
TINY_READER = TESTS / "models" / "files" / "tiny-reader"


@pytest.fixture(autouse=True)
def data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SEMINAR_DATA", str(FILES))
    monkeypatch.chdir(tmp_path)


def test_run_writes_predictions_configuration_and_scores(seminar, tmp_path: Path):
    ended = seminar("evaluate", "quac/val", "--system", "majority", "--out", tmp_path / "runs")
    folder = tmp_path / "runs" / "majority"
    assert ended.code == 0
    lines = [json.loads(line) for line in (folder / "predictions.jsonl").read_text().splitlines()]
    assert [line["answer"] for line in lines] == ["CANNOTANSWER"] * 4
    configuration = json.loads((folder / "configuration.json").read_text())
    assert (configuration["dataset"], configuration["system"]) == ("quac/val", "majority")
    scores = json.loads((folder / "scores.json").read_text())
    assert scores["scores"]["F1"]["mean"] == 25.0
    assert "BiDAF++ w/ 2-ctx" in ended.out
    assert "QuAC table 4, test" in ended.out


def test_official_predictions_of_a_run_score_the_same(seminar, tmp_path: Path):
    seminar("evaluate", "quac/val", "--system", "gold-sentence", "--out", tmp_path)
    scores = json.loads((tmp_path / "gold-sentence" / "scores.json").read_text())["scores"]
    ended = seminar(
        "score",
        "quac",
        "--references",
        FILES / "quac" / "val_v0.2.json",
        "--predictions",
        tmp_path / "gold-sentence" / "official-quac.json",
        "--json",
    )
    official = json.loads(ended.out)
    assert official["f1"] == pytest.approx(scores["F1"]["mean"])
    assert official["dheq"] == pytest.approx(scores["HEQ-D"]["mean"])


def test_several_systems_share_one_table(seminar):
    ended = seminar(
        "evaluate", "quac/val", "--system", "majority", "--system", "human", "--format", "json"
    )
    report = json.loads(ended.out)
    [table] = report["tables"]
    assert [row["system"] for row in table["rows"]] == ["majority", "human"]
    assert table["rows"][0]["milliseconds"] >= 0
    assert table["rows"][0]["megabytes"] > 0
    assert Path("evaluations/quac-val/human/scores.json").exists()


def test_markdown_format_prints_a_table(seminar):
    ended = seminar("evaluate", "quac/val", "--system", "majority", "--format", "markdown")
    assert "| majority | 25.0 [" in ended.out


def test_without_a_system_the_dataset_is_described(seminar):
    ended = seminar("evaluate", "topiocqa/dev", "--format", "json")
    report = json.loads(ended.out)
    assert report["tables"] == []
    assert report["data"]["questions"] == 3
    assert not Path("evaluations").exists()


def test_file_of_predictions_is_evaluated_as_a_system(seminar, tmp_path: Path):
    file = tmp_path / "mine.json"
    file.write_text('{"s1": "", "s2": "", "s3": ""}')
    ended = seminar("evaluate", "squad/dev-v2", "--system", file, "--format", "json")
    [row] = json.loads(ended.out)["tables"][0]["rows"]
    assert (row["system"], row["milliseconds"]) == ("mine.json", None)
    assert row["scores"]["EM"]["mean"] == pytest.approx(100 / 3)


def test_limit_evaluates_the_first_questions(seminar):
    ended = seminar(
        "evaluate", "quac/val", "--system", "majority", "--limit", "2", "--format", "json"
    )
    assert json.loads(ended.out)["tables"][0]["rows"][0]["questions"] == 2


def test_folder_of_another_configuration_is_an_error(seminar):
    seminar("evaluate", "quac/val", "--system", "majority")
    ended = seminar("evaluate", "quac/val", "--system", "majority", "--limit", "2")
    assert ended.code == 2
    assert "holds a run of another configuration" in ended.err
    assert "limit None, now 2" in ended.err


def test_baseline_fitted_on_other_data_is_another_run(
    seminar, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    official = FILES / "quac" / "val_v0.2.json"
    folder = tmp_path / "data" / "quac"
    folder.mkdir(parents=True)
    shutil.copy(official, folder)
    monkeypatch.setenv("SEMINAR_DATA", str(folder.parent))
    asked = ("evaluate", "quac/val", "--system", "transition-matrix")
    halves = seminar(*asked)
    shutil.copy(official, folder / "train_v0.2.json")
    refused, fresh = seminar(*asked), seminar(*asked, "--out", "fresh")
    (folder / "train_v0.2.json").write_text(official.read_text().replace("whale oil", "olive oil"))
    other = seminar(*asked, "--out", "fresh")
    assert (halves.code, refused.code, fresh.code, other.code) == (0, 2, 0, 2)
    assert "now 'fitted on quac/train'" in refused.err
    assert "holds a run of another configuration (material '" in other.err


def test_reader_with_changed_files_is_another_run(seminar, tmp_path: Path):
    reader = tmp_path / "reader"
    shutil.copytree(TINY_READER, reader)
    asked = ("evaluate", "quac/val", "--system", "assistant", "--limit", "1", "--reader", reader)
    first, again = seminar(*asked), seminar(*asked)
    calibration = json.loads((reader / "calibration.json").read_text())
    calibration["answer"]["bias"] += 1
    (reader / "calibration.json").write_text(json.dumps(calibration))
    refused = seminar(*asked)
    assert (first.code, again.code, refused.code) == (0, 0, 2)
    assert "holds a run of another configuration (weights {" in refused.err


def test_file_in_place_of_the_output_folder_is_named(seminar, tmp_path: Path):
    (tmp_path / "taken").touch()
    ended = seminar("evaluate", "quac/val", "--system", "majority", "--out", "taken")
    assert ended.code == 2
    assert "taken/majority: Not a directory" in ended.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["quack/val"], "unknown dataset 'quack'. Did you mean 'quac'?"),
        (["quac/vall"], "unknown split of quac 'vall'. Did you mean 'val'?"),
        (["quac/train"], "no 'train_v0.2.json' here"),
        (["quac/val", "--system", "majorty"], "Did you mean 'majority'?"),
        (["quac/val", "--history", "al"], "unknown history 'al'"),
        (["quac/val", "--limit", "0"], "0 is not in the range"),
        (["topiocqa/dev", "--system", "human"], "have no additional answers"),
    ],
)
def test_wrong_argument_prints_one_line_and_exits_with_2(
    seminar, arguments: list[str], message: str
):
    ended = seminar("evaluate", *arguments)
    assert ended.code == 2
    assert message in ended.err
    assert "Traceback" not in ended.err


def test_killed_run_continues_where_it_was(tmp_path: Path):
    """A process is killed amid its predictions; the next one keeps what was written."""
    root = tmp_path / "data"
    (root / "quac").mkdir(parents=True)
    official = json.loads((FILES / "quac" / "val_v0.2.json").read_text())
    [first, *_] = official["data"]
    official["data"] = [renamed(first, number) for number in range(1000)]
    (root / "quac" / "val_v0.2.json").write_text(json.dumps(official))
    command = [sys.executable, "-m", "seminar.cli.main", "evaluate", "quac/val"]
    command += ["--system", "gold-sentence", "--format", "json", "--out", str(tmp_path / "runs")]
    environment = os.environ | {"SEMINAR_DATA": str(root)}
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    file = tmp_path / "runs" / "gold-sentence" / "predictions.jsonl"
    while not file.exists() or not file.stat().st_size:
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    before = file.read_text().rpartition("\n")[0].splitlines()
    assert 0 < len(before) < 3000
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    lines = file.read_text().splitlines()
    assert lines[: len(before)] == before
    assert len(lines) == json.loads(ended.stdout)["tables"][0]["rows"][0]["questions"]


def renamed(article: dict, number: int) -> dict:
    """A copy of an article whose dialogs have ids of their own."""
    copy = json.loads(json.dumps(article))
    for paragraph in copy["paragraphs"]:
        paragraph["id"] = f"{paragraph['id']}-{number}"
        for qa in paragraph["qas"]:
            qa["id"] = f"{paragraph['id']}_q#{qa['id'].partition('_q#')[2]}"
    return copy


def test_each_kind_of_text_has_its_own_row(seminar):
    ended = seminar("evaluate", "qaconv/val", "--system", "bm25", "--format", "json")
    [row] = json.loads(ended.out)["tables"][0]["rows"]
    assert [(one["system"], one["questions"]) for one in row["domains"]] == [
        ("bm25: bc3", 2),
        ("bm25: openslack", 1),
    ]


def test_replies_without_the_language_model_are_counted(
    seminar, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.delenv("SEMINAR_LLM_KEY", raising=False)
    with serving(lambda _, __: Response(b"", 401)) as (url, _):
        model = ("--llm", url, "--model", "m")
        ended = seminar("evaluate", "quac/val", "--system", "assistant", *model, "--out", tmp_path)
    scores = json.loads((tmp_path / "assistant" / "scores.json").read_text())
    assert scores["note"] == "read the given context; 4 of 4 replies carry notes"
    assert "4 of 4 replies carry notes" in ended.out
    first = (tmp_path / "assistant" / "predictions.jsonl").read_text().splitlines()[0]
    assert json.loads(first)["notes"] == [
        f"{url}: it answered 401, it wants a key: set SEMINAR_LLM_KEY (tried once); "
        "the answer was found without it"
    ]
