import json

from seminar.evaluation.grids.tables import (
    GridReport,
    GridTable,
    TableRow,
    grid_as_json,
    grid_as_markdown,
    grid_as_text,
)
from seminar.metrics.statistics import Interval

ROWS = (
    TableRow("Human", {"EM": 40.2, "seconds": 1.25}, lacking="no additional answers"),
    TableRow(
        "FiD",
        {"EM": 33.0},
        {"EM": Interval(12.34, 10.0, 14.0)},
        {"seconds": 0.5},
        note="FusionInDecoder in runs/fid, 1.2M parameters",
        small=True,
    ),
    TableRow("DPR", {}, lacking="no network", roles=("dpr-reader",)),
)
TABLE = GridTable(
    "end to end", "TopiOCQA table 5, dev", "topiocqa/dev", ("EM", "F1", "seconds"), ROWS, 50, 2514
)
REPORT = GridReport("topiocqa-table5", (TABLE,), ("GPT-3 is another.",))


def test_each_cell_has_the_papers_figure_and_ours():
    assert grid_as_text(REPORT).splitlines() == [
        "topiocqa-table5",
        "",
        "end to end (TopiOCQA table 5, dev): topiocqa/dev, 50 of 2,514 questions",
        "system  EM paper  EM                 F1  seconds paper  seconds  notes",
        "Human   40.2      –                  –   1.25           –        [1]",
        "FiD*    33.0      12.3 [10.0, 14.0]  –   –              0.50     [2]",
        "DPR     –         –                  –   –              –        dpr-reader [3]",
        "",
        "* a network trained small: fewer parameters, or fewer examples, than any of the papers'",
        "[1] no additional answers",
        "[2] FusionInDecoder in runs/fid, 1.2M parameters",
        "[3] no network",
        "`seminar train dpr-reader` makes dpr-reader",
        "GPT-3 is another.",
    ]


def test_markdown_has_the_reasons_below():
    lines = grid_as_markdown(REPORT).splitlines()
    assert lines[0] == "## topiocqa-table5"
    assert "| FiD* | 33.0 | 12.3 [10.0, 14.0] | – | – | 0.50 | [2] |" in lines
    assert lines[-3:] == [
        "- [3] no network",
        "- `seminar train dpr-reader` makes dpr-reader",
        "- GPT-3 is another.",
    ]


def test_json_has_every_number_unrounded():
    value = json.loads(grid_as_json(REPORT))
    [table] = value["tables"]
    assert (value["grid"], table["split"], table["asked"]) == (
        "topiocqa-table5",
        "topiocqa/dev",
        50,
    )
    assert table["rows"][1]["scores"]["EM"] == {"mean": 12.34, "low": 10.0, "high": 14.0}
    assert table["rows"][1]["small"] is True
    assert table["rows"][2]["roles"] == ["dpr-reader"]


def test_a_row_that_was_not_run_gives_the_reason():
    table = GridTable("WebQSP", "AmbigPrompt table 2, test", "webqsp/test", ("F1",), ROWS[:1])
    assert "webqsp/test, not run" in grid_as_text(GridReport("ambigprompt-table2", (table,)))
