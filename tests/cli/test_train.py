import json
import subprocess
import sys
from pathlib import Path

import pytest

from seminar.training.runs import NETWORKS
from seminar.types import Hit, Passage, Query


def test_networks_are_listed_without_pytorch():
    listing = "import sys; from seminar.cli.train import command; print('torch' in sys.modules)"
    ended = subprocess.run([sys.executable, "-c", listing], capture_output=True, check=True)
    assert ended.stdout.strip() == b"False"


def test_missing_pytorch_names_the_extra(tmp_path):
    program = (
        "import sys; sys.modules['torch'] = None; from seminar.cli.main import run; "
        "run(['train', 'reader', '--config', 'configs/reader.toml', '--out', sys.argv[1]])"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 2
    assert "pip install 'seminar[train]'" in ended.stderr


def test_help_lists_every_network(seminar):
    ended = seminar("train", "--help")
    assert ended.code == 0
    assert "|".join(sorted(NETWORKS)) in "".join(ended.out.split())


def test_unknown_network_is_an_error(seminar, tmp_path):
    ended = seminar("train", "redaer", "--config", "x.toml", "--out", str(tmp_path))
    assert ended.code == 2
    assert "'redaer' is not one of" in ended.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[loop]\nstep = 9\n", "'step'. Did you mean 'steps'?"),
        ("[loop]\nsteps = 9\n[rewriting]\nbatchsize = 2\n", "Did you mean 'batch_size'?"),
        ("[loop]\nsteps = 9\n[rewriting]\ncheckpoint = './none'\n", "./none is no folder"),
    ],
)
def test_wrong_configuration_prints_one_line_and_leaves_no_run(
    seminar, tmp_path: Path, text: str, message: str
):
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    config = tmp_path / "rewriting.toml"
    config.write_text(text)
    ended = seminar("train", "rewriting", "--config", str(config), "--out", str(tmp_path / "run"))
    assert ended.code == 2
    assert message in ended.err
    assert "Traceback" not in ended.err
    assert not (tmp_path / "run").exists()


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of datasets with SQuAD's official files, of one paragraph each."""

    def article(split: str) -> dict[str, object]:
        context = f"Ann owns the mill. Bob owns the {split}."
        questions = [
            {
                "id": f"{split}-{name}",
                "question": f"What does {name} own?",
                "answers": [{"text": text, "answer_start": context.index(text)}],
            }
            for name, text in (("Ann", "the mill"), ("Bob", f"the {split}"))
        ]
        return {"title": "Town", "paragraphs": [{"context": context, "qas": questions}]}

    folder = tmp_path / "data" / "squad"
    folder.mkdir(parents=True)
    for split in ("train", "dev"):
        (folder / f"{split}-v1.1.json").write_text(json.dumps({"data": [article(split)]}))
    monkeypatch.setenv("SEMINAR_DATA", str(folder.parent))
    return folder.parent


def test_network_is_trained_resumed_and_ready_for_use(seminar, data: Path, tmp_path: Path):
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    pytest.importorskip("matplotlib")
    config, out = tmp_path / "tiny.toml", tmp_path / "run"
    small = "log_steps = 1\nthreads = 1\n[text-to-text]\nbatch_size = 1\ntarget_tokens = 4\n"
    config.write_text(f"[loop]\nepochs = 2\n{small}")
    asked = ("train", "text-to-text", "--config", config, "--out", out)
    ended = seminar(*asked)
    assert (ended.code, ended.out) == (0, "")
    assert ended.err.split() == [str(out / "last.pt"), str(out / "model")]

    again = seminar(*asked)
    assert again.code == 2
    assert "already holds a run: continue it with --resume" in again.err

    config.write_text(f"[loop]\nsteps = 6\n{small}")
    assert seminar(*asked, "--resume", out / "last.pt").code == 0
    entries = [json.loads(line) for line in (out / "log.jsonl").read_text().splitlines()]
    assert [entry["step"] for entry in entries if "loss" in entry] == [1, 2, 3, 4, 5, 6]

    from seminar.networks.papers.seq2seq.answering import load

    hit = Hit(Passage("a.md", 0, 8, "the mill", title="Town"), 1.0)
    assert len(load(out / "model").read([Query("What does Ann own?")], [[hit]])) == 1


def test_checkpoint_of_another_network_is_an_error_and_leaves_the_run_whole(
    seminar, data: Path, tmp_path: Path
):
    torch = pytest.importorskip("torch")
    pytest.importorskip("transformers")
    config, out = tmp_path / "tiny.toml", tmp_path / "run"
    config.write_text("[loop]\nsteps = 6\n")
    other = tmp_path / "other.pt"
    torch.save({"network": {"weight": torch.ones(1)}, "optimizer": {}}, other)
    ended = seminar("train", "text-to-text", "--config", config, "--out", out, "--resume", other)
    assert ended.code == 2
    assert "is a checkpoint of another network than AnsweringNetwork" in ended.err
    assert list(out.iterdir()) == []
