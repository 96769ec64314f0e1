import json
import re
import tomllib
from inspect import signature
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from seminar.analysis.training_curves import plot
from seminar.errors import ConfigurationError
from seminar.training.loop.config import LoopConfig
from seminar.training.reader.task import ReaderConfig
from seminar.training.runs import NETWORKS, filled, parts_of, read_tables, train


def written(folder: Path, text: str) -> Path:
    path = folder / "reader.toml"
    path.write_text(text)
    return path


def read_config(path: Path) -> tuple[LoopConfig, ReaderConfig]:
    tables = read_tables(path, "reader")
    loop = filled(LoopConfig, tables.get("loop", {}), path)
    return loop, filled(ReaderConfig, tables.get("reader", {}), path)


def test_a_configuration_holds_only_differences(tmp_path):
    text = "[loop]\nsteps = 9\n[reader]\nwindows = [[0, 64], [100, 128]]\n"
    loop, reader = read_config(written(tmp_path, text))
    assert (loop.steps, loop.learning_rate) == (9, 1e-4)
    assert (reader.windows, reader.batch_size) == (((0, 64), (100, 128)), 16)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[loop]\nstep = 9\n", r"unknown key in .*reader.toml 'step'. Did you mean 'steps'\?"),
        ("[loop]\nsteps = 9\n[reder]\n", r"unknown table in .* 'reder'. Did you mean 'reader'\?"),
        ("[reader]\n", r"reader.toml: no 'steps' and no 'epochs' under \[loop\]"),
        ("loop = 9\n", r"'loop' is 9; expected a table \[loop\]"),
        ("[loop]\nsteps = true\n", r"'steps' is True; expected something like 0"),
        ("[loop]\nsteps = 9\nhalve = 1\n", r"'halve' is 1; expected something like False"),
        ("[loop]\nsteps = 9\nseed = 'x'\n", r"'seed' is 'x'; expected something like 0"),
        ("steps 9", r"can't be read as TOML"),
    ],
)
def test_a_wrong_configuration_says_what_is_wrong(tmp_path, text, message):
    with pytest.raises(ConfigurationError, match=message):
        read_config(written(tmp_path, text))


def test_a_file_that_is_no_text_or_not_there_is_named(tmp_path):
    path = tmp_path / "reader.toml"
    for write in (lambda: None, lambda: path.write_bytes(b"\xff\xfe[loop]")):
        write()
        with pytest.raises(ConfigurationError, match=r"reader.toml can't be read as TOML"):
            read_tables(path, "reader")


def test_the_phases_of_the_shipped_reader_agree():
    loop, reader = read_config(Path("configs/reader.toml"))
    for name in ("reader-decay", "reader-qaconv"):
        later_loop, later = read_config(Path(f"configs/{name}.toml"))
        assert later_loop.seed == loop.seed
        for key in ("encoder", "layers", "frozen_layers", "batch_size"):
            assert getattr(later, key) == getattr(reader, key), (name, key)


CONFIGS = sorted(Path("configs").rglob("*.toml"))


@pytest.mark.parametrize("path", CONFIGS, ids=str)
def test_every_configuration_is_of_one_network_and_has_no_unknown_key(path: Path):
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    [network] = set(tables) - {"loop"}
    kind, _ = parts_of(network)
    filled(LoopConfig, tables["loop"], path)
    filled(kind, tables[network], path)
    assert read_tables(path, network) == tables


PAPERS = r"QuAC|QAConv|TopiOCQA|AmbigPrompt|AmbigQA|PragmatiCQA|DPR|SQuAD|et al\."


@pytest.mark.parametrize("path", sorted(Path("configs/papers").glob("*.toml")), ids=str)
def test_a_papers_configuration_begins_with_whose_it_is(path: Path):
    opening = path.read_text(encoding="utf-8").partition("[loop]")[0]
    assert all(line.startswith("#") for line in opening.split("\n") if line)
    assert re.search(PAPERS, opening)


def test_the_registry_names_a_configuration_with_defaults_for_everything():
    for network in NETWORKS:
        kind, make = parts_of(network)
        assert kind() == kind(), network
        assert list(signature(make).parameters) == ["config", "cache", "seed"], network


def test_a_run_is_not_overwritten(tmp_path):
    (tmp_path / "last.pt").touch()
    config = written(tmp_path, "[loop]\nsteps = 9\n")
    with pytest.raises(ConfigurationError, match="already holds a run: continue it with --resume"):
        train("reader", config, tmp_path, resume=None, decay=None, cache=tmp_path)


def test_the_curve_shows_losses_and_scores(tmp_path):
    pytest.importorskip("matplotlib")
    entries = [{"examples": 16, "loss": 2.0}, {"examples": 16, "scores": {"f1": 50.0}}]
    (tmp_path / "log.jsonl").write_text("\n".join(map(json.dumps, entries)))
    assert plot(tmp_path / "log.jsonl").read_bytes().startswith(b"\x89PNG")


def test_an_unknown_network_is_named(tmp_path):
    with pytest.raises(ConfigurationError, match="unknown network 'redaer'"):
        train("redaer", tmp_path, tmp_path, resume=None, decay=None, cache=tmp_path)
