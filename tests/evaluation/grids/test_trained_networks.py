"""Untrained tiny networks in their roles: what they say is noise, where it goes is not."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from seminar.errors import ConfigurationError  # noqa: E402
from seminar.evaluation.grids.roles import ROLES, assigned, trained  # noqa: E402
from seminar.evaluation.grids.runs import run_grid  # noqa: E402
from seminar.evaluation.grids.sites import GridPlan  # noqa: E402
from seminar.networks import bi_encoder, seq2seq_answering  # noqa: E402
from seminar.networks.bi_encoder_inputs import DprInputs  # noqa: E402
from seminar.networks.bidaf import BidafShape  # noqa: E402
from seminar.networks.bidaf_reader import save_bidaf, untrained  # noqa: E402
from seminar.networks.checkpoints import tokenizer_of  # noqa: E402
from seminar.networks.fusion import FusionInDecoder, fusion_backbone  # noqa: E402
from seminar.networks.fusion_reader import FusionReader, save_fusion  # noqa: E402
from seminar.networks.fusion_text import FusionText, Lengths, with_marks  # noqa: E402
from seminar.networks.seq2seq import Sizes, Writer  # noqa: E402

FILES = Path(__file__).parents[2] / "datasets" / "files"


@pytest.fixture(scope="module")
def networks(tmp_path_factory) -> Path:
    """A folder of runs, a network in the `model` of each."""
    torch.manual_seed(7)
    torch.set_num_threads(1)
    runs = tmp_path_factory.mktemp("networks")
    inputs = DprInputs(tokenizer_of("tiny"))
    sides = bi_encoder.pretrained("tiny", dropout=0.0, questions_only=False)
    bi_encoder.export(sides, runs / "dpr" / "model", inputs=inputs, lengths=(32, 48))
    model, tokenizer = fusion_backbone("tiny", "t5"), tokenizer_of("tiny")
    with_marks(model, tokenizer)
    text = FusionText(tokenizer, model, Lengths(64, 6))
    save_fusion(FusionReader(FusionInDecoder(model), text), runs / "fid" / "model")
    writer = Writer(
        seq2seq_answering.AnsweringNetwork(fusion_backbone("tiny", "t5")),
        tokenizer_of("tiny"),
        Sizes(source=64, target=4),
    )
    reader = seq2seq_answering.Seq2SeqReader(writer, form="qaconv")
    seq2seq_answering.save(reader, runs / "text" / "model")
    bidaf, pieces = untrained("tiny", BidafShape(contexts=2, hidden=8, characters=8))
    save_bidaf(bidaf, runs / "bidaf" / "model", pieces, {"acts": False, "data": "none"})
    return runs


@pytest.fixture
def plan(tmp_path: Path, networks: Path) -> GridPlan:
    root = tmp_path / "data"
    shutil.copytree(FILES, root)
    shutil.copy(root / "qaconv" / "val.json", root / "qaconv" / "tst.json")
    return GridPlan("pragmaticqa-table4", tmp_path / "runs", root=root, trained=networks)


def test_runs_take_the_roles_that_they_fit(networks: Path):
    given = assigned((), networks, tuple(ROLES))
    assert {role: found.network for role, found in given.items()} == {
        "bidaf-2": "BidafNetwork",
        "dpr-retriever": "BiEncoder",
        "fid": "FusionInDecoder",
        "t5-base-finetuned": "AnsweringNetwork",
    }
    assert all(found.small for found in given.values())


def test_a_table_that_parts_share_counts_once(networks: Path):
    found = trained(networks / "fid")
    model = fusion_backbone("tiny", "t5")
    with_marks(model, tokenizer_of("tiny"))
    assert found.parameters == sum(one.numel() for one in model.parameters())
    assert found.told.endswith(f"FusionInDecoder in {networks}/fid/model, 2.1M parameters"[-40:])


def test_fusion_in_decoder_reads_what_the_bi_encoder_found(plan: GridPlan):
    [table] = run_grid(replace(plan, rows=("FiD, k = 5", "FiD, k = 1"))).tables
    rows = {row.system: row for row in table.rows}
    assert rows["FiD, k = 5"].small
    assert rows["FiD, k = 5"].lacking == ""
    # All three blocks are read where k allows it, so that every gold block is among them.
    assert rows["FiD, k = 5"].scores["R-All@k"].mean == 100.0
    assert rows["FiD, k = 1"].scores["R-All@k"].mean == 0.0
    assert "BiEncoder in " in rows["FiD, k = 1"].note
    folder = plan.out / "corpus-pragmaticqa-val-static"
    assert len(list(folder.glob("dpr-retriever-*.npy"))) == 1


def test_bidaf_predicts_answers_and_acts_from_the_whole_section(plan: GridPlan):
    [table] = run_grid(replace(plan, name="quac-table4", rows=("2-ctx",))).tables
    [row] = table.rows
    assert row.paper == {"F1": 60.6}
    assert set(row.scores) == {"F1", "HEQ-Q", "HEQ-D", "yes/no", "follow-up", "F1 all"}
    file = plan.out / "answers-and-dialog-acts" / "bidaf-w-2-ctx" / "predictions.jsonl"
    assert [json.loads(line)["yesno"] for line in file.read_text().splitlines()] == ["x"] * 4


def test_text_to_text_answers_in_its_own_column(plan: GridPlan):
    tables = run_grid(replace(plan, name="qaconv-table6", rows=("t5-base",))).tables
    zero, tuned = (table.rows[0] for table in tables)
    assert zero.roles == ("t5-base",)
    assert tuned.roles == ()
    assert set(tuned.scores) == {"EM", "F1", "FZ-R"}


def test_every_way_to_decode_gives_answers(plan: GridPlan):
    asked = replace(plan, name="ambigprompt-table5", rows=("FiD", "FiD,"), limit=1)
    [table] = run_grid(asked).tables
    assert {row.system: row.lacking for row in table.rows} == {
        "FiD": "",
        "FiD, nucleus sampling": "",
        "FiD, top-k sampling": "",
        "FiD, diverse beam search": "",
        "FiD, reduced end of sequence": "",
    }


def test_parameters_and_memory_are_the_rows_own(plan: GridPlan, networks: Path):
    shutil.rmtree(plan.root / "webqsp")
    only = (("fid", networks / "fid"),)
    asked = replace(plan, name="ambigprompt-table2", rows=("FiD",), limit=1)
    row = run_grid(replace(asked, networks=only, trained=None)).tables[0].rows[0]
    assert row.small
    assert round(row.figures["parameters M"], 1) == 2.1


def test_a_wrong_folder_names_itself(tmp_path: Path, networks: Path):
    with pytest.raises(ConfigurationError, match="fid/model holds a FusionInDecoder"):
        assigned((("dpr-retriever", networks / "fid"),), None, ("dpr-retriever",))
    with pytest.raises(ConfigurationError, match=f"{tmp_path}/settings.json can't be read"):
        assigned((("fid", tmp_path),), None, ("fid",))


def test_settings_without_weights_are_an_unfinished_run(tmp_path: Path):
    (tmp_path / "settings.json").write_text('{"network": "FusionInDecoder"}')
    with pytest.raises(ConfigurationError, match="has settings but no weights"):
        trained(tmp_path)


def test_two_networks_for_one_role_must_be_told_apart(tmp_path: Path, networks: Path):
    shutil.copytree(networks / "fid", tmp_path / "one")
    shutil.copytree(networks / "fid", tmp_path / "two")
    with pytest.raises(ConfigurationError, match="both fit fid: say which, --network fid=FOLDER"):
        assigned((), tmp_path, ("fid",))
    named = assigned((("fid", tmp_path / "two"),), tmp_path, ("fid",))
    assert named["fid"].folder == tmp_path / "two" / "model"


def test_a_checkpoint_that_others_trained_answers_zero_shot(plan: GridPlan, tmp_path: Path):
    config = transformers.BertConfig(
        vocab_size=30_522, hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=16,
    )  # fmt: skip
    transformers.BertForQuestionAnswering(config).save_pretrained(tmp_path / "bert")
    tokenizer_of("tiny").save_pretrained(tmp_path / "bert")
    given = (("bert-base", tmp_path / "bert"),)
    asked = replace(plan, name="qaconv-table6", rows=("BERT-Base-SQuAD2.0",), networks=given)
    [zero, tuned] = run_grid(replace(asked, trained=None)).tables
    assert set(zero.rows[0].scores) == {"EM", "F1", "FZ-R"}
    assert zero.rows[0].note == f"SpanQa in {tmp_path}/bert, 0.5M parameters"
    assert tuned.rows[0].roles == ("bert-base-finetuned",)


def test_a_bart_measures_the_quality_of_answers(plan: GridPlan, tmp_path: Path):
    config = transformers.BartConfig(
        vocab_size=30_522, d_model=16, encoder_layers=1, decoder_layers=1,
        encoder_attention_heads=2, decoder_attention_heads=2, encoder_ffn_dim=16,
        decoder_ffn_dim=16, pad_token_id=0, bos_token_id=101, eos_token_id=102,
        decoder_start_token_id=102, forced_eos_token_id=None,
    )  # fmt: skip
    transformers.BartForConditionalGeneration(config).save_pretrained(tmp_path / "bart")
    tokenizer_of("tiny").save_pretrained(tmp_path / "bart")
    asked = replace(plan, rows=("fusion + sentence, k = 1",), trained=None)
    given = (("bartscore", tmp_path / "bart"),)
    [table] = run_grid(replace(asked, networks=given)).tables
    assert table.rows[0].scores["Q"].mean < 0
