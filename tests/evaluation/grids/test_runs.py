import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from seminar.errors import ConfigurationError
from seminar.evaluation.grids.runs import run_grid
from seminar.evaluation.grids.setup import GridPlan
from seminar.evaluation.grids.tables import GridReport, TableRow
from seminar.settings import Settings
from tests.completions import completion, serving

LIGHTHOUSE = "The lighthouse was built by Mira Holt in 1871."


@pytest.fixture
def plan(root: Path, tmp_path: Path) -> GridPlan:
    return GridPlan("topiocqa-table5", tmp_path / "runs", root=root)


def row_of(report: GridReport, title: str, system: str) -> TableRow:
    [table] = [one for one in report.tables if one.title == title]
    [row] = [one for one in table.rows if one.system == system]
    return row


def means(row: TableRow) -> dict[str, float]:
    return {column: round(score.mean, 1) for column, score in row.scores.items()}


def test_human_and_bound_rows_have_the_papers_figures(plan: GridPlan):
    report = run_grid(replace(plan, rows=("human", "bound")))
    human = row_of(report, "end to end", "Human")
    # Holt against Mira Holt, 1871 against in 1871: never the same, F1 two thirds.
    assert means(human) == {"EM": 0.0, "F1": 66.7}
    assert human.paper == {"EM": 40.2, "F1": 70.1}
    bound = row_of(report, "gold passage given", "Extractive bound")
    assert means(bound) == {"EM": 50.0, "F1": 83.3}
    assert bound.paper == {"EM": 47.7, "F1": 81.1}


def test_retrieval_is_measured_for_every_form_of_the_question(plan: GridPlan):
    report = run_grid(replace(plan, rows=("bm25, ", "fusion, auto")))
    [table] = [one for one in report.tables if one.title == "retrieval"]
    assert [(row.system, means(row)) for row in table.rows] == [
        ("BM25, original", {"Top-20": 50.0, "Top-100": 50.0}),
        ("BM25, all history", {"Top-20": 100.0, "Top-100": 100.0}),
        ("BM25, rewrites", {"Top-20": 100.0, "Top-100": 100.0}),
        ("fusion, auto", {"Top-20": 100.0, "Top-100": 100.0}),
    ]


def test_a_reader_is_given_the_gold_passage(plan: GridPlan):
    report = run_grid(replace(plan, rows=("sentence, original",)))
    row = row_of(report, "gold passage given", "sentence, original")
    [first, _] = predictions(plan, "gold-passage-given/sentence-original")
    assert first["answer"] == LIGHTHOUSE
    assert row.scores["EM"].mean == 0.0
    assert not row.lacking


def predictions(plan: GridPlan, folder: str) -> list[dict]:
    lines = (plan.out / folder / "predictions.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def test_a_row_without_its_network_or_endpoint_shows_the_papers_cells_and_why(plan: GridPlan):
    report = run_grid(replace(plan, rows=("gpt-3", "fid, all history")))
    closed = row_of(report, "end to end", "GPT-3")
    assert closed == TableRow(
        "GPT-3",
        {"EM": 12.4, "F1": 33.4},
        lacking="no language model is named: --llm URL --model NAME",
    )
    fused = row_of(report, "end to end", "DPR Retriever + FiD, all history")
    assert fused.roles == ("dpr-retriever", "fid")
    assert fused.lacking.startswith("no trained network in this role: --network ROLE=FOLDER")
    assert fused.paper == {"EM": 33.0, "F1": 55.3}


def test_the_closed_book_is_a_language_models(plan: GridPlan):
    with serving(lambda prompt, _: completion('{"answer": "Mira Holt"}')) as (url, received):
        asked = replace(plan, rows=("gpt",), settings=Settings(llm=url, model="m"))
        report = run_grid(asked)
    row = row_of(report, "end to end", "GPT-3")
    # Right once of two for the first turn, wrong for the second.
    assert means(row) == {"EM": 25.0, "F1": 41.7}
    assert LIGHTHOUSE not in "".join(received.prompts)


def test_without_the_corpus_an_encyclopedia_is_asked_about_its_own_articles(
    plan: GridPlan, root: Path
):
    (root / "topiocqa" / "full_wiki_segments.tsv").unlink()
    file = root / "topiocqa" / "topiocqa_dev.json"
    [first, second] = json.loads(file.read_text())
    file.write_text(json.dumps([first, second | {"Topic": "Lindmere"}]))
    [table] = run_grid(replace(plan, rows=("lexical + sentence, original",))).tables
    assert (table.asked, table.whole) == (1, 2)
    assert table.note == (
        "4 passages of Wikispeedia's 1 articles, full_wiki_segments.tsv not being there: "
        "only the questions whose topic is one of them"
    )
    assert table.rows[0].lacking == ""


def test_questions_outside_the_corpus_are_not_asked(plan: GridPlan, root: Path):
    (root / "topiocqa" / "full_wiki_segments.tsv").unlink()
    report = run_grid(replace(plan, rows=("human",)))
    row = row_of(report, "end to end", "Human")
    assert row.lacking == "topiocqa/dev has no questions that can be asked here"


def test_a_grid_whose_data_is_absent_has_only_the_papers_cells(plan: GridPlan, root: Path):
    (root / "qaconv" / "tst.json").unlink()
    report = run_grid(replace(plan, name="qaconv-table6"))
    row = row_of(report, "zero-shot", "span")
    assert "no 'tst.json' here" in row.lacking
    human = row_of(report, "zero-shot", "Human")
    assert human.paper == {"EM": 79.99, "F1": 89.87, "FZ-R": 92.33}


def test_answerability_has_a_figure_for_the_whole_split(plan: GridPlan):
    report = run_grid(replace(plan, name="qaconv-table9", rows=("sentence",)))
    row = row_of(report, "zero-shot", "sentence")
    assert set(row.scores) == {"EM answerable", "F1 answerable", "recall unanswerable"}
    assert set(row.figures) == {"binary F1"}


def test_pragmatic_rows_differ_by_the_number_of_passages_read(plan: GridPlan):
    report = run_grid(
        replace(
            plan, name="pragmaticqa-table4", rows=("fusion + sentence, k = 1", "sentence, k = 10")
        )
    )
    [table] = report.tables
    recalls = {row.system: means(row)["R-All@k"] for row in table.rows}
    assert recalls == {"fusion + sentence, k = 1": 0.0, "fusion + sentence, k = 10": 100.0}
    assert (table.asked, table.whole) == (2, 3)
    assert table.note == (
        "3 blocks of annotated spans, the pages not being released; "
        "turns on a page that failed to load are left out"
    )


def test_efficiency_is_measured_in_a_process_of_its_own(plan: GridPlan, root: Path):
    shutil.rmtree(root / "webqsp")
    report = run_grid(replace(plan, name="ambigprompt-table2", rows=("JPR", "one answer")))
    row = row_of(report, "AmbigQA", "fusion + span, one answer")
    assert means(row) == {"F1": 0.0}
    assert row.figures["seconds"] > 0
    assert 0.05 < row.figures["memory GB"] < 4
    jpr = row_of(report, "AmbigQA", "JPR")
    assert jpr.lacking == "Seminar has no such system"
    assert jpr.paper == {
        "F1": 48.5,
        "F1 multi": 37.6,
        "parameters M": 3000.0,
        "seconds": 0.88,
        "memory GB": 14.0,
    }
    assert "no 'test.json' here" in row_of(report, "WebQSP", "JPR").lacking


def test_a_stopped_run_resumes_where_it_was(plan: GridPlan):
    asked = replace(plan, name="quac-table4", rows=("majority",))
    first = run_grid(asked)
    file = plan.out / "answers-and-dialog-acts" / "majority" / "predictions.jsonl"
    lines = file.read_text().splitlines(keepends=True)
    marked = lines[0].replace("CANNOTANSWER", "kept as it was")
    file.write_text(marked + lines[1][:10])
    second = run_grid(asked)
    again = file.read_text().splitlines(keepends=True)
    assert again[0] == marked
    assert [json.loads(line)["id"] for line in again] == [json.loads(line)["id"] for line in lines]
    score = row_of(first, "answers and dialog acts", "Majority").scores["F1"].mean
    assert score == 25.0
    assert row_of(second, "answers and dialog acts", "Majority").scores["F1"].mean == 25.0


def test_another_limit_in_the_same_folder_is_refused(plan: GridPlan):
    asked = replace(plan, name="quac-table4", rows=("majority",))
    run_grid(asked)
    with pytest.raises(ConfigurationError, match="holds a run of another configuration"):
        run_grid(replace(asked, limit=2))


def test_another_corpus_of_the_same_size_is_refused_and_indexed_anew(plan: GridPlan, root: Path):
    asked = replace(plan, rows=("lexical, original",))
    run_grid(asked)
    run_grid(asked)
    file = root / "topiocqa" / "full_wiki_segments.tsv"
    file.write_text(file.read_text().replace("Mira Holt in", "Rae Vale in"))
    with pytest.raises(ConfigurationError, match=r"another configuration \(passages '"):
        run_grid(asked)
    run_grid(replace(plan, rows=("lexical, all history",)))
    [found, _] = predictions(plan, "retrieval/lexical-all-history")
    assert "Rae Vale" in found["ranking"][0]["text"]


def test_limit_and_split_are_reported(plan: GridPlan):
    asked = replace(plan, name="quac-table4", rows=("majority",), limit=2, split="quac/val-part")
    [table] = run_grid(asked).tables
    assert (table.split, table.asked, table.place) == ("quac/val-part", 2, "QuAC table 4, dev")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"split": "quac/val"}, "unknown split for topiocqa-table5 'quac/val'"),
        ({"rows": ("humn",)}, "unknown row of topiocqa-table5 'humn'. Did you mean"),
        ({"name": "topiocqa"}, "unknown grid 'topiocqa'"),
    ],
)
def test_an_unknown_name_lists_the_known_ones(plan: GridPlan, change: dict, message: str):
    with pytest.raises(ConfigurationError, match=message):
        run_grid(replace(plan, **change))
