import subprocess
import sys
from pathlib import Path

import pytest

from seminar.training.runs import NETWORKS


def test_networks_are_listed_without_pytorch():
    listing = "import sys; from seminar.cli.train import command; print('torch' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", listing], capture_output=True, check=True)
    assert told.stdout.strip() == b"False"


def test_help_names_every_network(seminar):
    ended = seminar("train", "--help")
    assert ended.code == 0
    assert "|".join(sorted(NETWORKS)) in "".join(ended.out.split())


def test_an_unknown_network_is_a_mistake(seminar, tmp_path):
    ended = seminar("train", "redaer", "--config", "x.toml", "--out", str(tmp_path))
    assert ended.code == 2
    assert "'redaer' is not one of" in ended.err


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[loop]\nstep = 9\n", "'step'. Did you mean 'steps'?"),
        ("[loop]\nsteps = 9\n[rewriting]\nbatchsize = 2\n", "Did you mean 'batch_size'?"),
        ("[loop]\nsteps = 9\n[rewriting]\ncheckpoint = './none'\n", "./none is no folder"),
    ],
)
def test_a_wrong_configuration_is_one_line_and_leaves_no_run(
    seminar, tmp_path: Path, text: str, told: str
):
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    config = tmp_path / "rewriting.toml"
    config.write_text(text)
    ended = seminar("train", "rewriting", "--config", str(config), "--out", str(tmp_path / "run"))
    assert ended.code == 2
    assert told in ended.err
    assert "Traceback" not in ended.err
    assert not (tmp_path / "run").exists()
