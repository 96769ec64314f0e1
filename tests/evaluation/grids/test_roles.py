import json
import shutil
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from seminar.errors import ConfigurationError
from seminar.evaluation.grids.roles import ROLES, assign, open_trained
from seminar.networks.checkpoints import tokenizer_of
from seminar.networks.papers.fusion.network import fusion_backbone
from seminar.networks.papers.fusion.texts import with_marks
from seminar.training.runs import NETWORKS


def test_runs_take_the_roles_that_they_fit(networks: Path):
    given = assign((), networks, tuple(ROLES), needed=tuple(ROLES))
    assert {role: found.network for role, found in given.items()} == {
        "ambigprompt": "AmbigPrompt",
        "ambigprompt-without-interleaving": "AmbigPrompt",
        "ambigprompt-without-prompting": "AmbigPrompt",
        "bert-base-finetuned": "SpanQa",
        "bidaf-2": "BidafNetwork",
        "dpr-reader": "DprReader",
        "dpr-retriever": "BiEncoder",
        "fid": "FusionInDecoder",
        "rewriter": "RewritingNetwork",
        "t5-base-finetuned": "AnsweringNetwork",
    }
    assert given["ambigprompt-without-prompting"].folder == networks / "learned" / "model"
    assert all(found.small for found in given.values())


def test_a_table_that_parts_share_counts_once(networks: Path):
    found = open_trained(networks / "fid")
    model = fusion_backbone("tiny", "t5")
    with_marks(model, tokenizer_of("tiny"))
    assert found.parameters == sum(one.numel() for one in model.parameters())
    assert found.description == f"FusionInDecoder in {networks}/fid/model, 2.1M parameters"


def test_a_log_gives_the_number_of_training_examples(networks: Path, tmp_path: Path):
    run = tmp_path / "fid"
    shutil.copytree(networks / "fid", run)
    lines = [json.dumps({"step": step, "examples": 16 * step}) for step in (20, 40)]
    (run / "log.jsonl").write_text("\n".join([*lines, '{"step": 60, "exam']))
    assert open_trained(run).description.endswith("2.1M parameters, trained on 640 examples")


def test_every_role_names_its_training_and_is_documented():
    page = (Path(__file__).parents[3] / "docs" / "evaluation.md").read_text(encoding="utf-8")
    for role, one in ROLES.items():
        assert one.training in NETWORKS or role == "bartscore"
        assert f"`{role.removesuffix('-finetuned')}`" in page


def test_a_wrong_folder_names_itself(tmp_path: Path, networks: Path):
    with pytest.raises(ConfigurationError) as message:
        assign((("dpr-retriever", networks / "fid"),), None, ("dpr-retriever",), needed=())
    assert str(message.value) == (
        f"{networks}/fid/model holds a FusionInDecoder; dpr-retriever is played by a BiEncoder, "
        "which `seminar train dpr` makes"
    )
    with pytest.raises(ConfigurationError, match=f"{tmp_path}/settings.json can't be read"):
        assign((("fid", tmp_path),), None, ("fid",), needed=())


def test_settings_without_weights_are_an_unfinished_run(tmp_path: Path):
    (tmp_path / "settings.json").write_text('{"network": "FusionInDecoder"}')
    with pytest.raises(ConfigurationError, match="has settings but no weights"):
        open_trained(tmp_path)


def test_two_networks_for_one_role_must_be_named(tmp_path: Path, networks: Path):
    shutil.copytree(networks / "fid", tmp_path / "one")
    shutil.copytree(networks / "fid", tmp_path / "two")
    with pytest.raises(ConfigurationError, match="both fit fid: say which, --network fid=FOLDER"):
        assign((), tmp_path, ("fid",), needed=("fid",))
    named = assign((("fid", tmp_path / "two"),), tmp_path, ("fid",), needed=("fid",))
    assert named["fid"].folder == tmp_path / "two" / "model"
