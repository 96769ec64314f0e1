"""Untrained tiny networks in their roles: what they say is noise, where it goes is not."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from seminar.evaluation.grids.runs import run_grid  # noqa: E402
from seminar.evaluation.grids.setup import GridPlan  # noqa: E402
from seminar.evaluation.grids.tables import GridReport, TableRow  # noqa: E402
from seminar.networks.checkpoints import tokenizer_of  # noqa: E402

LIGHTHOUSE = "The lighthouse was built by Mira Holt in 1871."


@pytest.fixture
def plan(tmp_path: Path, root: Path, networks: Path) -> GridPlan:
    return GridPlan("pragmaticqa-table4", tmp_path / "runs", root=root, trained=networks)


def rows_of(report: GridReport) -> dict[str, TableRow]:
    """Every row by its part and its name."""
    return {f"{part.title}: {row.system}": row for part in report.tables for row in part.rows}


def predictions(plan: GridPlan, folder: str) -> list[dict]:
    lines = (plan.out / folder / "predictions.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def test_the_dpr_reader_reads_what_the_dpr_retriever_found(plan: GridPlan):
    asked = replace(plan, name="topiocqa-table5", rows=("DPR Retriever + DPR Reader",))
    rows = rows_of(run_grid(asked))
    assert {name: (row.lacking, row.small) for name, row in rows.items()} == {
        f"end to end: DPR Retriever + DPR Reader, {form}": ("", True)
        for form in ("original", "all history", "rewrites")
    }
    row = rows["end to end: DPR Retriever + DPR Reader, all history"]
    assert row.paper == {"EM": 21.0, "F1": 43.4}
    assert set(row.scores) == {"EM", "F1"}
    assert "BiEncoder in " in row.note
    assert "DprReader in " in row.note
    corpus = (plan.root / "topiocqa" / "full_wiki_segments.tsv").read_text()
    lines = predictions(plan, "end-to-end/dpr-retriever-dpr-reader-all-history")
    assert all(one["answer"] in corpus for one in lines)
    # Both passages of the corpus were found and read.
    assert [len(one["ranking"]) for one in lines] == [2, 2]


def test_the_dpr_reader_is_given_the_gold_passage(plan: GridPlan):
    asked = replace(plan, name="topiocqa-table5", rows=("DPR Reader, original",))
    row = rows_of(run_grid(asked))["gold passage given: DPR Reader, original"]
    assert row.lacking == ""
    lines = predictions(plan, "gold-passage-given/dpr-reader-original")
    assert all(one["answer"] in LIGHTHOUSE for one in lines)


def test_a_network_of_a_row_that_is_not_asked_for_may_be_named(plan: GridPlan, networks: Path):
    given = (("fid", networks / "fid"), ("dpr-reader", networks / "dpr-reader"))
    asked = replace(plan, name="topiocqa-table5", rows=("BM25 + FiD, original",), networks=given)
    [row] = rows_of(run_grid(replace(asked, trained=None))).values()
    assert row.note == f"FusionInDecoder in {networks}/fid/model, 2.1M parameters"


def test_a_rewriter_that_is_given_rewrites(plan: GridPlan):
    asked = replace(
        plan, name="topiocqa-table5", rows=("BM25, rewrites", "DPR Retriever, rewrites")
    )
    rows = rows_of(run_grid(asked))
    row = rows["retrieval: BM25, rewrites"]
    assert row.note.startswith("RewritingNetwork in ")
    # The first question stays as it is; what noise makes of the second finds nothing, where
    # Seminar's own rewriter finds the passage.
    assert row.scores["Top-20"].mean == 50.0
    assert rows["retrieval: DPR Retriever, rewrites"].scores["Top-20"].mean == 100.0
    own = replace(asked, rows=("BM25, rewrites",), trained=None, out=plan.out / "own")
    row = rows_of(run_grid(own))["retrieval: BM25, rewrites"]
    assert row.note == "rewritten by Seminar's own model, no rewriter being given"
    assert row.scores["Top-20"].mean == 100.0


def test_every_way_to_decode_gives_answers_of_its_own(plan: GridPlan):
    asked = replace(plan, name="ambigprompt-table5", rows=("FiD", "FiD,"), limit=1)
    rows = rows_of(run_grid(asked))
    assert {name.removeprefix("zero-shot: "): row.lacking for name, row in rows.items()} == {
        "FiD": "",
        "FiD, nucleus sampling": "",
        "FiD, top-k sampling": "",
        "FiD, diverse beam search": "",
        "FiD, reduced end of sequence": "",
    }
    counts = {
        name: len(predictions(plan, f"zero-shot/fid{name}")[0]["answers"])
        for name in ("", "-nucleus-sampling", "-top-k-sampling", "-diverse-beam-search")
    }
    # One text where the likeliest words are taken, up to three where several are drawn.
    assert counts.pop("") == 1
    assert all(1 < count <= 3 for count in counts.values())


def test_ambigprompt_and_its_ablations_answer_each_in_a_row(plan: GridPlan, networks: Path):
    shutil.rmtree(plan.root / "webqsp")
    # The one without pre-training differs from the whole only by its name.
    given = (("ambigprompt-without-pretraining", networks / "interleaved"),)
    asked = replace(plan, name="ambigprompt-table3", networks=given, limit=1)
    rows = rows_of(run_grid(asked))
    played = {
        "AmbigPrompt": "interleaved",
        "AmbigPrompt w/o task-adaptive pre-training": "interleaved",
        "AmbigPrompt w/o prompting model": "learned",
        "AmbigPrompt w/o interleaving prompting": "separate",
    }
    for name, folder in played.items():
        assert f"AmbigPrompt in {networks}/{folder}/model" in rows[f"AmbigQA: {name}"].note


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
    assert len(list(folder.glob("dpr-retriever-*/0.npy"))) == 1


def test_bidaf_predicts_answers_and_acts_from_the_whole_section(plan: GridPlan):
    [table] = run_grid(replace(plan, name="quac-table4", rows=("2-ctx",))).tables
    [row] = table.rows
    assert row.paper == {"F1": 60.6}
    assert set(row.scores) == {"F1", "HEQ-Q", "HEQ-D", "yes/no", "follow-up", "F1 all"}
    file = plan.out / "answers-and-dialog-acts" / "bidaf-w-2-ctx" / "predictions.jsonl"
    assert [json.loads(line)["yesno"] for line in file.read_text().splitlines()] == ["x"] * 4


def test_a_network_is_not_asked_what_it_was_trained_on(plan: GridPlan, networks: Path, tmp_path):
    shutil.copytree(networks / "bidaf", tmp_path / "bidaf")
    file = tmp_path / "bidaf" / "model" / "settings.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"data": "quac-part"}))
    given = (("bidaf-2", tmp_path / "bidaf"),)
    asked = replace(plan, name="quac-table4", rows=("2-ctx",), networks=given)
    row = rows_of(run_grid(asked))["answers and dialog acts: BiDAF++ w/ 2-ctx"]
    assert row.scores == {}
    assert row.lacking.endswith("trained on dialogs of quac/val: ask quac/val-part-held-out")


def test_text_to_text_answers_in_its_own_column(plan: GridPlan):
    tables = run_grid(replace(plan, name="qaconv-table6", rows=("t5-base",))).tables
    zero, tuned = (table.rows[0] for table in tables)
    assert zero.roles == ("t5-base",)
    assert tuned.roles == ()
    assert set(tuned.scores) == {"EM", "F1", "FZ-R"}


def test_parameters_and_memory_are_the_rows_own(plan: GridPlan, networks: Path):
    shutil.rmtree(plan.root / "webqsp")
    only = (("fid", networks / "fid"),)
    asked = replace(plan, name="ambigprompt-table2", rows=("FiD",), limit=1)
    row = run_grid(replace(asked, networks=only, trained=None)).tables[0].rows[0]
    assert row.small
    assert round(row.figures["parameters M"], 1) == 2.1


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
